import type { WorkflowDefinition } from '../../domain/document/workflow-document.ts';
import { foldEvents } from '../../domain/run/evolve.ts';
import type { RunEvent } from '../../domain/run/run-event.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { AppendResult } from '../ports/run-store.ts';
import type { RequestIdentity } from './request-identity.ts';
import { keyMismatch, runNotFound } from './run-errors.ts';
import type { RunParts } from './run-parts.ts';
import { snapshotOf } from './run-snapshot.ts';
import type { RunView } from './run-view.ts';
import { summaryOfRun } from './summary-of-run.ts';
import { viewOf } from './view-of.ts';

/** Events that were decided on, and what they go on from. */
export interface DecidedChange {
  readonly runId: string;
  readonly definition: WorkflowDefinition;
  /** Null for a new run. */
  readonly state: RunState | null;
  readonly snapshotSeq: number;
  readonly events: readonly RunEvent[];
  /** Without one, a repeat is another request. */
  readonly identity: RequestIdentity | undefined;
}

/** What was answered to the same request before. @throws WorkflowError `IDEMPOTENCY_MISMATCH` */
export async function recordedView(
  { store }: RunParts,
  identity: RequestIdentity | undefined,
): Promise<RunView | undefined> {
  if (identity === undefined) return undefined;
  const recorded = await store.getRecorded(identity.scope, identity.key);
  if (recorded === null) return undefined;
  if (recorded.requestHash !== identity.hash) throw keyMismatch(identity.key);
  return JSON.parse(recorded.response) as RunView;
}

/**
 * Appends the events together with the answer to the request.
 *
 * @returns undefined when somebody else changed the run in between
 * @throws WorkflowError `IDEMPOTENCY_MISMATCH`
 */
export async function recordChange(parts: RunParts, change: DecidedChange): Promise<RunView | undefined> {
  const { runId, definition, state: before, events, identity, snapshotSeq } = change;
  const state = foldEvents(events, before);
  if (state === null) throw runNotFound(runId);
  const response = JSON.stringify(await viewOf(parts, runId, state, definition));
  const result = await parts.store.append({
    runId,
    expectedSeq: before?.seq ?? 0,
    events,
    ...(identity !== undefined && {
      idempotencyKey: identity.key,
      idempotencyScope: identity.scope,
      requestHash: identity.hash,
      response,
    }),
    summary: summaryOfRun(runId, state),
    ...(state.seq - snapshotSeq >= parts.limits.snapshotEvery && { snapshot: snapshotOf(state) }),
  });
  return answerOf(result, response, identity);
}

function answerOf(
  result: AppendResult,
  response: string,
  identity: RequestIdentity | undefined,
): RunView | undefined {
  if ('conflict' in result) return undefined;
  if ('mismatch' in result) throw keyMismatch(identity?.key ?? '');
  return JSON.parse('duplicate' in result ? result.response : response) as RunView;
}
