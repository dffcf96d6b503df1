import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Pool } from 'pg';
import { postgresBackplane } from 'toolwright/postgres';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { PostgresSchema, usePostgresSchema } from '../../support/postgres-backplane.ts';

const database = usePostgresSchema();
const others: PostgresSchema[] = [];
afterAll(async () => {
  for (const other of others) await other.dispose();
});

/** A schema that nobody has migrated. */
function emptySchema(): PostgresSchema {
  const empty = new PostgresSchema(database);
  others.push(empty);
  return empty;
}

const refused = (what: string) => ({
  code: 'TW_BACKPLANE_STORE',
  message: expect.stringContaining(what),
});

describe('tables', () => {
  test('that are missing are named with the command that makes them', async () => {
    const { schema, pool } = emptySchema();
    await expect(database.open('app', { schema, pool })).rejects.toMatchObject(
      refused(`toolwright migrate --url … --schema ${schema}`),
    );
  });

  test('are made once by many who start at the same time, and by running it again', async () => {
    const own = emptySchema();
    const pools = Array.from({ length: 6 }, () => own.newPool());
    const starts = pools.map((pool) => own.open('app', { pool, migrate: 'auto' }));
    const [first] = await Promise.all(starts);
    await first?.store.put('once', 'a', { value: 'kept', ttl: 60_000 });
    await own.migrate();
    expect(await first?.store.get('once', 'a')).toMatchObject({ value: 'kept' });
    expect(await own.run('SELECT number, oldest FROM OWN.version')).toEqual([{ number: 3, oldest: 2 }]);
    await own.closePorts();
  });

  test('of the first version are brought to this one, with all that was in them', async () => {
    const own = emptySchema();
    await own.migrate();
    const kept = 'app text, key text, value text, expires_at bigint';
    await own.run(`DROP TABLE OWN.entries CASCADE; DROP TABLE OWN.task_entries;
      CREATE TABLE OWN.once (${kept}); CREATE TABLE OWN.results (${kept});
      CREATE TABLE OWN.sessions (${kept}, version bigint);
      CREATE TABLE OWN.calls (${kept}, fence bigint, held_until bigint);
      INSERT INTO OWN.once VALUES ('app', 'a', 'answer', 9e15);
      INSERT INTO OWN.calls VALUES ('app', 'a', 'call', 9e15, 7, 0);
      UPDATE OWN.version SET number = 1, oldest = 1`);
    await own.migrate();
    const { store } = await own.open('app');
    expect(await store.get('once', 'a')).toMatchObject({ value: 'answer' });
    expect(await store.get('idempotency', 'a')).toEqual({ value: 'call', version: 7, holdLeft: 0 });
    expect(await own.run("SELECT to_regclass('OWN.calls') AS calls")).toEqual([{ calls: null }]);
    await own.closePorts();
  });

  test('of a newer release are used as long as they fit, and left as they are', async () => {
    const own = emptySchema();
    await own.migrate();
    await own.run('UPDATE OWN.version SET number = 7');
    await own.migrate();
    await own.open('app');
    await own.closePorts();
    expect(await own.run('SELECT number FROM OWN.version')).toEqual([{ number: 7 }]);
    await own.run('UPDATE OWN.version SET oldest = 7');
    await expect(own.open('app')).rejects.toMatchObject(refused('which this release does not know'));
    await own.run('UPDATE OWN.version SET number = 0, oldest = 0');
    await expect(own.open('app')).rejects.toMatchObject(refused('tables of version 0'));
  });

  test('that an earlier release made are refused until they are migrated', async () => {
    const own = emptySchema();
    for (const drop of ['DROP TABLE OWN.task_counts', 'DROP FUNCTION OWN.update_task']) {
      await own.migrate();
      await own.run(drop);
      await expect(own.open('app')).rejects.toMatchObject(refused('not all tables of this release'));
    }
    await own.migrate();
    await own.open('app');
    await own.closePorts();
  });

  test('of two applications, or in two schemas, have nothing in common', async () => {
    const own = emptySchema();
    const one = await database.open('one');
    const others = [await database.open('two'), await own.open('one', { migrate: 'auto' })];
    const written = await one.store.put('once', 'key', { value: 'mine', ttl: 60_000 });
    const { version } = written as { version: number };
    for (const { store } of others) {
      expect(await store.get('once', 'key')).toBeUndefined();
      expect(await store.put('once', 'key', { value: '', ttl: 1, if: version })).toEqual({});
      expect(await store.delete('once', 'key')).toBe(false);
    }
    await own.closePorts();
  });

  test('lose what is expired, a minute later', async () => {
    const app = randomUUID();
    const { ports, pass } = await database.openTimed(app);
    await ports.store.put('once', 'a', { value: 'value', ttl: 1000 });
    await ports.store.put('once', 'b', { value: 'value', ttl: 100_000 });
    await pass(60_999);
    const keys = async () => {
      await database.run('SELECT OWN.sweep(1000)');
      return database.run('SELECT key FROM OWN.entries WHERE app = $1', [app]);
    };
    expect(await keys()).toHaveLength(2);
    await pass(1);
    expect(await keys()).toEqual([{ key: 'b' }]);
  });
});

describe('the application does not start where', () => {
  const roles: string[] = [];
  afterAll(async () => {
    for (const role of roles) await database.run(`DROP ROLE ${role}`);
  });

  /** A role without rights, and a pool that signs in as it. */
  async function newRole() {
    const role = `toolwright_${randomUUID().slice(0, 8)}`;
    await database.run(`CREATE ROLE ${role} LOGIN`);
    roles.push(role);
    const url = new URL(database.url);
    url.searchParams.set('user', role);
    return { role, pool: database.newPool({ connectionString: url.href }) };
  }

  test.each([
    ['transactions only read', 'default_transaction_read_only = on', 'lets this role only read'],
    ['commits are asynchronous', 'synchronous_commit = off', 'commits asynchronously'],
  ])('%s', async (_what, setting, message) => {
    const { role, pool } = await newRole();
    await database.run(`ALTER ROLE ${role} SET ${setting}`);
    await expect(database.open('app', { pool })).rejects.toMatchObject(refused(message));
  });

  test('the role has no rights', async () => {
    const { pool } = await newRole();
    await expect(database.open('app', { pool })).rejects.toMatchObject(refused('denies this role a right'));
    const fresh = emptySchema();
    await expect(postgresBackplane({ pool, schema: fresh.schema }).migrate()).rejects.toMatchObject(
      refused('denies this role a right'),
    );
  });

  test('the database is another one', async () => {
    const pool = database.newPool({ connectionString: database.url.replace('/postgres?', '/nothing?') });
    await expect(database.open('app', { pool })).rejects.toMatchObject(refused('has no such database'));
  });

  test.each([
    [
      'its credentials are wrong',
      Object.assign(new Error('password authentication failed'), { code: '28P01' }),
      'refuses the credentials',
    ],
    [
      'it wants TLS',
      Object.assign(new Error('no pg_hba.conf entry for host, no encryption'), { code: '28000' }),
      'about TLS',
    ],
    ['it has no TLS', new Error('The server does not support SSL connections'), 'about TLS'],
    [
      'its certificate is unknown',
      Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
      'about TLS',
    ],
    ['nobody listens', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  ])('%s', async (_what, error, message) => {
    const fail = async (): Promise<never> => Promise.reject(error);
    const pool = { query: fail, connect: fail, on: () => {}, off: () => {}, end: async () => {} };
    await expect(
      postgresBackplane({ pool }).open({ name: 'app', logger: new MemoryLogger() }),
    ).rejects.toMatchObject({
      ...refused(message),
      cause: error,
    });
  });

  test('it is a standby', async () => {
    const query = async () => ({ rows: [{ is_standby: true }] });
    const pool = {
      query,
      connect: async () => Promise.reject(new Error()),
      on: () => {},
      off: () => {},
      end: async () => {},
    };
    await expect(
      postgresBackplane({ pool }).open({ name: 'app', logger: new MemoryLogger() }),
    ).rejects.toMatchObject(refused('is a standby'));
  });
});

test.each([
  [{}],
  [{ pool: 'postgres://localhost' }],
  [{ pool: new Pool(), schema: 'a"b' }],
  [{ pool: new Pool(), schema: 'A' }],
  [{ pool: new Pool(), migrate: true }],
  [{ pool: new Pool(), listen: {} }],
  [{ pool: new Pool(), table: 'a' }],
])('options like %j are refused', (options) => {
  expect(() => postgresBackplane(options as never)).toThrow(
    expect.objectContaining({ code: 'TW_BACKPLANE_OPTION' }),
  );
});
