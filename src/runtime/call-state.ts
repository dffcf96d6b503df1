/**
 * - `idle`: the handler runs, and nothing is recorded.
 * - `asking`: it asks or runs steps; both are recorded.
 * - `suspended`: its run has ended with a question, which answers the request. The handler runs again with the answer.
 * - `detached`: the call has become a task. Its request is answered; the task carries its questions and messages.
 * - `done`: the handler has ended.
 */
export type CallState = 'idle' | 'asking' | 'suspended' | 'detached' | 'done';

export type CallEvent = 'record' | 'suspend' | 'detach' | 'end';

const TRANSITIONS: Readonly<Record<CallState, Readonly<Partial<Record<CallEvent, CallState>>>>> = {
  idle: { record: 'asking', detach: 'detached', end: 'done' },
  asking: { suspend: 'suspended', detach: 'detached', end: 'done' },
  // A run that is cancelled after its suspension has no question to answer with
  suspended: { end: 'done' },
  detached: { end: 'done' },
  done: {},
};

/** @throws Error for an event that is impossible in the state */
export function nextState(state: CallState, event: CallEvent): CallState {
  const next = TRANSITIONS[state][event];
  if (next === undefined) throw new Error(`A call that is ${state} cannot ${event}`);
  return next;
}
