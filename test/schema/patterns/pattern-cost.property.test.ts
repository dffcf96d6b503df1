import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { patternCost } from '../../../src/schema/patterns/pattern-cost.ts';
import { tries } from '../../support/thorough.ts';

function sizeOf(source: string): number {
  return RE2JS.compile(source).programSize();
}

const atom = fc.constantFrom(
  'a',
  '.',
  '\\d',
  '\\p{L}',
  '[a-z]',
  '[^\\]()]',
  '\\x{1f600}',
  '^',
  '\\b',
  '\\)',
  '\\[',
);
// All of them within each other are fewer repetitions than the thousand that the engine allows.
const times = fc.constantFrom('', '', '*', '+?', '?', '{2}', '{0}', '{0,3}', '{3,}', '{1,3}?');
const { pattern } = fc.letrec<{ pattern: string }>((tie) => {
  const group = fc
    .tuple(fc.constantFrom('(', '(?:', '(?i:'), tie('pattern'))
    .map(([open, inner]) => `${open}${inner})`);
  const item = fc.tuple(fc.oneof({ maxDepth: 4 }, atom, group), times).map((parts) => parts.join(''));
  return { pattern: fc.array(item, { maxLength: 4 }).map((items) => items.join('|')) };
});

describe('patternCost', () => {
  test('is never below the number of instructions that the engine makes', () => {
    fc.assert(
      fc.property(pattern, (source) => {
        // Three are there for nothing: one that fails, one that matches, and one that is the empty pattern
        expect(patternCost(source, false) + 3).toBeGreaterThanOrEqual(sizeOf(source));
      }),
      { numRuns: tries(200, 2000) },
    );
  });

  test.each([
    '(abc){1000}',
    '(?:a?){500}',
    '((a|b)*c){10,20}',
    '((a{10}){10}){10}',
    'a{999,}',
    '[a-z]{1,1000}',
  ])('is not far above it for %s', (source) => {
    expect(patternCost(source, false)).toBeLessThanOrEqual(6 * sizeOf(source));
  });

  test.each([
    ['repetitions within each other', '(((a{1000}){1000}){1000}){1000}', 1e12],
    ['a repetition of what is never closed', '(a{1000}(b', 1000],
    ['a repetition behind a bracket that closes nothing', 'abcdefghij){1000}', 10_000],
    ['a property of Unicode', '\\p{L}{100}', 1000],
    ['a class of many properties', `[${'\\p{L}'.repeat(100)}]`, 5000],
  ])('counts %s', (_name, source, least) => {
    expect(patternCost(source, false)).toBeGreaterThanOrEqual(least);
  });

  test.each(['[!-\u{1e942}]', '[\\x{21}-\\x{1e942}]', '[a!-\u{1e942}]'])(
    'counts every character of %s where case does not matter',
    (source) => {
      expect(patternCost(source, false)).toBeLessThan(10);
      expect(patternCost(source, true)).toBeGreaterThan(800);
      expect(patternCost(`a(?i)${source}`, false)).toBeGreaterThan(800);
      expect(patternCost(`(?s-m)(?mi:${source})`, false)).toBeGreaterThan(800);
    },
  );

  test.each(['\\p{', '\\x{', '{', '[', '(', '\\', '{1,', '[-', ')'])(
    'takes %s a hundred thousand times',
    (piece) => {
      expect(patternCost(piece.repeat(100_000), true)).toBeGreaterThan(0);
    },
  );
});
