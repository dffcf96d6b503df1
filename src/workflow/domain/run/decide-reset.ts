import { refuseClosedStep } from './refuse-change.ts';
import type { Rejection } from './rejection.ts';
import type { RunChanges } from './run-changes.ts';
import { refOf } from './run-state.ts';

/** Offers the open step again; one without failed attempts is left alone. */
export function decideReset(changes: RunChanges): Rejection | undefined {
  const { state } = changes;
  const { current } = state;
  const rejection = refuseClosedStep(state);
  if (rejection === undefined && current !== null && current.attempts > 0) {
    changes.record('StepOffered', refOf(current));
  }
  return rejection;
}
