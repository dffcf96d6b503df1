import type { RunSummary } from '../../application/ports/run-store.ts';
import type { CheckedQuery } from '../rules/run-query.ts';
import { textOf } from './read-column.ts';
import type { SqlDialect, SqlSession, SqlValue } from './sql-database.ts';

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
