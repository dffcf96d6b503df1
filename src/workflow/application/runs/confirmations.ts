import { withoutUndefined } from '../../../shared/json.ts';
import { observeCall } from '../observe-call.ts';
import type { RunPage, RunQuery } from '../ports/run-store.ts';
import type { RunDependencies } from './run-dependencies.ts';
import { type Decision, checkOptionalText, checkSeq, invalid } from './run-requests.ts';
import { type PendingStep, type RunView, stateNow } from './run-view.ts';
import { findStep } from '../../domain/document/workflow-document.ts';
import { type Actor, type RunEventOf, refOf } from '../../domain/run/run-state.ts';
import { loadRun } from './load-run.ts';
import { changeRun, identify } from './change-run.ts';

/**
 * Confirmations out of band: for a page, a chat or a command that a user decides in. The caller checks
 * who may decide on what; runs of every tenant are within its reach.
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
  readonly #dependencies: RunDependencies;

  constructor(dependencies: RunDependencies) {
    this.#dependencies = dependencies;
  }

  /** The runs of a tenant that wait for a user. */
  async pending(query: Omit<RunQuery, 'status'>): Promise<RunPage> {
    const { store, clock } = this.#dependencies;
    const { runs, ...more } = await store.find({ ...query, status: 'awaiting_confirmation' });
    // Some wait in vain, which nobody may have recorded yet
    return { ...more, runs: runs.filter(({ expiresAt }) => clock() < Date.parse(expiresAt)) };
  }

  /** What a run waits for; null if it waits for nobody. @throws WorkflowError `RUN_NOT_FOUND` */
  describe(runId: string): Promise<PendingStep | null> {
    return pendingStep(this.#dependencies, runId);
  }

  /**
   * Goes on with the step if the user approved of it, else it is blocked with `CONFIRMATION_REJECTED`.
   *
   * @throws WorkflowError `RUN_NOT_FOUND`, `CONFIRMATION_EXPIRED` if it comes too late, `STALE_SEQUENCE` if
   * nothing waits for this decision, `RUN_FINISHED`, `RUN_EXPIRED`, or `INVALID_PARAMS` for an actor that is not a user.
   */
  resolve(runId: string, decision: Decision, actor: UserActor): Promise<RunView> {
    return observeCall(this.#dependencies, 'run.confirm', { runId }, () =>
      resolveRun(this.#dependencies, runId, decision, actor),
    );
  }
}

/** OutputSubmitted and ValidationPerformed come right before the ConfirmationRequested of the same decision. */
const EVENTS_BEFORE = 2;

/** What a run waits for now; null if it waits for nobody, or did so in vain. @throws WorkflowError `RUN_NOT_FOUND` */
export async function pendingStep(dependencies: RunDependencies, runId: string): Promise<PendingStep | null> {
  const { state: recorded, definition } = await loadRun(dependencies, runId);
  const state = stateNow(dependencies, recorded, definition);
  const { confirmation, current, workflowId, goal } = state;
  const step = current === null ? undefined : findStep(definition, current.stepId);
  if (confirmation === null || current === null || step === undefined) return null;
  const { seq, expiresAt } = confirmation;
  const { output, context } = await submissionOf(dependencies, runId, current.stepId, seq);
  const shown = withoutUndefined({ goal, output, context });
  return { runId, ...refOf(current), seq, workflowId, title: step.title, ...shown, expiresAt };
}

async function submissionOf(
  { store }: RunDependencies,
  runId: string,
  stepId: string,
  askedAt: number,
): Promise<Partial<RunEventOf<'OutputSubmitted'>['data']>> {
  const events = await store.load(runId, Math.max(1, askedAt - EVENTS_BEFORE));
  const submitted = events.findLast((event) => event.seq < askedAt && event.type === 'OutputSubmitted') as
    RunEventOf<'OutputSubmitted'> | undefined;
  return submitted?.data.stepId === stepId ? submitted.data : {};
}

/** A person. Agents confirm nothing, whatever they claim. */
export interface UserActor extends Actor {
  readonly kind: 'user';
}

const LONGEST_COMMENT = 10_000;

/**
 * Records what a user decided. One that says which view it is about can be repeated.
 *
 * @throws WorkflowError `CONFIRMATION_EXPIRED` when it comes too late, `STALE_SEQUENCE` when that question does not wait for an answer any more.
 */
export async function resolveRun(
  dependencies: RunDependencies,
  runId: string,
  decision: Decision,
  { kind, id }: UserActor,
): Promise<RunView> {
  if ((kind as string) !== 'user') throw invalid('actor', 'Only a user can confirm a step.');
  const approved = decision.approved as unknown;
  if (typeof approved !== 'boolean') throw invalid('approved', 'It is neither true nor false.');
  const comment = checkOptionalText('comment', decision.comment, { max: LONGEST_COMMENT });
  const { expectedSeq } = decision;
  const shownSeq = expectedSeq === undefined ? undefined : checkSeq(expectedSeq);
  const asked = { resolve: { runId, shownSeq, approved, comment } };
  return changeRun(dependencies, {
    runId,
    actor: { kind, ...withoutUndefined({ id: checkOptionalText('actor', id) }) },
    identity: shownSeq === undefined ? undefined : identify(runId, asked, undefined),
    command: (facts) => ({
      ...facts,
      type: 'resolve',
      approved,
      ...withoutUndefined({ comment, shownSeq }),
    }),
  });
}
