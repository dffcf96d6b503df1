import { expect, test } from '@jest/globals';
import { evolve, foldEvents } from '../../../../src/workflow/domain/run/evolve.ts';
import type { RunEvent } from '../../../../src/workflow/domain/run/run-state.ts';
import { codeOf } from '../../../support/thrown.ts';
import { DecidedRun, plain } from './decided-run.ts';

function changed(event: RunEvent, change: object): RunEvent {
  return { ...event, ...change };
}

test('refuses a gap, a repeat, an unknown type, and an unknown version', () => {
  const { events, state } = new DecidedRun([plain('one')]);
  const next = { seq: 3, v: 1, type: 'Checkpointed', data: { notes: 'n' } };
  const [first, second] = [events[0]!, events[1]!];
  expect(evolve(state, changed(second, next))).toMatchObject({ seq: 3, notes: ['n'] });
  for (const change of [{ seq: 4 }, { seq: 2 }, { type: 'StepMoved' }, { type: 'toString' }, { v: 2 }]) {
    expect(codeOf(() => evolve(state, changed(second, { ...next, ...change })))).toBe('STATE_ERROR');
  }
  expect(codeOf(() => evolve(null, second))).toBe('STATE_ERROR');
  expect(codeOf(() => evolve(null, changed(second, { seq: 1 })))).toBe('STATE_ERROR');
  expect(codeOf(() => evolve(state, changed(first, { seq: 3 })))).toBe('STATE_ERROR');
});

test('has no state without events', () => {
  expect(foldEvents([])).toBeNull();
});

test('leaves the state before as it is', () => {
  const { state, events } = new DecidedRun([plain('one')], { a: 1 });
  const before = JSON.stringify(state);
  const more = changed(events[1]!, { seq: 4, data: { context: { b: 2 } } });
  expect(evolve(state, more).context).toEqual({ a: 1, b: 2 });
  foldEvents([more, changed(more, { seq: 5, type: 'Checkpointed', data: { notes: 'n' } })], state);
  expect(JSON.stringify(state)).toBe(before);
});
