import { expect, test } from '@jest/globals';
import { RE2JS } from 're2js';
import { forgetStates } from '../../../../src/workflow/domain/validation/forget-states.ts';

// A sequence of which no forty letters are like any other forty
const text = Array.from(
  { length: 5000 },
  (_, index) => 'ab'[Math.floor(Math.abs(Math.sin(index)) * 1000) % 2],
).join('');

test('forgets the states of an automaton that has many, and matches as before', () => {
  const engine = RE2JS.compile('a[ab]{40}[c-d]');
  expect(engine.test(text)).toBe(false);
  const { dfa } = engine.re2();
  expect(dfa.maxMem - dfa.memBudget).toBeGreaterThan(65_536);
  forgetStates(engine);
  expect(dfa.stateCount).toBe(0);
  expect(dfa.memBudget).toBe(dfa.maxMem);
  expect(engine.test(text)).toBe(false);
  expect(engine.test(`${text}${'a'.repeat(41)}d`)).toBe(true);
});

test('keeps the states of an automaton that has few', () => {
  const engine = RE2JS.compile('(feat|fix): .+');
  expect(engine.test('fix: spelling')).toBe(true);
  const { stateCount } = engine.re2().dfa;
  forgetStates(engine);
  expect(stateCount).toBeGreaterThan(0);
  expect(engine.re2().dfa.stateCount).toBe(stateCount);
});

test('makes no automaton where there is none', () => {
  const engine = RE2JS.compile('plain text');
  forgetStates(engine);
  expect(engine.re2().lazyDFA).toBeNull();
});
