import { decideCancel } from './decide-cancel.ts';
import { decideCheckpoint } from './decide-checkpoint.ts';
import { decideConfirmation } from './decide-confirmation.ts';
import { decideExpire } from './decide-expire.ts';
import { decideInform } from './decide-inform.ts';
import { decideReset } from './decide-reset.ts';
import { decideStart } from './decide-start.ts';
import { decideSubmit } from './decide-submit.ts';
import { refuseFinished, refuseLong, refuseStale } from './refuse-change.ts';
import type { Rejection } from './rejection.ts';
import { RunChanges } from './run-changes.ts';
import type { RunCommand, RunCommandOf } from './run-command.ts';
import type { RunEvent } from './run-event.ts';
import type { RunState } from './run-state.ts';

/** What a command leads to. */
export type Decided =
  | { readonly events: readonly RunEvent[]; readonly rejection?: undefined }
  /** `overdue` is what time did before, to be recorded all the same. */
  | { readonly rejection: Rejection; readonly overdue: readonly RunEvent[] };

/**
 * Decides on a command, by nothing but the state and the command.
 *
 * A command that comes after the run, or a confirmation, was due to expire finds it expired: the events of that come
 * before its own, and count whatever view it answers.
 *
 * @param state - null for a run that is to be started
 */
export function decide(state: RunState | null, command: RunCommand): Decided {
  const changes = new RunChanges(state, command);
  if (command.type === 'start') return decidedStart(changes, state, command);
  if (state === null) return refused({ code: 'RUN_NOT_FOUND', message: 'There is no such run.' });
  // Both are what was asked for
  if (command.type === 'cancel' && state.status === 'cancelled') return { events: [] };
  decideExpire(changes);
  const overdue = [...changes.events];
  const rejection = decideChange(changes, command) ?? refuseLong(changes);
  return rejection === undefined ? { events: changes.events } : { rejection, overdue };
}

function decidedStart(changes: RunChanges, state: RunState | null, command: RunCommandOf<'start'>): Decided {
  if (state !== null) return refused({ code: 'STATE_ERROR', message: 'The run has started already.' });
  const rejection = decideStart(changes, command) ?? refuseLong(changes);
  return rejection === undefined ? { events: changes.events } : refused(rejection);
}

function decideChange(
  changes: RunChanges,
  command: Exclude<RunCommand, { type: 'start' }>,
): Rejection | undefined {
  if (command.type === 'expire') return undefined;
  const rejection = refuseFinished(changes.state) ?? refuseStale(changes, command.expectedSeq);
  if (rejection !== undefined) return rejection;
  switch (command.type) {
    case 'submit':
      return decideSubmit(changes, command);
    case 'inform':
      return decideInform(changes, command);
    case 'resolve':
      return decideConfirmation(changes, command);
    case 'checkpoint':
      return decideCheckpoint(changes, command);
    case 'cancel':
      return decideCancel(changes, command);
    case 'reset':
      return decideReset(changes);
  }
}

function refused(rejection: Rejection): Decided {
  return { rejection, overdue: [] };
}
