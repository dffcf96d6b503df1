import {
  filledText,
  objectWith,
  required,
  rule,
  secret,
  type OptionRule,
  type OptionRules,
} from '../../../shared/option-rules.ts';
import { refuseWorkflowOptions } from '../../application/options.ts';
import { CheckedRunStore } from '../checked-run-store.ts';
import { SqlRuns } from '../sql/sql-runs.ts';
import { importPackage } from '../store-failures.ts';
import { codeOf } from '../../../shared/error-shape.ts';
import { ignoreBroken, type PostgresClient, type PostgresPool } from '../../../shared/postgres-pool.ts';
import {
  type SqlRow,
  type SqlDialect,
  type SqlDatabase,
  type SqlSession,
  type SqlValue,
  withRetries,
} from '../sql/sql-database.ts';
import { OnceMade } from '../../../shared/once-made.ts';

/** Where the database is. */
export type PostgresRunStoreOptions =
  /** The store makes a pool, and ends it in `close`. */
  | { readonly connectionString: string }
  /** A `Pool` of `pg`, which the store leaves open. */
  | { readonly pool: PostgresPool };

type Members = OptionRules<{ connectionString: string; pool: PostgresPool }>;

const poolRule = objectWith('a Pool of `pg`', 'connect', 'query', 'on', 'end');
/** It may have a password. */
const connectionRule: OptionRule = secret(filledText);

export const CONNECTION_RULES: Members = { connectionString: required(connectionRule), pool: poolRule };
const POOL_RULES: Members = {
  connectionString: secret(rule('left out where there is a pool', () => false)),
  pool: required(poolRule),
};

/**
 * Keeps runs in PostgreSQL, through the optional package `pg`: for servers on many machines. The tables are made in
 * the schema that comes first on the search path.
 *
 * @throws WorkflowError `TW_WORKFLOW_OPTION`; `init` rejects with `TW_WORKFLOW_STORE_MISSING` without the package
 *
 * @example
 * const store = new PostgresRunStore({ connectionString: 'postgres://localhost/runs' });
 * await store.init();
 */
export class PostgresRunStore extends CheckedRunStore {
  /** Checks the options; `init` connects. */
  constructor(options: PostgresRunStoreOptions) {
    const isPool = 'pool' in options;
    refuseWorkflowOptions('new PostgresRunStore()', options, isPool ? POOL_RULES : CONNECTION_RULES);
    const connect = async () => (isPool ? options.pool : makePool(options.connectionString));
    super(new SqlRuns(new PostgresDatabase(connect, !isPool)));
  }
}

async function makePool(connectionString: string): Promise<PostgresPool> {
  const { Pool } = await importPackage('pg', () => import('pg'));
  return new Pool({ connectionString });
}

/** Serialization failure, deadlock, and a primary key that somebody else took in between. */
const TRANSIENT = new Set(['40001', '40P01', '23505']);

function isTransient(error: unknown): boolean {
  return TRANSIENT.has(codeOf(error) ?? '');
}

/** Of the advisory lock: "twright" in ASCII, which nothing else will have taken. */
const SCHEMA_LOCK = '32782430576797812';

const postgresDialect: SqlDialect = Object.freeze({
  text: 'text COLLATE "C"',
  forUpdate: ' FOR UPDATE',
  position: 'strpos',
  findMeta: `SELECT tablename FROM pg_tables
    WHERE schemaname = current_schema() AND tablename = 'tw_meta'`,
  now: '(extract(epoch FROM clock_timestamp()) * 1000)::bigint',
  lockSchema: `SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`,
});

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
