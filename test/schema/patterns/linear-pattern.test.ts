import { expect, test, describe } from '@jest/globals';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { AutomatonMemory, boundPattern, linearTest } from '../../../src/schema/patterns/linear-pattern.ts';
import { matchesByStandard } from '../../support/standard-match.ts';
import { tries } from '../../support/thorough.ts';

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

const character = fc.constantFrom(
  ...['a', 'b', 'k', 'K', 's', 'S', '0', '1', '-', '_', ' ', '.', '@', '\n'],
  '\u2028',
  'é',
  '😀',
  '\ud83d',
  '\ude00',
  '\u017f',
  '\u212a',
);
const texts = fc.string({ unit: character, maxLength: 12 });
const atom = fc.constantFrom(
  ...[
    'a',
    'k',
    's',
    '-',
    '.',
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '[a-k]',
    '[^a]',
    '[^\\w]',
    '\\b',
    'é',
  ],
);
const piece = fc
  .tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '{2,}', '+?'))
  .map(([one, many]) => (one === '\\b' ? one : one + many));
const expression = fc
  .tuple(
    fc.constantFrom('', '^'),
    fc.array(
      fc.oneof(
        piece,
        fc.tuple(piece, piece).map(([a, b]) => `(?:${a}|${b})+`),
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
    fc.constantFrom('', '$'),
    fc.constantFrom('', 'i', 'u'),
  )
  .map(([start, pieces, end, flags]) => new RegExp(start + pieces.join('') + end, flags));

describe('a pattern on the engine without backtracking', () => {
  test('says what V8 says, of halves of characters and of letters that look alike as well', () => {
    fc.assert(
      fc.property(expression, fc.array(texts, { minLength: 5, maxLength: 5 }), (native, samples) => {
        const linear = linearTest(native);
        fc.pre(linear !== undefined);
        for (const text of samples)
          expect([text, linear(text)]).toEqual([text, matchesByStandard(native, text)]);
      }),
      { numRuns: tries(300, 3000) },
    );
  });

  test.each([/a(?=b)/, /(a)\1/, /a/g, /a/y, /^a$/m, /./s, /[\ud800-\udbff]/, new RegExp('\\p{L}'), /é/i])(
    'is none that it would read otherwise: %s',
    (native) => {
      expect(linearTest(native)).toBeUndefined();
    },
  );
});

describe('a bounded pattern', () => {
  test('is reported where no other engine can read the pattern, unless texts are short', () => {
    expect(boundPattern(/^(?!x)(a+)+$/).isBounded).toBe(false);
    expect(boundPattern(/^(?!x)a+b+$/).isBounded).toBe(false);
    expect(boundPattern(/^(?!x)a+b+$/, 50).isBounded).toBe(true);
  });
});
