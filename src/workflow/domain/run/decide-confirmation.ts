import { completeStep } from './complete-step.ts';
import { blockStep } from './block-step.ts';
import type { Rejection } from './rejection.ts';
import type { RunChanges } from './run-changes.ts';
import type { RunCommandData } from './run-command.ts';
import { refOf, type PendingConfirmation, type RunState } from './run-state.ts';

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

/** Whether a view showed the question, and was a view of this run at all. */
function isShown(shownSeq: number, { seq: askedAt }: PendingConfirmation, seq: number): boolean {
  return shownSeq >= askedAt && shownSeq <= seq;
}

function rejectionText(comment: string | undefined): string {
  return comment === undefined || comment === ''
    ? 'The user rejected the step.'
    : `The user rejected the step: ${comment}`;
}
