import { completeStep } from './advance.ts';
import type { Rejection, RunCommandData, CommandFacts } from './run-command.ts';
import { RunChanges } from './evolve.ts';
import {
  refOf,
  type PendingConfirmation,
  type RunState,
  isTerminal,
  dueOf,
  expiryOf,
  type Actor,
  type StepRef,
} from './run-state.ts';
import { workflowCodes } from '../errors/workflow-error.ts';

export function decideConfirmation(
  changes: RunChanges,
  { approved, comment, shownSeq }: RunCommandData['resolve'],
): Rejection | undefined {
  const { confirmation, current, submitted, seq } = changes.state;
  if (confirmation === null || current === null || !isShown(shownSeq ?? seq, confirmation, seq))
    return refuseDecision(changes.state, shownSeq ?? seq);
  const ref = refOf(current);
  changes.record('ConfirmationResolved', { ...ref, approved, ...(comment !== undefined && { comment }) });
  if (approved) completeStep(changes, submitted);
  else blockStep(changes, ref, 'CONFIRMATION_REJECTED', rejectionText(comment));
  return undefined;
}

function refuseDecision({ blocked, current, seq }: RunState, shownSeq: number): Rejection {
  const unanswered = blocked?.unanswered;
  if (unanswered === undefined || !isShown(shownSeq, unanswered, seq)) {
    return {
      code: 'STALE_SEQUENCE',
      message: 'What was to be confirmed does not wait any more.',
      details: { actualSeq: seq },
    };
  }
  const { expiresAt } = unanswered;
  return {
    code: 'CONFIRMATION_EXPIRED',
    message: `The decision comes too late: it could be made until ${expiresAt}.`,
    details: { stepId: current?.stepId, expiredAt: expiresAt, actualSeq: seq },
  };
}

/** Whether the view with this seq showed the question, and exists. */
function isShown(shownSeq: number, { seq: askedAt }: PendingConfirmation, seq: number): boolean {
  return shownSeq >= askedAt && shownSeq <= seq;
}

function rejectionText(comment: string | undefined): string {
  return comment === undefined || comment === ''
    ? 'The user rejected the step.'
    : `The user rejected the step: ${comment}`;
}

const TIME: Actor = Object.freeze({ kind: 'system' });

/** Records the expiry of the run, or of its confirmation, since the last event. */
export function decideExpire(changes: RunChanges): void {
  const { state } = changes;
  const { status, confirmation, current } = state;
  const now = Date.parse(changes.at);
  if (isTerminal(status)) return;
  if (now >= expiryOf(state)) changes.record('RunExpired', {}, TIME);
  else if (confirmation !== null && current !== null && now >= Date.parse(confirmation.expiresAt)) {
    blockStep(changes, refOf(current), 'CONFIRMATION_EXPIRED', 'No user confirmed the step in time.', TIME);
  }
}

/**
 * The run with expiry applied, even if the expiry is not recorded yet. The seq does not change, so that an answer to
 * this view is an answer to the recorded run.
 */
export function asOf(state: RunState, facts: Omit<CommandFacts, 'actor'>): RunState {
  const { seq, status, updatedAt } = state;
  if (isTerminal(status) || Date.parse(facts.at) < dueOf(state)) return state;
  const changes = new RunChanges(state, { ...facts, actor: TIME });
  decideExpire(changes);
  return { ...changes.state, seq, updatedAt };
}

/** Keeps a step open because it was not confirmed; none of its rules failed. */
function blockStep(
  changes: RunChanges,
  step: StepRef,
  code: 'CONFIRMATION_REJECTED' | 'CONFIRMATION_EXPIRED',
  message: string,
  actor?: Actor,
): void {
  const blocking = {
    issues: [message],
    details: [{ code, path: '', message }],
    suggestions: [workflowCodes[code].fix],
  };
  changes.record('StepBlocked', { ...step, ...blocking }, actor);
}
