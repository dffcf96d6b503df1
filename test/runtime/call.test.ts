import { expect, test } from '@jest/globals';
import { nextState, type CallEvent, type CallState } from '../../src/runtime/call.ts';

const STATES: readonly CallState[] = ['idle', 'asking', 'suspended', 'detached', 'done'];
const EVENTS: readonly CallEvent[] = ['record', 'suspend', 'detach', 'end'];

/** Everything else is refused. */
const ALLOWED: Readonly<Record<string, CallState>> = {
  'idle record': 'asking',
  'idle detach': 'detached',
  'idle end': 'done',
  'asking suspend': 'suspended',
  'asking detach': 'detached',
  'asking end': 'done',
  'suspended end': 'done',
  'detached end': 'done',
};

const pairs = STATES.flatMap((state) => EVENTS.map((event) => [state, event] as const));

test.each(pairs)('a call that is %s may %s, or gets an error', (state, event) => {
  const expected = ALLOWED[`${state} ${event}`];
  const next = (): CallState => nextState(state, event);
  if (expected === undefined) expect(next).toThrow(`A call that is ${state} cannot ${event}`);
  else expect(next()).toBe(expected);
});

test('a call that is done stays so', () => {
  for (const event of EVENTS) expect(() => nextState('done', event)).toThrow('done');
});
