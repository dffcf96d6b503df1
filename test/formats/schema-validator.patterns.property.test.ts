import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSchemaValidator } from '../../src/formats/schema-validator.ts';
import { codeOf } from '../support/thrown.ts';
import { matchesByStandard } from '../support/standard-match.ts';

const linear = createSchemaValidator();

const characters = fc.constantFrom(
  'a',
  'b',
  'Z',
  '0',
  '_',
  '-',
  ' ',
  '.',
  '\n',
  '\u2028',
  'é',
  '😀',
  '\u00a0',
  ']',
  '^',
  '/',
);
const atom = fc.oneof(
  {
    weight: 3,
    arbitrary: characters.map((text) => text.replace(/[\]^./-]/, '\\$&').replace('\\-', '\\x2d')),
  },
  fc.constantFrom(
    '.',
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '\\b',
    '\\B',
    '\\n',
    '\\t',
    '\\u0061',
    '\\u{1f600}',
    '\\p{L}',
    '\\P{Lu}',
    '[^]',
    '[]',
    '\\/',
    '^',
    '$',
  ),
  fc
    .tuple(
      fc.constantFrom('', '^'),
      fc.array(
        fc.constantFrom(
          'a',
          'b-d',
          '\\d',
          '\\W',
          '\\s',
          '\\S',
          '\\-',
          '\\]',
          '[',
          '^',
          '.',
          '&&',
          'é',
          '😀',
          '0-9',
          '\\p{L}',
          '\\b',
          '\\u0041-\\u005a',
          '$',
          '|',
          '(',
        ),
        {
          maxLength: 4,
        },
      ),
    )
    .map(([sign, members]) => `[${sign}${members.join('')}]`),
);
const isAssertion = (text: string) => ['\\b', '\\B', '^', '$'].includes(text);
const quantified = fc
  .tuple(atom, fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,2}', '{1,}', '*?', '{1,3}?'))
  .map(([text, quantifier]) => (isAssertion(text) ? text : `${text}${quantifier}`));
const pattern = fc.letrec<{ readonly pattern: string }>((tie) => ({
  pattern: fc
    .array(
      fc.oneof(
        { depthSize: 'small' },
        quantified,
        fc
          .tuple(fc.constantFrom('(', '(?:'), tie('pattern'), fc.constantFrom('', '*', '?', '{2}'))
          .map(([open, inner, quantifier]) => `${open}${inner})${quantifier}`),
        fc.tuple(quantified, tie('pattern')).map((parts) => parts.join('|')),
      ),
      { maxLength: 4 },
    )
    .map((parts) => parts.join('')),
})).pattern;
const subject = fc.oneof(
  fc.array(characters, { maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme' }),
);

test('patterns mean in linear time what they mean in JavaScript', () => {
  fc.assert(
    fc.property(pattern, fc.array(subject, { minLength: 3, maxLength: 6 }), (source, texts) => {
      const native = new RegExp(source, 'u');
      const compiled = linear.compile({ pattern: source });
      for (const text of texts) expect(compiled.validate(text).valid).toBe(matchesByStandard(native, text));
    }),
    { numRuns: 500 },
  );
});

test('any text is a pattern, no pattern, or one that cannot run in linear time', () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 3 }),
    fc.constantFrom(
      '\\',
      '(?',
      '[',
      ']',
      '{1',
      '}',
      '\\u',
      '\\u{',
      '\\k<',
      '\\x',
      '\\c',
      '(?<a>',
      '\\p{',
      '\ud800',
      '-',
    ),
  );
  const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (source) => {
      expect(['nothing was thrown', 'INVALID_SCHEMA', 'UNSUPPORTED_PATTERN']).toContain(
        codeOf(() => linear.validate({ pattern: source }, source)),
      );
    }),
    { numRuns: 500 },
  );
});
