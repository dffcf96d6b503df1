/**
 * - `idle`: the handler runs, and nothing of it has to be known when it runs again.
 * - `asking`: it asks, or does steps; both are recorded.
 * - `suspended`: its run has ended with a question, which answers the request. The handler runs again with the answer.
 * - `detached`: the call has become a task. Its request is answered; the task carries its questions and messages.
 * - `done`: the handler has come to its end.
 */
export type CallState = 'idle' | 'asking' | 'suspended' | 'detached' | 'done';

export type CallEvent = 'record' | 'suspend' | 'detach' | 'end';

const TRANSITIONS: Readonly<Record<CallState, Readonly<Partial<Record<CallEvent, CallState>>>>> = {
  idle: { record: 'asking', detach: 'detached', end: 'done' },
  asking: { suspend: 'suspended', detach: 'detached', end: 'done' },
  // A run that is cancelled after it was suspended has no question to answer with
  suspended: { end: 'done' },
  detached: { end: 'done' },
  done: {},
};

/** @throws Error for what cannot happen in a state */
export function nextState(state: CallState, event: CallEvent): CallState {
  const next = TRANSITIONS[state][event];
  if (next === undefined) throw new Error(`A call that is ${state} cannot ${event}`);
  return next;
}
