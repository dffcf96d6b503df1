import type { RunSummary } from '../../application/ports/run-store.ts';
import type { RunColumns } from '../rules/run-columns.ts';
import type { CheckedQuery } from '../rules/run-query.ts';
import type { KeptRun } from './memory-run-data.ts';

type Entry = readonly [runId: string, run: KeptRun];

export function compareText(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

function newestFirst([leftId, left]: Entry, [rightId, right]: Entry): number {
  return compareText(right.columns.updatedAt, left.columns.updatedAt) || compareText(leftId, rightId);
}

function isAfter(after: NonNullable<CheckedQuery['after']>, runId: string, columns: RunColumns): boolean {
  return columns.updatedAt === after.updatedAt ? runId > after.runId : columns.updatedAt < after.updatedAt;
}

function matches(query: CheckedQuery, runId: string, columns: RunColumns): boolean {
  const { tenant, principal, status, workflowId, text, updatedAfter, after } = query;
  const conditions = [
    columns.tenant === tenant,
    principal === undefined || columns.principal === principal,
    status === undefined || columns.status === status,
    workflowId === undefined || columns.workflowId === workflowId,
    text === undefined || columns.foldedGoal.includes(text) || columns.foldedWorkflowId.includes(text),
    updatedAfter === undefined || columns.updatedAt > updatedAfter,
    after === undefined || isAfter(after, runId, columns),
  ];
  return conditions.every(Boolean);
}

/** One more than the limit, if there are more. */
export function queryMemory(runs: ReadonlyMap<string, KeptRun>, query: CheckedQuery): readonly RunSummary[] {
  return [...runs]
    .filter(([runId, { columns }]) => matches(query, runId, columns))
    .sort(newestFirst)
    .slice(0, query.limit + 1)
    .map(([, { summary }]) => JSON.parse(summary) as RunSummary);
}
