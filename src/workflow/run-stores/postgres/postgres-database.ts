import type { SqlDatabase, SqlRow, SqlSession, SqlValue } from '../sql/sql-database.ts';
import { OnceMade } from '../../../shared/once-made.ts';
import { withRetries } from '../sql/with-retries.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { ignoreBroken, isTransient, type PostgresClient, type PostgresPool } from './postgres-pool.ts';

interface OpenPool {
  readonly pool: PostgresPool;
  readonly detach: () => void;
}

/** A pool of connections; a transaction has one of its own. */
export class PostgresDatabase implements SqlDatabase {
  readonly dialect = postgresDialect;
  readonly #open: OnceMade<OpenPool>;
  readonly #ownsPool: boolean;

  constructor(connect: () => Promise<PostgresPool>, ownsPool: boolean) {
    this.#ownsPool = ownsPool;
    this.#open = new OnceMade(async () => {
      const pool = await connect();
      return { pool, detach: ignoreBroken(pool) };
    });
  }

  async open(): Promise<void> {
    await this.#open.get();
  }

  async query(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    const { pool } = await this.#open.get();
    return withRetries(async () => (await pool.query(sql, [...(values ?? [])])).rows, isTransient);
  }

  async transaction<Result>(work: (session: SqlSession) => Promise<Result>): Promise<Result> {
    const { pool } = await this.#open.get();
    return withRetries(async () => attempt(await pool.connect(), work), isTransient);
  }

  async close(): Promise<void> {
    const open = await this.#open.take();
    // Connections of a pool that has ended are still closing: they may break, so its listener stays.
    if (this.#ownsPool) await open?.pool.end();
    else open?.detach();
  }
}

async function attempt<Result>(
  client: PostgresClient,
  work: (session: SqlSession) => Promise<Result>,
): Promise<Result> {
  const detach = ignoreBroken(client);
  let isBroken = false;
  try {
    // Each statement has to see what was committed before it: the second look of an append depends on that.
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    const result = await work(sessionOf(client));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    isBroken = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    );
    throw error;
  } finally {
    detach();
    client.release(isBroken);
  }
}

function sessionOf(client: PostgresClient): SqlSession {
  return {
    async query(sql, values = []) {
      return (await client.query(sql, [...values])).rows;
    },
  };
}
