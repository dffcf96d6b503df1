import type { RunSummary, RunSnapshot } from '../../application/ports/run-store.ts';
import type { RunEvent } from '../../domain/run/run-event.ts';
import {
  textOf,
  type SqlSession,
  type SqlValue,
  numberOf,
  type SqlDialect,
  type SqlDatabase,
} from './sql-database.ts';
import { runColumns, type CheckedQuery } from '../rules/run-query.ts';

export async function readSummary(session: SqlSession, runId: string): Promise<RunSummary | null> {
  const [row] = await session.query('SELECT summary FROM tw_runs WHERE run_id = $1', [runId]);
  return row ? (JSON.parse(textOf(row, 'summary')) as RunSummary) : null;
}

export async function readEvents(
  session: SqlSession,
  runId: string,
  fromSeq: number,
): Promise<readonly RunEvent[]> {
  const rows = await session.query(
    'SELECT body FROM tw_events WHERE run_id = $1 AND seq >= $2 ORDER BY seq',
    [runId, fromSeq],
  );
  return rows.map((row) => JSON.parse(textOf(row, 'body')) as RunEvent);
}

export async function readDefinition(session: SqlSession, hash: string): Promise<string | null> {
  const [row] = await session.query('SELECT body FROM tw_definitions WHERE hash = $1', [hash]);
  return row ? textOf(row, 'body') : null;
}

export async function pinSqlDefinition(session: SqlSession, hash: string, json: string): Promise<void> {
  await session.query(
    'INSERT INTO tw_definitions (hash, body) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING',
    [hash, json],
  );
}

/** Two parameters each; SQLite takes 32 766 in one statement. */
const EVENTS_AT_ONCE = 500;

const UPSERT_RUN = `INSERT INTO tw_runs (run_id, tenant, principal, workflow_id, status, seq,
    updated_at, expires_at, folded_goal, folded_workflow_id, summary)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  ON CONFLICT (run_id) DO UPDATE SET tenant = excluded.tenant, principal = excluded.principal,
    workflow_id = excluded.workflow_id, status = excluded.status, seq = excluded.seq,
    updated_at = excluded.updated_at, expires_at = excluded.expires_at, folded_goal = excluded.folded_goal,
    folded_workflow_id = excluded.folded_workflow_id, summary = excluded.summary`;

export async function insertEvents(
  session: SqlSession,
  runId: string,
  events: readonly RunEvent[],
): Promise<void> {
  for (let start = 0; start < events.length; start += EVENTS_AT_ONCE) {
    const values: SqlValue[] = [runId];
    const tuples = events.slice(start, start + EVENTS_AT_ONCE).map((event) => {
      const last = values.push(event.seq, JSON.stringify(event));
      return `($1, $${last - 1}, $${last})`;
    });
    await session.query(`INSERT INTO tw_events (run_id, seq, body) VALUES ${tuples.join(', ')}`, values);
  }
}

export async function upsertRun(session: SqlSession, summary: RunSummary): Promise<void> {
  const columns = runColumns(summary);
  await session.query(UPSERT_RUN, [
    summary.runId,
    columns.tenant,
    columns.principal,
    columns.workflowId,
    columns.status,
    columns.seq,
    columns.updatedAt,
    columns.expiresAt,
    columns.foldedGoal,
    columns.foldedWorkflowId,
    JSON.stringify(summary),
  ]);
}

const UPSERT_SNAPSHOT = `INSERT INTO tw_snapshots (run_id, seq, state) VALUES ($1, $2, $3)
  ON CONFLICT (run_id) DO UPDATE SET seq = excluded.seq, state = excluded.state
  WHERE tw_snapshots.seq <= excluded.seq`;

export async function upsertSnapshot(
  session: SqlSession,
  runId: string,
  { seq, state }: RunSnapshot,
): Promise<void> {
  await session.query(UPSERT_SNAPSHOT, [runId, seq, state]);
}

/** Within a transaction, so that a run that is purged meanwhile leaves none behind. */
export async function putSqlSnapshot(
  session: SqlSession,
  dialect: SqlDialect,
  runId: string,
  snapshot: RunSnapshot,
): Promise<void> {
  if ((await lockRun(session, dialect, runId)) > 0) await upsertSnapshot(session, runId, snapshot);
}

export async function readSnapshot(session: SqlSession, runId: string): Promise<RunSnapshot | null> {
  const [row] = await session.query('SELECT seq, state FROM tw_snapshots WHERE run_id = $1', [runId]);
  return row ? { seq: numberOf(row, 'seq'), state: textOf(row, 'state') } : null;
}

/** @returns the seq of the run, 0 for one that is not there */
export async function lockRun(
  session: SqlSession,
  { forUpdate }: SqlDialect,
  runId: string,
): Promise<number> {
  const [row] = await session.query(`SELECT seq FROM tw_runs WHERE run_id = $1${forUpdate}`, [runId]);
  return row ? numberOf(row, 'seq') : 0;
}

/** One more than the limit, if there are more. */
export async function findRuns(
  session: SqlSession,
  dialect: SqlDialect,
  query: CheckedQuery,
): Promise<readonly RunSummary[]> {
  const values: SqlValue[] = [];
  const place = (value: SqlValue) => `$${values.push(value)}`;
  const conditions = conditionsOf(query, dialect.position, place);
  const rows = await session.query(
    `SELECT summary FROM tw_runs WHERE ${conditions.join(' AND ')}
      ORDER BY updated_at DESC, run_id LIMIT ${place(query.limit + 1)}`,
    values,
  );
  return rows.map((row) => JSON.parse(textOf(row, 'summary')) as RunSummary);
}

export async function findExpiredRuns(
  session: SqlSession,
  before: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await session.query(
    `SELECT run_id FROM tw_runs
      WHERE status NOT IN ('completed', 'cancelled', 'expired') AND expires_at < $1
      ORDER BY expires_at, run_id LIMIT $2`,
    [before, limit],
  );
  return rows.map((row) => textOf(row, 'run_id'));
}

function conditionsOf(
  { tenant, principal, status, workflowId, text, updatedAfter, after }: CheckedQuery,
  position: string,
  place: (value: SqlValue) => string,
): readonly string[] {
  const conditions = [`tenant = ${place(tenant)}`];
  if (principal !== undefined) conditions.push(`principal = ${place(principal)}`);
  if (status !== undefined) conditions.push(`status = ${place(status)}`);
  if (workflowId !== undefined) conditions.push(`workflow_id = ${place(workflowId)}`);
  if (updatedAfter !== undefined) conditions.push(`updated_at > ${place(updatedAfter)}`);
  if (text !== undefined) {
    const part = place(text);
    conditions.push(
      `(${position}(folded_goal, ${part}) > 0 OR ${position}(folded_workflow_id, ${part}) > 0)`,
    );
  }
  if (after !== undefined) {
    const time = place(after.updatedAt);
    conditions.push(`(updated_at < ${time} OR (updated_at = ${time} AND run_id > ${place(after.runId)}))`);
  }
  return conditions;
}

/** In one transaction: few enough that others do not wait for long. */
const AT_ONCE = 200;

/** Not the leases: if the run is imported again, their numbers have to go on. */
const TABLES = ['tw_events', 'tw_idempotency', 'tw_snapshots', 'tw_runs'];

export async function purgeRuns(database: SqlDatabase, before: string): Promise<number> {
  let purged = 0;
  for (;;) {
    const count = await purgeSome(database, before);
    purged += count;
    if (count < AT_ONCE) return purged;
  }
}

async function purgeSome(database: SqlDatabase, before: string): Promise<number> {
  return database.transaction(async (session) => {
    const rows = await session.query(
      `SELECT run_id FROM tw_runs WHERE status IN ('completed', 'cancelled', 'expired') AND updated_at < $1
        ORDER BY run_id LIMIT ${AT_ONCE}${database.dialect.forUpdate}`,
      [before],
    );
    const ids = rows.map((row) => textOf(row, 'run_id'));
    const places = ids.map((_, index) => `$${index + 1}`).join(', ');
    if (ids.length === 0) return 0;
    for (const table of TABLES) await session.query(`DELETE FROM ${table} WHERE run_id IN (${places})`, ids);
    return ids.length;
  });
}

/** One statement, so that of two owners one wins. */
export async function acquireSqlLease(
  database: SqlDatabase,
  runId: string,
  owner: string,
  ttl: number,
): Promise<number | null> {
  const { now } = database.dialect;
  const [row] = await database.query(
    `INSERT INTO tw_leases (run_id, owner, fence, expires_at) VALUES ($1, $2, 1, ${now} + $3)
      ON CONFLICT (run_id) DO UPDATE
        SET owner = excluded.owner, fence = tw_leases.fence + 1, expires_at = excluded.expires_at
        WHERE tw_leases.owner IS NULL OR tw_leases.owner = excluded.owner OR tw_leases.expires_at <= ${now}
      RETURNING fence`,
    [runId, owner, Math.ceil(ttl)],
  );
  return row ? numberOf(row, 'fence') : null;
}

/** The row stays: its number has to go on. */
export async function releaseSqlLease(session: SqlSession, runId: string, owner: string): Promise<void> {
  await session.query('UPDATE tw_leases SET owner = NULL WHERE run_id = $1 AND owner = $2', [runId, owner]);
}

/** Apart from the names that the store itself uses. */
const PREFIX = 'kept:';

export async function keepValue(session: SqlSession, name: string, value: string): Promise<string> {
  await session.query('INSERT INTO tw_meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [
    PREFIX + name,
    value,
  ]);
  const [row] = await session.query('SELECT value FROM tw_meta WHERE name = $1', [PREFIX + name]);
  return row ? textOf(row, 'value') : value;
}
