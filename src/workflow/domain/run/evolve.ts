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
  type Actor,
} from './run-state.ts';
import type { WorkflowDefinition } from '../document/workflow-document.ts';
import type { CommandFacts, CommandLimits } from './run-command.ts';

/**
 * The state after one more event.
 *
 * @param state - null before the first event
 * @throws WorkflowError `STATE_ERROR` for an event of an unknown type or version, or one out of order.
 */
export function evolve(state: RunState | null, event: RunEvent): RunState {
  return evolveDraft(state === null ? null : draftOf(state), event);
}

/** Like `evolve`, but changes the given draft in place. */
function evolveDraft(draft: RunDraft | null, event: RunEvent): RunDraft {
  const last = draft?.seq ?? 0;
  if (!isNextEvent(last, event)) throw stateError(last, event);
  if (draft === null || event.type === 'RunStarted') return startedDraft(event as RunEventOf<'RunStarted'>);
  const apply = applyEvent[event.type] as (draft: RunDraft, data: RunEvent['data'], seq: number) => void;
  apply(draft, event.data, event.seq);
  draft.seq = event.seq;
  draft.updatedAt = event.at;
  return draft;
}

/** Whether the event can follow the one with the seq `last`. */
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
 * The state after all of the events: like `evolve` for each event, but without a copy for each.
 *
 * @param state - the state of a snapshot, if the events continue from one
 * @returns null for a run without events
 * @throws WorkflowError `STATE_ERROR` as `evolve` does.
 */
export function foldEvents(events: readonly RunEvent[], state: RunState | null = null): RunState | null {
  let draft = state === null ? null : draftOf(state);
  for (const event of events) draft = evolveDraft(draft, event);
  return draft;
}

/** A mutable state. Its context and its lists are changed in place, and never shared. */
type RunDraft = { -readonly [Member in keyof RunState]: RunState[Member] } & {
  context: Record<string, unknown>;
  notes: string[];
  warnings: LoopWarning[];
};

function draftOf(state: RunState): RunDraft {
  return {
    ...state,
    context: { ...state.context },
    notes: [...state.notes],
    warnings: [...state.warnings],
  };
}

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
    // A rejection has already resolved the question, and a failed output never awaits confirmation
    const unanswered = draft.confirmation;
    draft.blocked = { issues, details, suggestions, ...(unanswered !== null && { unanswered }) };
    draft.submitted = null;
    draft.confirmation = null;
  },
  ConfirmationRequested: (draft, { expiresAt, ...step }, seq) => {
    draft.status = 'awaiting_confirmation';
    draft.blocked = null;
    draft.confirmation = { seq, expiresAt };
    // Loops are never offered: a confirmation request opens them
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
    // A loop that awaited confirmation is open until it starts
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

/** Marks a step as settled; returns whether it is a top-level step. */
function settle(draft: RunDraft, { stepId, iteration }: StepRef): boolean {
  if (iteration === undefined) draft.settled = stepId;
  else if (draft.loop !== null) draft.loop = { ...draft.loop, settled: stepId };
  return iteration === undefined;
}

/** Limited, because every view and every recorded response contains the notes. */
const MOST_NOTES = 50;
const MOST_BYTES = 16 * 1024;

/** Adds a note of any length, and drops the oldest notes beyond the limits. */
function keepNote(draft: RunDraft, note: string): void {
  const { notes } = draft;
  notes.push(note);
  let bytes = notes.reduce((sum, each) => sum + Buffer.byteLength(each), 0);
  while (notes.length > 1 && (notes.length > MOST_NOTES || bytes > MOST_BYTES)) {
    bytes -= Buffer.byteLength(notes.shift() ?? '');
    draft.olderNotes += 1;
  }
}

/** Only loops that skip all of their steps produce more events than this. */
export const MOST_EVENTS = 10_000;
/** Events copy the items of each loop that is reached; in total they may take as much as this many contexts. */
const MOST_CONTEXTS = 32;

/** The events of one decision, and the resulting state so far. */
export class RunChanges {
  readonly events: RunEvent[] = [];
  readonly at: string;
  readonly definition: WorkflowDefinition;
  readonly limits: CommandLimits;
  /** The seq before the decision. */
  readonly startSeq: number;
  readonly #actor: Actor;
  #draft: RunDraft | null;
  #itemBytes = 0;

  constructor(state: RunState | null, { at, actor, definition, limits }: CommandFacts) {
    this.#draft = state === null ? null : draftOf(state);
    this.startSeq = state?.seq ?? 0;
    this.at = at;
    this.#actor = actor;
    this.definition = definition;
    this.limits = limits;
  }

  /** The current state; it changes with every event. */
  get state(): RunState {
    if (this.#draft === null) throw new TypeError('A run has no state before RunStarted.');
    return this.#draft;
  }

  /** Whether the events are too many or too large, so that the decision will be refused. */
  get isTooLong(): boolean {
    return this.events.length > MOST_EVENTS || this.#itemBytes > this.mostItemBytes;
  }

  /** Maximum bytes of JSON for the items of all loops that are reached. */
  get mostItemBytes(): number {
    return MOST_CONTEXTS * this.limits.contextBytes;
  }

  record<Type extends RunEventType>(type: Type, data: RunEventData[Type], actor: Actor = this.#actor): void {
    const seq = (this.#draft?.seq ?? 0) + 1;
    const event = { seq, v: 1, type, at: this.at, actor, data } as RunEvent;
    this.#draft = evolveDraft(this.#draft, event);
    this.events.push(event);
    if (event.type === 'LoopStarted' && event.data.items !== undefined) {
      this.#itemBytes += Buffer.byteLength(JSON.stringify(event.data.items));
    }
  }
}
