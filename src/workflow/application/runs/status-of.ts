import { isNextEvent, foldEvents } from '../../domain/run/evolve.ts';
import type { RunEvent } from '../../domain/run/run-event.ts';
import { historyEntry } from './history-entry.ts';
import { runNotFound } from './run-errors.ts';
import type { RunParts } from './run-parts.ts';
import { readSnapshot } from './run-snapshot.ts';
import type { RunStatusView } from './run-view.ts';
import { expiryText, progressOf, repairsOf, stateNow } from './view-of.ts';

const MOST_ENTRIES = 500;

/**
 * What happened in a run. One whose events do not add up can still be looked at: it stands where it was before the
 * first that does not.
 */
export async function statusOf(parts: RunParts, runId: string): Promise<RunStatusView> {
  const { store, definitions } = parts;
  const snapshot = readSnapshot(await store.getSnapshot(runId));
  const known = snapshot?.seq ?? 0;
  const last = (await store.getSummary(runId))?.seq ?? 0;
  const events = await store.load(runId, Math.max(1, 1 + Math.min(known, last - MOST_ENTRIES)));
  const recorded = foldEvents(readableEvents(events, known), snapshot);
  if (recorded === null) throw runNotFound(runId);
  const definition = await definitions.get(recorded.definitionHash);
  const state = stateNow(parts, recorded, definition);
  const { workflowId, definitionHash, status, seq, goal } = state;
  const latest = events.slice(-MOST_ENTRIES);
  return {
    runId,
    workflowId,
    definitionHash,
    seq,
    status,
    ...(goal !== undefined && { goal }),
    progress: progressOf(state, definition),
    ...repairsOf(state),
    history: latest.map(historyEntry),
    omitted: (latest[0]?.seq ?? 1) - 1,
    expiresAt: expiryText(state),
  };
}

/** Those that go on from what is known, up to the first that does not. */
function readableEvents(events: readonly RunEvent[], known: number): readonly RunEvent[] {
  const later = events.filter(({ seq }) => seq > known);
  const fault = later.findIndex((event, index) => !isNextEvent(known + index, event));
  return fault === -1 ? later : later.slice(0, fault);
}
