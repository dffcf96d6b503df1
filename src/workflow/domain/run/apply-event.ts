import { applyLoopEvent } from './apply-loop-event.ts';
import { keepNote } from './keep-note.ts';
import type { RunDraft } from './run-draft.ts';
import type { RunEventData, RunEventType, StepRef } from './run-event.ts';
import { refOf } from './run-state.ts';

type Apply<Type extends RunEventType> = (draft: RunDraft, data: RunEventData[Type], seq: number) => void;

/** What each type of event does to a run that has started. */
export const applyEvent: { readonly [Type in Exclude<RunEventType, 'RunStarted'>]: Apply<Type> } = {
  ContextMerged: (draft, { context }) => {
    Object.assign(draft.context, context);
  },
  StepOffered: (draft, step) => {
    open(draft);
    draft.current = { ...refOf(step), attempts: 0 };
  },
  StepSkipped: (draft, step) => {
    if (settle(draft, step)) draft.skipped += 1;
  },
  OutputSubmitted: (draft, { context }) => {
    draft.submitted = context ?? null;
  },
  ValidationPerformed: (draft, { valid }) => {
    if (!valid && draft.current !== null) {
      draft.current = { ...draft.current, attempts: draft.current.attempts + 1 };
    }
  },
  StepBlocked: (draft, { issues, details, suggestions }) => {
    draft.status = 'blocked';
    // A rejection has resolved the question before, and an output that fails is never asked about
    const unanswered = draft.confirmation;
    draft.blocked = { issues, details, suggestions, ...(unanswered !== null && { unanswered }) };
    draft.submitted = null;
    draft.confirmation = null;
  },
  ConfirmationRequested: (draft, { expiresAt, ...step }, seq) => {
    draft.status = 'awaiting_confirmation';
    draft.blocked = null;
    draft.confirmation = { seq, expiresAt };
    // Loops are never offered: being asked about is how they open
    draft.current ??= { ...refOf(step), attempts: 0 };
  },
  ConfirmationResolved: (draft, { approved }) => {
    draft.status = approved ? 'running' : 'blocked';
    draft.confirmation = null;
  },
  StepCompleted: (draft, step) => {
    open(draft);
    if (settle(draft, step)) draft.completed += 1;
  },
  Checkpointed: (draft, { notes }) => {
    keepNote(draft, notes);
  },
  RunCompleted: (draft) => {
    close(draft, 'completed');
  },
  RunCancelled: (draft) => {
    close(draft, 'cancelled');
  },
  RunExpired: (draft) => {
    close(draft, 'expired');
  },
  ...applyLoopEvent,
};

function open(draft: RunDraft): void {
  draft.status = 'running';
  draft.current = null;
  draft.submitted = null;
  draft.blocked = null;
}

function close(draft: RunDraft, status: 'completed' | 'cancelled' | 'expired'): void {
  open(draft);
  draft.status = status;
  draft.confirmation = null;
  draft.loop = null;
}

/** Goes past a step, and says whether it is one of the top level. */
function settle(draft: RunDraft, { stepId, iteration }: StepRef): boolean {
  if (iteration === undefined) draft.settled = stepId;
  else if (draft.loop !== null) draft.loop = { ...draft.loop, settled: stepId };
  return iteration === undefined;
}
