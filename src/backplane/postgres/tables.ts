import { limitSql, slotSql } from './counting-sql.ts';
import { storeSql } from './store-sql.ts';
import { addTaskSql, taskEntriesSql, taskFunctionsSql, taskSql } from './task-sql.ts';

/** The version of the tables that this release works with. */
export const VERSION = 3;

/**
 * What makes the tables, for `psql` and for us: it can run again, and several at once wait for each other. Tables of a
 * newer release stay as they are. Times are milliseconds since 1970 by the clock of the database.
 * @param schema quoted
 */
export function migrationScript(schema: string): string {
  return `BEGIN;
SELECT pg_advisory_xact_lock(hashtextextended('${schema} migrate', 0));
-- Not IF NOT EXISTS, for which even a schema that exists needs the right to create one
DO $do$ BEGIN
  IF to_regnamespace('${schema}') IS NULL THEN CREATE SCHEMA ${schema}; END IF;
END $do$;
CREATE TABLE IF NOT EXISTS ${schema}.version (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- Of the tables, and of the oldest ones that a release may know to work with them
  number integer NOT NULL,
  oldest integer NOT NULL
);
INSERT INTO ${schema}.version (number, oldest) VALUES (0, 0) ON CONFLICT DO NOTHING;
DO $do$ BEGIN
  IF (SELECT number FROM ${schema}.version) < 1 THEN
${indented(firstVersion(schema))}
    UPDATE ${schema}.version SET number = 1, oldest = 1;
  END IF;
  IF (SELECT number FROM ${schema}.version) < 2 THEN
${indented(secondVersion(schema))}
    UPDATE ${schema}.version SET number = 2, oldest = 2;
  END IF;
  IF (SELECT number FROM ${schema}.version) < 3 THEN
${indented(taskEntriesSql(schema))}
    UPDATE ${schema}.version SET number = 3;
  END IF;
  -- Releases that know nothing of these work as well
  IF to_regclass('${schema}.audit') IS NULL THEN
${indented(audit(schema))}
  END IF;
  IF to_regclass('${schema}.task_counts') IS NULL THEN
${indented(addTaskSql(schema))}
  END IF;
  IF to_regproc('${schema}.update_task') IS NULL THEN
${indented(taskFunctionsSql(schema))}
  END IF;
END $do$;
COMMIT;
`;
}

function indented(sql: string): string {
  return sql.replace(/^(?=.)/gm, '    ');
}

/** Text is compared by its bytes, so that every session locks keys in the same order. */
function firstVersion(schema: string): string {
  return `CREATE FUNCTION ${schema}.clock() RETURNS bigint LANGUAGE sql VOLATILE
  AS $$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;
-- Numbers that only grow
CREATE SEQUENCE ${schema}.numbers;

CREATE TABLE ${schema}.events (app text COLLATE "C" NOT NULL, stream_key text COLLATE "C" NOT NULL,
  id bigint NOT NULL DEFAULT nextval('${schema}.numbers'), stream text NOT NULL, session text COLLATE "C",
  message text NOT NULL, expires_at bigint NOT NULL, PRIMARY KEY (app, stream_key, id));
CREATE INDEX events_of_session ON ${schema}.events (app, session);
CREATE TABLE ${schema}.notices (id bigint PRIMARY KEY DEFAULT nextval('${schema}.numbers'),
  value text NOT NULL, expires_at bigint NOT NULL);

${publishing(schema)}
${taskSql(schema)}
${limitSql(schema)}
${slotSql(schema)}
${sweeping(schema)}`;
}

/** What the first version had in tables of their own. */
const FORMER: readonly (readonly [table: string, collection: string, columns: string])[] = [
  ['once', 'once', "nextval('{schema}.numbers'), 0"],
  ['results', 'results', "nextval('{schema}.numbers'), 0"],
  ['sessions', 'sessions', "nextval('{schema}.numbers'), 0"],
  ['calls', 'idempotency', 'fence, held_until'],
];

function secondVersion(schema: string): string {
  const moves = FORMER.map(
    ([table, collection, columns]) => `IF to_regclass('${schema}.${table}') IS NOT NULL THEN
  INSERT INTO ${schema}.entries (app, collection, key, value, version, held_until, expires_at)
    SELECT app, '${collection}', key, value, ${columns.replace('{schema}', schema)}, expires_at FROM ${schema}.${table};
  DROP TABLE ${schema}.${table};
END IF;`,
  );
  return `${storeSql(schema)}
${moves.join('\n')}
${sweepSql(schema)}`;
}

/** A notice has at most 7999 bytes; of a longer text, it carries the number of a row. */
function publishing(schema: string): string {
  return `CREATE FUNCTION ${schema}.publish(channels text[], texts text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  notice_id bigint;
BEGIN
  FOR i IN 1 .. cardinality(channels) LOOP
    IF octet_length(texts[i]) <= 7900 THEN
      -- Of equal notices in one transaction, only one would arrive
      PERFORM pg_notify(channels[i], 't' || i || ':' || texts[i]);
    ELSE
      INSERT INTO ${schema}.notices (value, expires_at) VALUES (texts[i], ${schema}.clock())
        RETURNING id INTO notice_id;
      PERFORM pg_notify(channels[i], 'n' || notice_id);
    END IF;
  END LOOP;
END $$;
`;
}

/** Takes new rows only. Who prunes has to own the function, and says so to the trigger. */
function audit(schema: string): string {
  return `CREATE TABLE ${schema}.audit (position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  app text COLLATE "C" NOT NULL, chain text COLLATE "C" NOT NULL, seq bigint NOT NULL, record text NOT NULL,
  UNIQUE (app, chain, seq));
CREATE INDEX audit_of_app ON ${schema}.audit (app, position);

CREATE FUNCTION ${schema}.keep_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('toolwright.prunes_audit', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'Records of an audit are neither changed nor removed';
END $$;
CREATE TRIGGER keep_audit BEFORE UPDATE OR DELETE OR TRUNCATE ON ${schema}.audit
  FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.keep_audit();

CREATE FUNCTION ${schema}.prune_audit(of_app text, of_chain text, before bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  removed bigint;
BEGIN
  PERFORM set_config('toolwright.prunes_audit', 'on', true);
  DELETE FROM ${schema}.audit WHERE app = of_app AND chain = of_chain AND seq < before;
  GET DIAGNOSTICS removed = ROW_COUNT;
  PERFORM set_config('toolwright.prunes_audit', 'off', true);
  RETURN removed;
END $$;
REVOKE EXECUTE ON FUNCTION ${schema}.prune_audit FROM PUBLIC;
`;
}

const EXPIRING = ['events', 'notices', 'tasks', 'limits', 'slots', 'slot_waits'];

function sweeping(schema: string): string {
  return EXPIRING.map((table) => `CREATE INDEX ${table}_expire ON ${schema}.${table} (expires_at);`).join(
    '\n',
  );
}

/**
 * A minute later than they may: what is expired counts as gone already, and a statement that is about to put a row
 * where there was none has given up until then.
 */
function sweepSql(schema: string): string {
  const tables = ['entries', ...EXPIRING].map((table) => `'${table}'`).join(', ');
  return `-- Deletes what is expired, so much of each table at most; the most that it deleted of one
CREATE OR REPLACE FUNCTION ${schema}.sweep(most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  before bigint := ${schema}.clock() - 60000;
  name text;
  deleted integer;
  largest integer := 0;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('${schema} sweep', 0)) THEN RETURN 0; END IF;
  FOREACH name IN ARRAY ARRAY[${tables}] LOOP
    EXECUTE format('DELETE FROM ${schema}.%I WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${schema}.%I
      WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED))', name, name) USING before, most;
    GET DIAGNOSTICS deleted = ROW_COUNT;
    largest := greatest(largest, deleted);
  END LOOP;
  RETURN largest;
END $$;`;
}
