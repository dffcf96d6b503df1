import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Pool } from 'pg';
import { postgresBackplane } from 'toolwright/postgres';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { codeOf, openTill, replayOf } from '../../support/payments.ts';
import { until, usePostgresSchema, type Ports } from '../../support/postgres-backplane.ts';
import { OwnPostgres } from '../../support/services/own-postgres.ts';

const database = usePostgresSchema();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const rate = { key: 'a', cost: 1, limit: 1000, per: 60_000, burst: 1000 };
const slot = { key: 'a', limit: 100, queueSize: 0, queueTimeout: 0 };

const claim = { value: 'kept', ttl: 600_000, hold: 600_000, if: 'absent' } as const;

/** A use of every port that PostgreSQL has to answer; what was refused, and why. */
async function refusals(ports: Ports): Promise<readonly string[]> {
  const uses: readonly unknown[] = [
    ports.bus.publish('channel', 'text'),
    ports.store.get('sessions', 'session', { keep: 1000 }),
    ports.events.storeEvent('stream', {}),
    ports.store.put('once', 'answer', { value: 'x', ttl: 1000 }),
    ports.store.get('idempotency', 'call'),
    ports.tasks.get('task'),
    ports.counter.charge([rate]),
    ports.slots.take([slot], () => undefined),
    ports.store.delete('results', 'result'),
  ];
  const outcomes = await Promise.allSettled(uses.map(async (use) => use));
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
}

const answers = async (ports: Ports): Promise<boolean> => (await refusals(ports)).length === 0;

/** A server of its own, with an instance that has four connections. */
async function openOwn() {
  const server = await OwnPostgres.start();
  const pool = new Pool({ connectionString: server.url, max: 4 });
  pool.on('error', () => {});
  const logger = new MemoryLogger();
  const ports = (await postgresBackplane({ pool, migrate: 'auto' }).open({ name: 'app', logger })) as Ports;
  const levels = () => logger.records.map(({ level }) => level);
  closing.push(
    () => server[Symbol.asyncDispose](),
    () => pool.end(),
    () => ports.close(),
    () => server.resume(),
  );
  return { server, ports, levels };
}

describe('a PostgreSQL that fails', () => {
  test('hangs: every use is refused by its deadline, then at once, and works again by itself', async () => {
    const { server, ports, levels } = await openOwn();
    await server.suspend();
    const first = await refusals(ports);
    expect(first).toHaveLength(9);
    for (const refusal of first) expect(refusal).toMatch(/did not answer within 1000 ms/);
    await refusals(ports);
    expect(await refusals(ports)).toContain('Error: PostgreSQL does not answer');
    expect(levels()).toEqual(['error']);
    await server.resume();
    await until(() => answers(ports));
    expect(levels().at(-1)).toBe('notice');
  });

  test('is killed and starts again: uses are refused until then, and what was kept is there', async () => {
    const { server, ports } = await openOwn();
    let gaps = 0;
    const heard: string[] = [];
    await ports.bus.subscribe('channel', (text) => heard.push(text));
    ports.bus.onGap(() => (gaps += 1));
    const { store } = ports;
    const { version } = (await store.put('idempotency', 'call', claim)) as { version: number };
    await server.kill();
    expect(await refusals(ports)).toHaveLength(9);
    await server.restart();
    await until(() => answers(ports));
    await until(() => gaps > 0);
    expect(await store.put('idempotency', 'call', claim)).toMatchObject({
      refused: { value: 'kept', version },
    });
    const next = await store.put('idempotency', 'call', { ...claim, if: version });
    expect(Object.values(next)[0]).toBeGreaterThan(version);
    await ports.bus.publish('channel', 'after');
    await until(() => heard.includes('after'));
  });

  test('fails over: a payment that was acknowledged is not made twice, and one in doubt is not made again', async () => {
    const server = await OwnPostgres.start();
    closing.push(() => server[Symbol.asyncDispose]());
    const open = async () => {
      const pool = new Pool({ connectionString: server.url });
      pool.on('error', () => {});
      const backplane = postgresBackplane({ pool, migrate: 'auto' });
      const till = await openTill(undefined, {
        name: 'till',
        backplane,
        secrets: ['a secret of thirty-two bytes or more'],
      });
      closing.push(
        () => pool.end(),
        () => till.app.close(),
      );
      return till;
    };
    const [one, other] = [await open(), await open()];
    const paid = await one.pay('first');
    one.till.after = () => server.kill().then(() => 'paid');
    await one.pay('second');
    expect(codeOf(await other.pay('third'))).toBe('TRY_AGAIN_LATER');
    await server.restart();
    // Each time with another key: a claim that was given up may have been made all the same, and its key is in doubt then
    let tries = 0;
    await until(async () => codeOf(await other.pay(`later-${String((tries += 1))}`)) === undefined);
    const again = await other.pay('first');
    expect(again.content).toEqual(paid.content);
    expect(replayOf(again)).toMatchObject({ replayed: true });
    expect(['OUTCOME_UNKNOWN', 'IDEMPOTENCY_IN_PROGRESS']).toContain(codeOf(await other.pay('second')));
    expect(one.till.effects.map(({ key }) => key)).toEqual(['first', 'second']);
    const late = other.till.effects.map(({ key }) => key);
    expect([late.at(-1), new Set(late).size]).toEqual([`later-${String(tries)}`, late.length]);
  });
});

describe('a statement that hangs', () => {
  test('loses its connection, and others go on', async () => {
    const app = randomUUID();
    const pool = database.newPool({ application_name: app });
    const ports = await database.open(app, { pool });
    await ports.store.put('idempotency', 'a', claim);
    const locker = await database.pool.connect();
    await locker.query('BEGIN');
    await locker.query(`SELECT FROM ${database.schema}.entries WHERE app = $1 FOR UPDATE`, [app]);
    const hanging = ports.store.put('idempotency', 'a', claim);
    expect(await ports.store.put('once', 'a', claim)).toHaveProperty('version');
    await expect(hanging).rejects.toThrow('did not answer within 1000 ms');
    await locker.query('ROLLBACK');
    locker.release();
    expect(await ports.store.get('idempotency', 'a')).toBeDefined();
    expect(pool.waitingCount).toBe(0);
  });

  test('of all connections at once does not keep those that come later from new ones', async () => {
    const app = randomUUID();
    const pool = database.newPool({ application_name: app });
    const ports = await database.open(app, { pool });
    await database.run('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
      app,
    ]);
    await until(() => answers(ports));
    expect(await ports.store.put('once', 'a', claim)).toHaveProperty('version');
  });
});
