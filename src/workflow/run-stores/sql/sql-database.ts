import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowError } from '../../domain/errors/workflow-error.ts';

export type SqlValue = string | number | null;

export type SqlRow = Readonly<Record<string, unknown>>;

/** Where statements run. Parameters are `$1`, `$2` and so on. */
export interface SqlSession {
  query(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
}

/** The differences between the SQL dialects. */
export interface SqlDialect {
  /** The type of text compared by code units. */
  readonly text: string;
  /** The suffix of a SELECT that locks its rows until the transaction ends. */
  readonly forUpdate: string;
  /** The function for the position of its second argument in the first; 0 if absent. */
  readonly position: string;
  /** The time of the database, in milliseconds since 1970. */
  readonly now: string;
  /** Returns a row if `tw_meta` exists where new tables are created. */
  readonly findMeta: string;
  /** Locks out other processes during a migration, until the transaction ends, if BEGIN does not. */
  readonly lockSchema?: string;
}

/** A database. Each statement outside of `transaction` is a transaction of its own. */
export interface SqlDatabase extends SqlSession {
  readonly dialect: SqlDialect;
  /** Connects, at most once. Can be called again after a failure. */
  open(): Promise<void>;
  /** Commits all of the work or none of it. Work that conflicts with other work is retried. */
  transaction<Result>(work: (session: SqlSession) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export function textOf(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`The column ${column} should be a text.`);
  return value;
}

/** Some drivers return integers as text. */
export function numberOf(row: SqlRow, column: string): number {
  return Number(row[column]);
}

const RETRIES = 3;
const STEP = 25;

/** Retries work that failed on a conflict, with growing random delays. */
export async function withRetries<Result>(
  work: () => Promise<Result>,
  isTransient: (error: unknown) => boolean,
): Promise<Result> {
  for (let retry = 1; ; retry += 1) {
    try {
      return await work();
    } catch (error) {
      if (retry > RETRIES || !isTransient(error)) throw error;
      await sleep(STEP * retry * (0.5 + Math.random()));
    }
  }
}

const VERSION = 'schema_version';

/** Migrates the tables to the version of the code, in one transaction. Does not write to current tables. */
export async function migrate(database: SqlDatabase): Promise<void> {
  const { dialect } = database;
  // A role that may only use the tables can neither lock nor create them
  if (await isCurrent(database)) return;
  await database.transaction(async (session) => {
    if (dialect.lockSchema !== undefined) await session.query(dialect.lockSchema);
    await session.query(
      `CREATE TABLE IF NOT EXISTS tw_meta (name ${dialect.text} PRIMARY KEY, value text NOT NULL)`,
    );
    const version = await readVersion(session);
    for (const migration of migrations.slice(version)) {
      for (const statement of migration(dialect)) await session.query(statement);
    }
    await session.query(
      'INSERT INTO tw_meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      [VERSION, String(migrations.length)],
    );
  });
}

async function isCurrent(database: SqlDatabase): Promise<boolean> {
  const [meta] = await database.query(database.dialect.findMeta);
  return meta !== undefined && (await readVersion(database)) === migrations.length;
}

/** @throws WorkflowError `STORAGE_ERROR` for a version that is newer than the code */
async function readVersion(session: SqlSession): Promise<number> {
  const [row] = await session.query('SELECT value FROM tw_meta WHERE name = $1', [VERSION]);
  const version = row ? numberOf(row, 'value') : 0;
  if (version > migrations.length) throw tooNew(version);
  return version;
}

function tooNew(version: number): WorkflowError {
  return new WorkflowError('STORAGE_ERROR', {
    where: 'the run store, in init',
    message: `The tables have version ${version}; this version of the package knows ${migrations.length}.`,
    details: { operation: 'init', cause: 'SCHEMA_TOO_NEW', version, known: migrations.length },
    suggestions: ['update toolwright'],
  });
}

type Migration = (dialect: SqlDialect) => readonly string[];

const tables: Migration = ({ text }) => [
  `CREATE TABLE tw_runs (
    run_id ${text} PRIMARY KEY,
    tenant ${text} NOT NULL,
    principal ${text} NOT NULL,
    workflow_id ${text} NOT NULL,
    status ${text} NOT NULL,
    seq integer NOT NULL,
    updated_at ${text} NOT NULL,
    expires_at ${text} NOT NULL,
    folded_goal text NOT NULL,
    folded_workflow_id text NOT NULL,
    summary text NOT NULL
  )`,
  'CREATE INDEX tw_runs_newest ON tw_runs (tenant, updated_at DESC, run_id)',
  'CREATE INDEX tw_runs_status ON tw_runs (status, expires_at)',
  `CREATE TABLE tw_events (
    run_id ${text} NOT NULL,
    seq integer NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (run_id, seq)
  )`,
  `CREATE TABLE tw_idempotency (
    scope ${text} NOT NULL,
    idempotency_key ${text} NOT NULL,
    run_id ${text} NOT NULL,
    request_hash text NOT NULL,
    response text NOT NULL,
    PRIMARY KEY (scope, idempotency_key)
  )`,
  'CREATE INDEX tw_idempotency_run ON tw_idempotency (run_id)',
  `CREATE TABLE tw_definitions (hash ${text} PRIMARY KEY, body text NOT NULL)`,
  `CREATE TABLE tw_snapshots (run_id ${text} PRIMARY KEY, seq integer NOT NULL, state text NOT NULL)`,
  `CREATE TABLE tw_leases (
    run_id ${text} PRIMARY KEY,
    owner ${text},
    fence bigint NOT NULL,
    expires_at bigint NOT NULL
  )`,
];

/** Each leads to the next version of the schema. Never change a released migration; add another one. */
const migrations: readonly Migration[] = Object.freeze([tables]);
