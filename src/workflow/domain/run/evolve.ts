import { withoutUndefined } from '../../../shared/json.ts';
import { WorkflowError } from '../errors/workflow-error.ts';
import {
  type RunEvent,
  type RunEventOf,
  type RunEventData,
  type RunEventType,
  type StepRef,
  type RunState,
  type LoopWarning,
  refOf,
} from './run-state.ts';

/**
 * The state after one more event.
 *
 * @param state - null before the first event
 * @throws WorkflowError `STATE_ERROR` for an event of an unknown type or version, or one out of order.
 */
export function evolve(state: RunState | null, event: RunEvent): RunState {
  return evolveDraft(state === null ? null : draftOf(state), event);
}

/** Like `evolve`, but changes the draft that it is given. */
export function evolveDraft(draft: RunDraft | null, event: RunEvent): RunDraft {
  const last = draft?.seq ?? 0;
  if (!isNextEvent(last, event)) throw stateError(last, event);
  if (draft === null || event.type === 'RunStarted') return startedDraft(event as RunEventOf<'RunStarted'>);
  const apply = applyEvent[event.type] as (draft: RunDraft, data: RunEvent['data'], seq: number) => void;
  apply(draft, event.data, event.seq);
  draft.seq = event.seq;
  draft.updatedAt = event.at;
  return draft;
}

/** Whether the event can come after the one with the seq `last`. */
export function isNextEvent(last: number, event: RunEvent): boolean {
  const { seq, type, v } = event as { seq: number; type: string; v: number };
  const isKnown = last === 0 ? type === 'RunStarted' : Object.hasOwn(applyEvent, type);
  return seq === last + 1 && v === 1 && isKnown;
}

function stateError(last: number, { seq, type }: RunEvent): WorkflowError {
  return new WorkflowError('STATE_ERROR', {
    where: `event ${seq}`,
    message: `Event ${seq}, ${type}, cannot be read as what comes after event ${last}.`,
    details: { seq, type },
  });
}

/**
 * The state after all of the events: `evolve` over each of them, without a copy for each.
 *
 * @param state - what a snapshot says, if the events go on from one
 * @returns null for a run without events
 * @throws WorkflowError `STATE_ERROR` as `evolve` does.
 */
export function foldEvents(events: readonly RunEvent[], state: RunState | null = null): RunState | null {
  let draft = state === null ? null : draftOf(state);
  for (const event of events) draft = evolveDraft(draft, event);
  return draft;
}

/** A state in the making. Only its context and its lists are changed in place; they are never shared. */
export type RunDraft = { -readonly [Member in keyof RunState]: RunState[Member] } & {
  context: Record<string, unknown>;
  notes: string[];
  warnings: LoopWarning[];
};

export function draftOf(state: RunState): RunDraft {
  return {
    ...state,
    context: { ...state.context },
    notes: [...state.notes],
    warnings: [...state.warnings],
  };
}

/** A run at its first event. */
function startedDraft({ seq, at, data }: RunEventOf<'RunStarted'>): RunDraft {
  return {
    ...data,
    seq,
    status: 'running',
    createdAt: at,
    updatedAt: at,
    context: {},
    current: null,
    submitted: null,
    blocked: null,
    confirmation: null,
    loop: null,
    settled: null,
    completed: 0,
    skipped: 0,
    notes: [],
    olderNotes: 0,
    warnings: [],
  };
}

type Apply<Type extends RunEventType> = (draft: RunDraft, data: RunEventData[Type], seq: number) => void;

/** What each type of event does to a run that has started. */
const applyEvent: { readonly [Type in Exclude<RunEventType, 'RunStarted'>]: Apply<Type> } = {
  ContextMerged: (draft, { context }) => {
    Object.assign(draft.context, context);
  },
  StepOffered: (draft, step) => {
    leaveStep(draft);
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
    leaveStep(draft);
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
  LoopStarted: (draft, { stepId, total, items }) => {
    draft.loop = { stepId, iteration: 0, ...withoutUndefined({ total, items }), settled: null };
  },
  LoopIterationStarted: (draft, { iteration }) => {
    // A loop that was asked about is open until it goes on
    leaveStep(draft);
    if (draft.loop !== null) draft.loop = { ...draft.loop, iteration, settled: null };
  },
  LoopEnded: (draft, { stepId, reason, iterations }) => {
    leaveStep(draft);
    draft.loop = null;
    draft.settled = stepId;
    draft.completed += 1;
    if (reason !== 'LOOP_DONE') draft.warnings.push({ stepId, reason, iterations });
  },
};

function leaveStep(draft: RunDraft): void {
  draft.status = 'running';
  draft.current = null;
  draft.submitted = null;
  draft.blocked = null;
}

function close(draft: RunDraft, status: 'completed' | 'cancelled' | 'expired'): void {
  leaveStep(draft);
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

/** Every view has them, and so does every recorded response. */
const MOST_NOTES = 50;
const MOST_BYTES = 16 * 1024;

/** Adds a note, which is kept however long it is, and lets go of the oldest ones where they are too many. */
function keepNote(draft: RunDraft, note: string): void {
  const { notes } = draft;
  notes.push(note);
  let bytes = notes.reduce((sum, each) => sum + Buffer.byteLength(each), 0);
  while (notes.length > 1 && (notes.length > MOST_NOTES || bytes > MOST_BYTES)) {
    bytes -= Buffer.byteLength(notes.shift() ?? '');
    draft.olderNotes += 1;
  }
}
