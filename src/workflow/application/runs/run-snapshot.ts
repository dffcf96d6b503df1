import type { RunState } from '../../domain/run/run-state.ts';
import type { RunSnapshot } from '../ports/run-store.ts';

/** Rises whenever the state gets another form; what has another one is as good as lost. */
const FORMAT = 3;

export function snapshotOf(state: RunState): RunSnapshot {
  return { seq: state.seq, state: JSON.stringify({ format: FORMAT, state }) };
}

/** The state of a snapshot, or null where it has to be made from the events. */
export function readSnapshot(snapshot: RunSnapshot | null): RunState | null {
  if (snapshot === null) return null;
  const kept = parse(snapshot.state);
  return kept?.format === FORMAT && kept.state?.seq === snapshot.seq ? kept.state : null;
}

function parse(text: string): { readonly format?: number; readonly state?: RunState } | null {
  try {
    return JSON.parse(text) as { readonly format?: number; readonly state?: RunState } | null;
  } catch {
    // A cache that cannot be read is no cache
    return null;
  }
}
