import type { RunSummary } from '../../application/ports/run-store.ts';
import type { RunEvent } from '../../domain/run/run-event.ts';
import { runColumns } from '../rules/run-columns.ts';
import type { SqlSession, SqlValue } from './sql-database.ts';

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
