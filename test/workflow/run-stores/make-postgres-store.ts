import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import type { StoreUnderTest } from '../../../src/workflow/testing/conformance-case.ts';
import { PostgresRunStore } from '../../../src/workflow/run-stores/postgres/postgres-run-store.ts';

export interface PostgresUnderTest extends StoreUnderTest {
  /** Leads to a schema of its own. */
  readonly connectionString: string;
}

/** Stores in one schema of the database. */
export async function makePostgresStore(url: string): Promise<PostgresUnderTest> {
  const schema = `toolwright_${randomBytes(6).toString('hex')}`;
  await runSql(url, `CREATE SCHEMA ${schema}`);
  const own = new URL(url);
  own.searchParams.set('options', `-c search_path=${schema}`);
  const stores: PostgresRunStore[] = [];
  const another = async () => {
    const store = new PostgresRunStore({ connectionString: own.href });
    stores.push(store);
    await store.init();
    return store;
  };
  const dispose = async () => {
    for (const store of stores) await store.close();
    await runSql(url, `DROP SCHEMA ${schema} CASCADE`);
  };
  return { connectionString: own.href, store: await another(), reopen: another, second: another, dispose };
}

export async function runSql(url: string, sql: string): Promise<unknown[]> {
  const pool = new Pool({ connectionString: url, max: 1 });
  // It may still be closing its connection when the server is stopped.
  pool.on('error', () => {});
  try {
    return (await pool.query<object>(sql)).rows;
  } finally {
    await pool.end();
  }
}
