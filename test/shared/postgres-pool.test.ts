import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Pool } from 'pg';
import { McpApplication, type BackplanePorts } from 'toolwright';
import { bullQueues, postgresAuditStore, postgresBackplane } from 'toolwright/postgres';
import { PostgresRunStore } from 'toolwright/workflow';
import { Database } from '../../src/backplane/postgres/database.ts';
import { PostgresBus } from '../../src/backplane/postgres/postgres-bus.ts';
import { PostgresStore } from '../../src/backplane/postgres/postgres-store.ts';
import { PostgresTaskStore } from '../../src/backplane/postgres/postgres-task-store.ts';
import { StoreHealth } from '../../src/backplane/shared/store-health.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { codeOf, openTill, TillModule } from '../support/payments.ts';
import { JSON_HEADERS, message } from '../support/raw-http.ts';
import { TerminatingPostgres } from '../support/terminating-postgres.ts';

let server: TerminatingPostgres;
let pool: Pool;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  server = await TerminatingPostgres.start();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  pool = new Pool({ connectionString: server.url });
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await pool.end();
});

const logger = new MemoryLogger();
const application = { name: 'app', logger };

function open(): BackplanePorts & { readonly database: Database; readonly bus: PostgresBus } {
  const health = new StoreHealth('PostgreSQL', logger);
  const database = new Database('app', '"toolwright"', pool, health);
  const bus = new PostgresBus(database, pool, health);
  const close = async (): Promise<void> => {
    bus.close();
    database.close();
  };
  return {
    ...{ database, bus, close },
    store: new PostgresStore(database),
    tasks: new PostgresTaskStore(database, bus),
  };
}

async function all(records: AsyncIterable<unknown>): Promise<void> {
  for await (const record of records) expect(record).toBeDefined();
}

const queues = (connection: object): ReturnType<ReturnType<typeof bullQueues>['open']> => {
  const opened = bullQueues({ connection }).open(application);
  closing.push(() => opened.close());
  return opened;
};
const run = async (): Promise<void> => undefined;

/** Every place that opens a connection. */
const PLACES: Readonly<Record<string, () => Promise<unknown>>> = {
  'a statement of a port': () => open().database.query('SELECT 1'),
  'the connection that listens': () => open().bus.open(),
  'the start of an application': () => postgresBackplane({ pool }).open(application),
  'migrate()': () => postgresBackplane({ pool }).migrate(),
  'what an audit appends': () => postgresAuditStore({ pool }).append([]),
  'the last record of an audit': () => postgresAuditStore({ pool }).last(),
  'all records of an audit': () => all(postgresAuditStore({ pool }).read()),
  'the pruning of an audit': () => postgresAuditStore({ pool }).prune?.('a', 1) ?? Promise.resolve(),
  'the tables of workflow runs': () => new PostgresRunStore({ pool }).init(),
  'workflow runs with a pool of their own': () =>
    new PostgresRunStore({ connectionString: server.url }).init(),
  'a queue of BullMQ, from settings': () => queues({ connectionString: server.url }).add('a', 'task'),
  'a queue of BullMQ, from a pool': () => queues(pool).add('a', 'task'),
  'a worker of BullMQ, from settings': () =>
    queues({ connectionString: server.url }).work('a', run, { concurrency: 1 }),
  'a worker of BullMQ, from a pool': () => queues(pool).work('a', run, { concurrency: 1 }),
};

describe('A connection that is terminated in the moment in which it is open ends no process', () => {
  test.each(Object.entries(PLACES))('%s', async (_place, use) => {
    const before = server.connections;
    await expect(use()).rejects.toThrow();
    expect(server.connections).toBeGreaterThan(before);
  });

  test('a call is refused with TRY_AGAIN_LATER, and a session with 503', async () => {
    const { bus: _bus, ...ports } = open();
    const options = {
      backplane: { open: async () => ports },
      secrets: ['a secret of thirty-two bytes or more'],
      logger,
    };
    const till = await openTill(undefined, options);
    const app = await McpApplication.create(TillModule, options);
    closing.push(
      () => till.app.close(),
      () => app.close(),
    );
    expect(codeOf(await till.pay('first'))).toBe('TRY_AGAIN_LATER');
    expect(till.till.effects).toEqual([]);
    const { url } = await app.listen({ port: 0, signals: false });
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    const body = message('initialize', params, 1);
    expect((await fetch(url, { method: 'POST', headers: JSON_HEADERS, body })).status).toBe(503);
  });

  test('a queue of BullMQ connects again at the next task', async () => {
    const opened = queues({ connectionString: server.url });
    await expect(opened.add('a', 'task')).rejects.toThrow();
    const before = server.connections;
    await expect(opened.add('a', 'task')).rejects.toThrow();
    expect(server.connections).toBeGreaterThan(before);
  });
});

test('A pool that is let go of has no listener of ours left', async () => {
  const names = ['error', 'acquire'];
  const before = names.map((name) => pool.listenerCount(name));
  const ports = open();
  expect(names.map((name) => pool.listenerCount(name))).not.toEqual(before);
  await ports.close?.();
  expect(names.map((name) => pool.listenerCount(name))).toEqual(before);
});
