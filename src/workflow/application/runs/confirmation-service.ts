import { findStep } from '../../domain/document/find-step.ts';
import type { WorkflowContext } from '../../domain/conditions/condition.ts';
import type { RunEvent, RunEventOf, StepRef } from '../../domain/run/run-event.ts';
import { refOf } from '../../domain/run/run-state.ts';
import { observeCall } from '../observe-call.ts';
import type { RunPage, RunQuery } from '../ports/run-store.ts';
import { loadRun } from './load-run.ts';
import { resolveRun, type UserActor } from './resolve-run.ts';
import type { RunParts } from './run-parts.ts';
import type { Decision } from './run-requests.ts';
import type { RunView } from './run-view.ts';

/** A step that waits for a user, with all that a user has to see before deciding. */
export interface PendingStep extends StepRef {
  readonly runId: string;
  /** For `expectedSeq` of the decision, so that it cannot be taken for an answer to a later question. */
  readonly seq: number;
  readonly workflowId: string;
  readonly goal?: string;
  readonly title: string;
  /** What the agent handed in; absent for a loop that is yet to begin. */
  readonly output?: string;
  readonly context?: WorkflowContext;
  /** ISO 8601, in UTC. */
  readonly expiresAt: string;
}

/**
 * Confirmations out of band: for a page, a chat or a command that a user decides in. Who may decide on what is up to
 * whoever calls it; runs of every tenant are within its reach.
 *
 * @example
 * async function approveAll(confirmations: ConfirmationService): Promise<void> {
 *   const { runs } = await confirmations.pending({ tenant: 'acme', limit: 20 });
 *   for (const { runId } of runs) {
 *     const step = await confirmations.describe(runId);
 *     if (step === null) continue;
 *     const decision = { approved: true, expectedSeq: step.seq };
 *     await confirmations.resolve(runId, decision, { kind: 'user', id: 'ada' });
 *   }
 * }
 */
export class ConfirmationService {
  readonly #parts: RunParts;

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** The runs of a tenant that wait for a user. */
  pending(query: Omit<RunQuery, 'status'>): Promise<RunPage> {
    return this.#parts.store.find({ ...query, status: 'awaiting_confirmation' });
  }

  /** What a run waits for; null if it waits for nobody. @throws WorkflowError `RUN_NOT_FOUND` */
  async describe(runId: string): Promise<PendingStep | null> {
    const { state, definition } = await loadRun(this.#parts, runId);
    const { confirmation, current, seq, workflowId, goal } = state;
    const step = current === null ? undefined : findStep(definition, current.stepId);
    if (confirmation === null || current === null || step === undefined) return null;
    const events = await this.#parts.store.load(runId);
    const submitted = events.slice(0, confirmation.seq).findLast(isSubmission);
    const { output, context } = submitted?.data.stepId === current.stepId ? submitted.data : {};
    return {
      runId,
      ...refOf(current),
      seq,
      workflowId,
      ...(goal !== undefined && { goal }),
      title: step.title,
      ...(output !== undefined && { output }),
      ...(context !== undefined && { context }),
      expiresAt: confirmation.expiresAt,
    };
  }

  /**
   * Goes on with the step if the user approved of it, else it is blocked with `CONFIRMATION_REJECTED`. One that comes
   * too late finds the step blocked with `CONFIRMATION_EXPIRED`.
   *
   * @throws WorkflowError `RUN_NOT_FOUND`, `STALE_SEQUENCE` if nothing waits for this decision, `RUN_FINISHED`,
   * `RUN_EXPIRED`, or `INVALID_PARAMS` for an actor that is no user.
   */
  resolve(runId: string, decision: Decision, actor: UserActor): Promise<RunView> {
    return observeCall(this.#parts, 'run.confirm', { runId }, () =>
      resolveRun(this.#parts, runId, decision, actor),
    );
  }
}

function isSubmission(event: RunEvent): event is RunEventOf<'OutputSubmitted'> {
  return event.type === 'OutputSubmitted';
}
