import { describe, test, afterEach, beforeEach, expect } from '@jest/globals';
import { Pool } from 'pg';
import { runStoreConformance } from '../../../../src/workflow/testing/index.ts';
import { makePostgresStore, runSql, type PostgresUnderTest } from '../make-postgres-store.ts';
import { usePostgres } from '../../../support/services/use-services.ts';
import { sampleEvents, sampleRequest } from '../../../../src/workflow/testing/conformance-case.ts';
import {
  PostgresDatabase,
  PostgresRunStore,
} from '../../../../src/workflow/run-stores/postgres/postgres-run-store.ts';
import { KILLS, killInLanes, seed, TIMEOUT, useCrashChild } from '../crash/kill-in-lanes.ts';

const server = usePostgres();

describe('a run store in PostgreSQL', () => {
  for (const { name, run } of runStoreConformance(() => makePostgresStore(server.url))) test(name, run);
});

const NAME = `toolwright-${process.pid}`;

function failure(code: string): Error {
  return Object.assign(new Error(`failed with ${code}`), { code });
}

describe('PostgreSQL alone', () => {
  let under: PostgresUnderTest;
  let pool: Pool;
  let database: PostgresDatabase;
  /** Of what was made, also where the making ended early; the last one first. */
  const undo: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    under = await makePostgresStore(server.url);
    undo.unshift(() => under.dispose());
    // By this name the test finds its own connections on a server that others use.
    pool = new Pool({ connectionString: under.connectionString, application_name: NAME });
    undo.unshift(async () => {
      pool.on('error', () => {});
      await pool.end();
    });
    database = new PostgresDatabase(async () => pool, false);
    undo.unshift(() => database.close());
    await database.open();
  });

  afterEach(async () => {
    for (const step of undo.splice(0)) await step();
  });

  test('refuses tables that a newer version of the package made', async () => {
    await runSql(under.connectionString, "UPDATE tw_meta SET value = '99' WHERE name = 'schema_version'");
    const store = new PostgresRunStore({ pool });
    await expect(store.init()).rejects.toMatchObject({
      code: 'STORAGE_ERROR',
      details: { operation: 'init', cause: 'SCHEMA_TOO_NEW', version: 99 },
    });
    await store.close();
  });

  test('needs no right to make tables where they are there already', async () => {
    const role = `toolwright_${process.pid}`;
    const own = new URL(under.connectionString);
    const schema = (own.searchParams.get('options') ?? '').replace('-c search_path=', '');
    await runSql(
      under.connectionString,
      `CREATE ROLE ${role}; GRANT ${role} TO CURRENT_USER; GRANT USAGE ON SCHEMA ${schema} TO ${role};
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
    );
    undo.unshift(async () => {
      await runSql(server.url, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
    });
    own.searchParams.set('options', `-c search_path=${schema} -c role=${role}`);
    const store = new PostgresRunStore({ connectionString: own.href });
    undo.unshift(() => store.close());
    await store.init();
    expect(await runSql(own.href, 'SELECT current_user::text AS name')).toEqual([{ name: role }]);
    expect(await store.append(sampleRequest())).toEqual({ ok: true, seq: 1 });
    await expect(runSql(own.href, 'CREATE TABLE extra ()')).rejects.toMatchObject({ code: '42501' });
  });

  test('makes its tables in its own schema although another on the path has some', async () => {
    const elsewhere = await makePostgresStore(server.url);
    undo.unshift(() => elsewhere.dispose());
    const own = new URL(elsewhere.connectionString);
    const schema = `toolwright_own_${process.pid}`;
    await runSql(server.url, `CREATE SCHEMA ${schema}`);
    undo.unshift(async () => {
      await runSql(server.url, `DROP SCHEMA ${schema} CASCADE`);
    });
    const path = own.searchParams.get('options') ?? '';
    own.searchParams.set('options', path.replace('search_path=', `search_path=${schema},`));
    const store = new PostgresRunStore({ connectionString: own.href });
    undo.unshift(() => store.close());
    await store.init();
    await store.append(sampleRequest());
    expect(await elsewhere.store.load('run-1')).toEqual([]);
  });

  test('leaves a pool that it was given open, and takes its listener away', async () => {
    const before = pool.listenerCount('error');
    const store = new PostgresRunStore({ pool });
    await store.init();
    expect(await store.append(sampleRequest())).toEqual({ ok: true, seq: 1 });
    await store.close();
    expect(pool.listenerCount('error')).toBe(before);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test('works again after the server ended its idle connections', async () => {
    const store = new PostgresRunStore({ pool });
    await store.init();
    const removed = new Promise((resolve) => pool.once('remove', resolve));
    await runSql(
      server.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = '${NAME}'`,
    );
    await removed;
    expect(await store.append(sampleRequest())).toEqual({ ok: true, seq: 1 });
    await store.close();
  });

  test('rejects a transaction whose connection broke, writes nothing of it, and works again', async () => {
    const broken = database.transaction(async (session) => {
      await session.query("INSERT INTO tw_definitions (hash, body) VALUES ('sha256:1', '{}')");
      const [row] = await session.query('SELECT pg_backend_pid() AS pid');
      await runSql(server.url, `SELECT pg_terminate_backend(${Number(row?.['pid'])}, 5000)`);
      return session.query('SELECT 1');
    });
    await expect(broken).rejects.toThrow();
    expect(await under.store.getDefinition('sha256:1')).toBeNull();
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(pool.idleCount).toBe(pool.totalCount);
  });

  test.each(['40001', '40P01', '23505'])('does a transaction again that failed with %s', async (code) => {
    let tries = 0;
    const result = await database.transaction(async (session) => {
      tries += 1;
      await session.query('INSERT INTO tw_definitions (hash, body) VALUES ($1, $2)', [
        `sha256:${tries}`,
        '{}',
      ]);
      if (tries <= 3) throw failure(code);
      return 'done';
    });
    expect([result, tries]).toEqual(['done', 4]);
    expect(await database.query('SELECT hash FROM tw_definitions')).toEqual([{ hash: 'sha256:4' }]);
  });

  test('gives up after three repeats, and repeats nothing that will fail again', async () => {
    const tries: string[] = [];
    const fail = (code: string) =>
      database.transaction(async () => {
        tries.push(code);
        throw failure(code);
      });
    await expect(fail('40001')).rejects.toMatchObject({ code: '40001' });
    await expect(fail('23503')).rejects.toMatchObject({ code: '23503' });
    expect(tries).toEqual(['40001', '40001', '40001', '40001', '23503']);
  });

  test('sorts and compares in code units, whatever the database does', async () => {
    const rows = await database.query(
      "SELECT collation_name FROM information_schema.columns WHERE table_schema = current_schema() AND column_name = 'run_id'",
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map((row) => row['collation_name']))).toEqual(new Set(['C']));
  });

  test('says in which operation it failed and with which code, and nothing of the connection', async () => {
    const store = new PostgresRunStore({ connectionString: 'postgres://ann:s3cret@localhost:1/runs' });
    const error: unknown = await store.init().catch((reason: unknown) => reason);
    await store.close();
    expect(error).toMatchObject({
      code: 'STORAGE_ERROR',
      details: { operation: 'init', cause: 'ECONNREFUSED' },
    });
    expect(String(error)).not.toContain('s3cret');
  });

  test('opens one pool for many who ask at once, and asks again after a failure', async () => {
    let asked = 0;
    const late = new PostgresDatabase(async () => {
      asked += 1;
      if (asked === 1) throw new Error('not yet');
      return pool;
    }, false);
    await Promise.all([1, 2].map(() => expect(late.open()).rejects.toThrow('not yet')));
    await Promise.all([late.open(), late.open()]);
    await late.close();
    expect(asked).toBe(2);
  });

  test('keeps events of a run that two stores of one pool append to', async () => {
    const [left, right] = [new PostgresRunStore({ pool }), new PostgresRunStore({ pool })];
    await Promise.all([left.init(), right.init()]);
    await left.append(sampleRequest());
    await right.append(sampleRequest({ expectedSeq: 1 }));
    await left.close();
    expect(await right.load('run-1')).toEqual(sampleEvents(1, 2));
    await right.close();
  });
});

useCrashChild();

test(
  `a process that is killed ${KILLS} times loses and doubles no event in PostgreSQL (TOOLWRIGHT_SEED=${seed})`,
  async () => {
    const { connectionString, dispose } = await makePostgresStore(server.url);
    try {
      expect(await killInLanes(connectionString)).toBeGreaterThan(KILLS);
    } finally {
      await dispose();
    }
  },
  TIMEOUT,
);
