import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import type { RunSummary } from '../../application/ports/run-store.ts';

/** What of a summary is compared in queries; the summary itself is kept as JSON text. */
export interface RunColumns {
  readonly tenant: string;
  readonly principal: string;
  readonly workflowId: string;
  readonly status: string;
  readonly seq: number;
  readonly updatedAt: string;
  readonly expiresAt: string;
  /** Goal and workflow id as texts are searched in, so that every database agrees on letter case. */
  readonly foldedGoal: string;
  readonly foldedWorkflowId: string;
}

export function runColumns(summary: RunSummary): RunColumns {
  return {
    tenant: summary.tenant,
    principal: summary.principal,
    workflowId: summary.workflowId,
    status: summary.status,
    seq: summary.seq,
    updatedAt: instant('updatedAt', summary.updatedAt),
    expiresAt: instant('expiresAt', summary.expiresAt),
    foldedGoal: foldCase(summary.goal ?? ''),
    foldedWorkflowId: foldCase(summary.workflowId),
  };
}

/** Upper case, since the lower case of a sigma depends on what follows it. */
export function foldCase(text: string): string {
  return text.toUpperCase().replaceAll(/[\0\p{Surrogate}]/gu, '\u{FFFD}');
}

const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** The one spelling of a time whose order as text is its order in time, which years of other lengths would break. */
export function instant(field: string, text: string): string {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return new Date(Math.min(Math.max(time, FIRST), LAST)).toISOString();
  throw new WorkflowError('INVALID_PARAMS', {
    where: field,
    message: `${field} should be a time in ISO 8601.`,
    details: { field },
  });
}
