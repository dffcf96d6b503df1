import { expect, test } from '@jest/globals';
import { RE2JS } from 're2js';
import { AutomatonMemory } from '../../../src/schema/patterns/linear-pattern.ts';

const MOST_BYTES = 65_536;

// A sequence of which no forty letters are like any other forty
const text = Array.from(
  { length: 5000 },
  (_, index) => 'ab'[Math.floor(Math.abs(Math.sin(index)) * 1000) % 2],
).join('');

const bytesOf = (engine: RE2JS): number => engine.re2().dfa.maxMem - engine.re2().dfa.memBudget;

test('forgets the states of an automaton that has many, and matches as before', () => {
  const unbounded = RE2JS.compile('a[ab]{40}[c-d]');
  expect(unbounded.test(text)).toBe(false);
  expect(bytesOf(unbounded)).toBeGreaterThan(MOST_BYTES);
  const memory = new AutomatonMemory();
  const engine = RE2JS.compile('a[ab]{40}[c-d]');
  expect(memory.test(engine, text)).toBe(false);
  expect(engine.re2().dfa.stateCount).toBe(0);
  expect(bytesOf(engine)).toBe(0);
  expect(memory.test(engine, text)).toBe(false);
  expect(memory.test(engine, `${text}${'a'.repeat(41)}d`)).toBe(true);
});

test('bounds what many engines keep together, also where each keeps little', () => {
  const memory = new AutomatonMemory();
  const engines = Array.from({ length: 300 }, (_, index) => RE2JS.compile(`a[ab]{3}${String(index)}[c-d]`));
  for (const engine of engines) expect(memory.test(engine, text.slice(0, 100))).toBe(false);
  const kept = engines.map(bytesOf);
  expect(Math.max(...kept)).toBeLessThan(MOST_BYTES / 2);
  expect(kept.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(MOST_BYTES);
});

test('keeps the states of an automaton that has few', () => {
  const engine = RE2JS.compile('(feat|fix): .+');
  const memory = new AutomatonMemory();
  expect(memory.test(engine, 'fix: spelling')).toBe(true);
  const { stateCount } = engine.re2().dfa;
  expect(stateCount).toBeGreaterThan(0);
  expect(memory.test(engine, 'fix: spelling')).toBe(true);
  expect(engine.re2().dfa.stateCount).toBe(stateCount);
});

test('makes no automaton where there is none', () => {
  const engine = RE2JS.compile('plain text');
  expect(new AutomatonMemory().test(engine, 'some plain text')).toBe(true);
  expect(engine.re2().lazyDFA).toBeNull();
});
