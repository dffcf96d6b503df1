import { describe, test, afterEach, beforeEach, expect } from '@jest/globals';
import { createClient } from '@libsql/client';
import { runStoreConformance } from '../../../../src/workflow/testing/index.ts';
import { makeSqliteStore, type SqliteUnderTest } from '../make-sqlite-store.ts';
import { sampleEvents, sampleRequest } from '../../../../src/workflow/testing/conformance-case.ts';
import {
  openSqliteClient,
  type SqliteClient,
  type SqliteClientOptions,
  SqliteDatabase,
  SqliteRunStore,
} from '../../../../src/workflow/run-stores/sqlite/sqlite-run-store.ts';
import { KILLS, killInLanes, seed, TIMEOUT, useCrashChild } from '../crash/kill-in-lanes.ts';

describe('a run store in SQLite', () => {
  for (const { name, run } of runStoreConformance(makeSqliteStore)) test(name, run);
});

/** As if SQLite had been built such that connections are not durable unless they are configured to be. */
async function openLaxClient(options: SqliteClientOptions): Promise<SqliteClient> {
  const client = await openSqliteClient(options);
  const relax = () => client.execute({ sql: 'PRAGMA synchronous = OFF', args: [] });
  await relax();
  return {
    execute: (statement) => client.execute(statement),
    transaction: (mode) => client.transaction(mode),
    async reconnect() {
      await client.reconnect();
      await relax();
    },
    close: () => client.close(),
  };
}

describe('what only SQLite does', () => {
  let under: SqliteUnderTest;

  beforeEach(async () => {
    under = await makeSqliteStore();
  });

  afterEach(() => under.dispose());

  const url = () => `file:${under.file}`;

  test('keeps the settings of its connection, also after a transaction that failed', async () => {
    const database = new SqliteDatabase({ url: url(), timeout: 1234 }, openLaxClient);
    await database.open();
    const read = async (name: string) => Object.values((await database.query(`PRAGMA ${name}`))[0] ?? {})[0];
    const settings = async () => [
      await read('journal_mode'),
      await read('synchronous'),
      await read('busy_timeout'),
    ];
    const before = await settings();
    const broken = database.transaction(async (session) => session.query('SELECT x FROM nowhere'));
    await expect(broken).rejects.toThrow('nowhere');
    const after = await settings();
    await database.close();
    const FULL = 2;
    expect([before, after]).toEqual([
      ['wal', FULL, 1234],
      ['wal', FULL, 1234],
    ]);
  });

  test('takes back all of a transaction that failed', async () => {
    const database = new SqliteDatabase({ url: url(), timeout: 5000 });
    await database.open();
    const broken = database.transaction(async (session) => {
      await session.query("INSERT INTO tw_definitions (hash, body) VALUES ('sha256:1', '{}')");
      throw new Error('no');
    });
    await expect(broken).rejects.toThrow('no');
    await database.close();
    expect(await under.store.getDefinition('sha256:1')).toBeNull();
  });

  test('refuses tables that a newer version of the package made, and leaves them alone', async () => {
    const client = createClient({ url: url() });
    await client.execute("UPDATE tw_meta SET value = '99' WHERE name = 'schema_version'");
    const store = new SqliteRunStore({ url: url() });
    await expect(store.init()).rejects.toMatchObject({
      code: 'STORAGE_ERROR',
      details: { operation: 'init', cause: 'SCHEMA_TOO_NEW', version: 99 },
    });
    await expect(store.load('run-1')).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
    const { rows } = await client.execute("SELECT value FROM tw_meta WHERE name = 'schema_version'");
    client.close();
    await store.close();
    expect(rows[0]?.['value']).toBe('99');
  });

  test('gives up with STORAGE_ERROR while another connection keeps the file locked', async () => {
    const store = new SqliteRunStore({ url: url(), busyTimeout: 5 });
    await store.init();
    const client = createClient({ url: url() });
    const lock = await client.transaction('write');
    await expect(store.append(sampleRequest())).rejects.toMatchObject({
      code: 'STORAGE_ERROR',
      details: { operation: 'append', cause: 'SQLITE_BUSY' },
    });
    expect(await store.load('run-1')).toEqual([]);
    await lock.rollback();
    expect(await store.append(sampleRequest())).toEqual({ ok: true, seq: 1 });
    client.close();
    await store.close();
  });

  test('tries again when the lock is gone in the meantime', async () => {
    const store = new SqliteRunStore({ url: url(), busyTimeout: 1 });
    await store.init();
    const client = createClient({ url: url() });
    const lock = await client.transaction('write');
    const appended = store.append(sampleRequest());
    // The first try is over once the event loop turns: a busy wait blocks it.
    await new Promise(setImmediate);
    await lock.rollback();
    expect(await appended).toEqual({ ok: true, seq: 1 });
    expect(await store.load('run-1')).toEqual(sampleEvents(1, 1));
    client.close();
    await store.close();
  });

  test('refuses a URL that names no file', () => {
    expect(() => new SqliteRunStore({ url: 'libsql://host?authToken=abc' })).toThrow(
      expect.objectContaining({ code: 'TW_WORKFLOW_OPTION', message: expect.not.stringContaining('abc') }),
    );
  });

  test.each([
    '',
    'file:',
    'file::memory:',
    'file::memory:?cache=shared',
    ':memory:',
    'file:?mode=memory',
    'file://',
  ])('refuses %j, of which nothing would be left', (place) => {
    expect(() => new SqliteRunStore({ url: place })).toThrow(
      expect.objectContaining({ code: 'TW_WORKFLOW_OPTION', details: { option: 'url' } }),
    );
  });

  test('refuses a database in memory, in whatever way it is written', async () => {
    const store = new SqliteRunStore({ url: 'file:%3Amemory%3A' });
    await expect(store.init()).rejects.toMatchObject({ code: 'TW_WORKFLOW_OPTION' });
    await store.close();
  });

  test.each([Number.NaN, -1, 0.5, Infinity])('refuses to wait for %p milliseconds', (busyTimeout) => {
    expect(() => new SqliteRunStore({ url: url(), busyTimeout })).toThrow(
      expect.objectContaining({ code: 'TW_WORKFLOW_OPTION', details: { option: 'busyTimeout' } }),
    );
  });

  test('rejects with STORAGE_ERROR and its cause for a directory that is not there', async () => {
    const store = new SqliteRunStore({ url: `${url()}/nowhere/runs.db` });
    await expect(store.init()).rejects.toMatchObject({
      code: 'STORAGE_ERROR',
      details: { operation: 'init', cause: 'SQLITE_CANTOPEN' },
      cause: expect.objectContaining({ message: expect.stringContaining('nowhere') }),
    });
  });

  test('stays closed when it is closed while it opens', async () => {
    const store = new SqliteRunStore({ url: url() });
    const opening = store.init();
    await store.close();
    await opening;
    await expect(store.load('run-1')).rejects.toMatchObject({ details: { cause: 'CLOSED' } });
  });

  test('refuses to be used before it was opened', async () => {
    const store = new SqliteRunStore({ url: url() });
    await expect(store.load('run-1')).rejects.toMatchObject({
      code: 'STORAGE_ERROR',
      details: { operation: 'load', cause: 'NOT_OPEN' },
    });
  });
});

useCrashChild();

test(
  `a process that is killed ${KILLS} times loses and doubles no event in SQLite (TOOLWRIGHT_SEED=${seed})`,
  async () => {
    const { file, dispose } = await makeSqliteStore();
    try {
      expect(await killInLanes(`file:${file}`)).toBeGreaterThan(KILLS);
    } finally {
      await dispose();
    }
  },
  TIMEOUT,
);
