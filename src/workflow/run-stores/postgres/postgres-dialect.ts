import type { SqlDialect } from '../sql/sql-database.ts';

/** Of the advisory lock: "twright" in ASCII, which nothing else will have taken. */
const SCHEMA_LOCK = '32782430576797812';

export const postgresDialect: SqlDialect = Object.freeze({
  text: 'text COLLATE "C"',
  forUpdate: ' FOR UPDATE',
  position: 'strpos',
  findMeta: `SELECT tablename FROM pg_tables
    WHERE schemaname = current_schema() AND tablename = 'tw_meta'`,
  now: '(extract(epoch FROM clock_timestamp()) * 1000)::bigint',
  lockSchema: `SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`,
});
