import { isNextEvent } from '../../domain/run/evolve.ts';
import { foldEvents } from '../../domain/run/fold-events.ts';
import type { RunEvent } from '../../domain/run/run-event.ts';
import { historyEntry } from './history-entry.ts';
import { runNotFound } from './run-errors.ts';
import type { RunParts } from './run-parts.ts';
import type { RunStatusView } from './run-view.ts';
import { expiryText, progressOf } from './view-of.ts';

/**
 * All that happened in a run. One whose events do not add up can still be looked at: it stands where it was before
 * the first that does not.
 */
export async function statusOf({ store, definitions }: RunParts, runId: string): Promise<RunStatusView> {
  const events = await store.load(runId);
  const state = foldEvents(readableEvents(events));
  if (state === null) throw runNotFound(runId);
  const { workflowId, definitionHash, status, seq, goal } = state;
  return {
    runId,
    workflowId,
    definitionHash,
    seq,
    status,
    ...(goal !== undefined && { goal }),
    progress: progressOf(state, await definitions.get(definitionHash)),
    history: events.map(historyEntry),
    expiresAt: expiryText(state),
  };
}

function readableEvents(events: readonly RunEvent[]): readonly RunEvent[] {
  const fault = events.findIndex((event, index) => !isNextEvent(index, event));
  return fault === -1 ? events : events.slice(0, fault);
}
