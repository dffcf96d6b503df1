import { dueOf, type RunState } from '../../domain/run/run-state.ts';
import type { RunSummary } from '../ports/run-store.ts';

/** Its `expiresAt` is when time changes the run next. */
export function summaryOfRun(runId: string, state: RunState): RunSummary {
  const { tenant, principal, workflowId, definitionHash, goal, status, seq } = state;
  const { createdAt, updatedAt } = state;
  return {
    runId,
    tenant,
    principal,
    workflowId,
    definitionHash,
    ...(goal !== undefined && { goal }),
    status,
    seq,
    createdAt,
    updatedAt,
    expiresAt: new Date(dueOf(state)).toISOString(),
  };
}
