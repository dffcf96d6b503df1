import { blockStep } from './block-step.ts';
import { RunChanges } from './run-changes.ts';
import type { CommandFacts } from './run-command.ts';
import type { Actor } from './run-event.ts';
import { isTerminal } from './run-status.ts';
import { dueOf, expiryOf, refOf, type RunState } from './run-state.ts';

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

/**
 * The run as time has left it, whether or not somebody has recorded that yet. Its seq stays: an answer to a view of it
 * is an answer to the run as it is recorded.
 */
export function asOf(state: RunState, facts: Omit<CommandFacts, 'actor'>): RunState {
  const { seq, status, updatedAt } = state;
  if (isTerminal(status) || Date.parse(facts.at) < dueOf(state)) return state;
  const changes = new RunChanges(state, { ...facts, actor: TIME });
  decideExpire(changes);
  return { ...changes.state, seq, updatedAt };
}
