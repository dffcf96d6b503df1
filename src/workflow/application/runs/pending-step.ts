import type { WorkflowContext } from '../../domain/conditions/condition.ts';
import { findStep } from '../../domain/document/workflow-document.ts';
import type { RunEvent, RunEventOf, StepRef } from '../../domain/run/run-event.ts';
import { refOf } from '../../domain/run/run-state.ts';
import { loadRun } from './load-run.ts';
import type { RunParts } from './run-parts.ts';
import { stateNow } from './view-of.ts';

/** A step that waits for a user, with all that a user has to see before deciding. */
export interface PendingStep extends StepRef {
  readonly runId: string;
  /**
   * Names the question, as long as it waits: for `expectedSeq` of the decision, so that it cannot be taken for an
   * answer to a later one.
   */
  readonly seq: number;
  readonly workflowId: string;
  readonly goal?: string;
  readonly title: string;
  /** What the agent handed in; absent for a loop that is yet to begin. */
  readonly output?: string;
  /** What the agent handed in with it. */
  readonly context?: WorkflowContext;
  /** ISO 8601, in UTC. */
  readonly expiresAt: string;
}

/** OutputSubmitted and ValidationPerformed come right before the ConfirmationRequested of the same decision. */
const EVENTS_BEFORE = 2;

/** What a run waits for now; null if it waits for nobody, or did so in vain. @throws WorkflowError `RUN_NOT_FOUND` */
export async function pendingStep(parts: RunParts, runId: string): Promise<PendingStep | null> {
  const { state: recorded, definition } = await loadRun(parts, runId);
  const state = stateNow(parts, recorded, definition);
  const { confirmation, current, workflowId, goal } = state;
  const step = current === null ? undefined : findStep(definition, current.stepId);
  if (confirmation === null || current === null || step === undefined) return null;
  const { seq, expiresAt } = confirmation;
  const { output, context } = await submissionOf(parts, runId, current.stepId, seq);
  return {
    runId,
    ...refOf(current),
    seq,
    workflowId,
    ...(goal !== undefined && { goal }),
    title: step.title,
    ...(output !== undefined && { output }),
    ...(context !== undefined && { context }),
    expiresAt,
  };
}

async function submissionOf(
  { store }: RunParts,
  runId: string,
  stepId: string,
  askedAt: number,
): Promise<Partial<RunEventOf<'OutputSubmitted'>['data']>> {
  const events = await store.load(runId, Math.max(1, askedAt - EVENTS_BEFORE));
  const before = events.filter(({ seq }) => seq < askedAt);
  const submitted = before.findLast(isSubmission);
  return submitted?.data.stepId === stepId ? submitted.data : {};
}

function isSubmission(event: RunEvent): event is RunEventOf<'OutputSubmitted'> {
  return event.type === 'OutputSubmitted';
}
