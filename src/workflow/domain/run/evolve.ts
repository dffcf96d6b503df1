import { WorkflowError } from '../errors/workflow-error.ts';
import { applyEvent } from './apply-event.ts';
import { draftOf, startedDraft, type RunDraft } from './run-draft.ts';
import type { RunEvent, RunEventOf } from './run-event.ts';
import type { RunState } from './run-state.ts';

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
