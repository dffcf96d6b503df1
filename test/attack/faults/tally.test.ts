import { expect, test } from '@jest/globals';
import { tally, type Witnesses } from './tally.ts';

const call = (action: string, label: string, end = 'ok') => ({ action, label, end, milliseconds: 1 });
const clean: Witnesses = {
  ends: [call('pay', 'a'), call('report', 'b'), call('get', 'c'), call('buy', 'd', 'TRY_AGAIN_LATER')],
  effects: ['pay a', 'read b', 'read b', 'write b'],
  log: ['00:00:00.000 replica-1 warning task.store-failed The store is away {}'],
  crashes: [],
};
const faultsOf = (more: Partial<Witnesses>): readonly string[] => tally({ ...clean, ...more }).faults;

test('what clients can expect is counted, and no fault', () => {
  const { text, faults } = tally(clean);
  expect(faults).toEqual([]);
  expect(text).toMatch(/^4 begun, 3 ok, 1 × TRY_AGAIN_LATER, .*, 1 steps cut and run again$/);
});

test("a hang that is the client's own is counted, and no fault", () => {
  const end = 'hung: reply that v1 does not send again';
  const { text, faults } = tally({ ...clean, ends: [call('buy', 'd', end)] });
  expect([text, faults]).toEqual([expect.stringContaining(`1 × buy ${end}`), []]);
});

test.each<[string, Partial<Witnesses>, string]>([
  ['an effect twice', { effects: [...clean.effects, 'pay a'] }, 'effects twice: pay a'],
  ['an answer without its effect', { effects: ['pay a', 'read b'] }, 'acknowledged without effect: report b'],
  ['a crash', { crashes: ['1: Error'] }, 'crashed: 1: Error'],
  ['a wrong answer', { ends: [call('get', 'c', 'wrong: get d')] }, 'get c: wrong: get d'],
  ['an INTERNAL_ERROR', { ends: [call('get', 'c', 'INTERNAL_ERROR')] }, 'get c: INTERNAL_ERROR'],
  ['a hang that no client is known for', { ends: [call('get', 'c', 'hung: ours')] }, 'get c: hung: ours'],
])('%s is a fault', (_, more, fault) => {
  expect(faultsOf(more)).toEqual([fault]);
});

test('a call that something escaped from is a fault', () => {
  const line = '00:00:00.000 replica-1 error call.escaped The call of shop broke {}';
  expect(faultsOf({ log: [...clean.log, line] })).toEqual([`escaped in the log: ${line}`]);
});
