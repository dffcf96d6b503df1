import { withoutUndefined } from '../../../shared/json.ts';
import type { RunDependencies } from './run-dependencies.ts';
import { type Decision, checkOptionalText, checkSeq, invalid } from './run-requests.ts';
import { type RunView, stateNow } from './run-view.ts';
import type { WorkflowContext } from '../../domain/conditions/condition.ts';
import { findStep } from '../../domain/document/workflow-document.ts';
import { type Actor, type RunEventOf, type StepRef, refOf } from '../../domain/run/run-state.ts';
import { loadRun } from './load-run.ts';
import { changeRun, identify } from './change-run.ts';

/** A step that awaits a user, with everything that the user needs for the decision. */
export interface PendingStep extends StepRef {
  /** The id of the run. */
  readonly runId: string;
  /**
   * Identifies the open question. Pass it as `expectedSeq` of the decision, so that the decision cannot answer a
   * later question.
   */
  readonly seq: number;
  /** The id of the workflow. */
  readonly workflowId: string;
  /** What the run is to achieve. */
  readonly goal?: string;
  /** The title of the step. */
  readonly title: string;
  /** The output that the agent submitted; absent for a loop that has not started. */
  readonly output?: string;
  /** The context that the agent submitted with it. */
  readonly context?: WorkflowContext;
  /** ISO 8601, in UTC. */
  readonly expiresAt: string;
}

/** OutputSubmitted and ValidationPerformed come right before the ConfirmationRequested of the same decision. */
const EVENTS_BEFORE = 2;

/** The step that awaits a user, null if none does or it has expired. @throws WorkflowError `RUN_NOT_FOUND` */
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
    | RunEventOf<'OutputSubmitted'>
    | undefined;
  return submitted?.data.stepId === stepId ? submitted.data : {};
}

/** A person. Agents cannot confirm a step. */
export interface UserActor extends Actor {
  /** Marks a person. */
  readonly kind: 'user';
}

const LONGEST_COMMENT = 10_000;

/**
 * Records a user's decision. It can be repeated safely if it has `expectedSeq`.
 *
 * @throws WorkflowError `CONFIRMATION_EXPIRED` if it comes too late, `STALE_SEQUENCE` if the question is no longer
 * open.
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
