import type { SqlDialect } from './sql-database.ts';

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

/** Each one leads to the next version of the schema. What was released is never changed, only followed. */
export const migrations: readonly Migration[] = Object.freeze([tables]);
