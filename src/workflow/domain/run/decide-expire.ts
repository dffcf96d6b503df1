import { blockStep } from './block-step.ts';
import type { RunChanges } from './run-changes.ts';
import type { Actor } from './run-event.ts';
import { isTerminal } from './run-status.ts';
import { expiryOf, refOf } from './run-state.ts';

const TIME: Actor = Object.freeze({ kind: 'system' });

/** Records what time did to a run since its last event. */
export function decideExpire(changes: RunChanges): void {
  const { state } = changes;
  const { status, confirmation, current } = state;
  const now = Date.parse(changes.at);
  if (isTerminal(status)) return;
  if (now >= expiryOf(state)) changes.record('RunExpired', {}, TIME);
  else if (confirmation !== null && current !== null && now >= Date.parse(confirmation.expiresAt)) {
    blockStep(changes, refOf(current), 'CONFIRMATION_EXPIRED', 'No user confirmed the step in time.', TIME);
  }
}
