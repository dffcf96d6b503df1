import { expiryOf, type RunState } from '../../domain/run/run-state.ts';
import type { RunSummary } from '../ports/run-store.ts';

/** Its `expiresAt` is when time will change the run next: a confirmation that expires comes before the run. */
export function summaryOfRun(runId: string, state: RunState): RunSummary {
  const { tenant, principal, workflowId, definitionHash, goal, status, seq } = state;
  const { createdAt, updatedAt, confirmation } = state;
  const expiry = expiryOf(state);
  const next = confirmation === null ? expiry : Math.min(expiry, Date.parse(confirmation.expiresAt));
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
    expiresAt: new Date(next).toISOString(),
  };
}
