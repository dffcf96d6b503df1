import { evolveDraft } from './evolve.ts';
import { draftOf } from './run-draft.ts';
import type { RunEvent } from './run-event.ts';
import type { RunState } from './run-state.ts';

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
