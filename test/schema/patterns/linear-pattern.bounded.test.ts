import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { boundPattern, linearTest } from '../../../src/schema/patterns/linear-pattern.ts';
import { matchesByStandard } from '../../support/standard-match.ts';

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
      { numRuns: 3000 },
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
