import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSchemaValidator } from '../../src/formats/schema-validator.ts';
import { codeOf } from '../support/thrown.ts';
import { matchesByStandard } from '../support/standard-match.ts';
import { tries } from '../support/thorough.ts';

const linear = createSchemaValidator();
const trusting = createSchemaValidator({ trustedPatterns: true });

describe('a pattern', () => {
  test.each([
    ['^\\u0041$', 'A', 'B'],
    ['^\\x41\\cJ$', 'A\n', 'A'],
    ['^\\ud83d\\ude00$', '😀', 'a'],
    ['^\\u{1f600}$', '😀', 'a'],
    ['^.$', '😀', '\u2028'],
    ['^[^]$', '\n', 'ab'],
    ['^a[]|b$', 'b', 'a'],
    ['^\\s$', '\ufeff', 'x'],
    ['^[\\s]$', '\u00a0', 'x'],
    ['^\\S$', 'x', '\u3000'],
    ['^[\\S]$', 'x', '\u2003'],
    ['^\\w$', 'a', 'ä'],
    ['^[\\W_]$', 'ä', 'a'],
    ['^[\\b]$', '\b', 'b'],
    ['\\bfoo\\b', 'a foo b', 'afoob'],
    ['^[\\w.\\-]+$', 'a.b-c', 'a b'],
    ['^[\\d-x]$', '-', 'a'],
    ['^a\\/b\\.c$', 'a/b.c', 'a/bxc'],
    ['^(?<year>\\d{4})-(?:\\d\\d)?$', '2024-', '24-'],
    ['^\\p{Lu}\\P{Lu}$', 'Ää', 'ää'],
    ['^\\p{Script=Greek}+$', 'αβ', 'ab'],
    ['^\\p{L}{2,}?$', 'äö', 'a'],
    ['^{x}$', '{x}', 'x'],
    ['^a{,5}$', 'a{,5}', 'aaa'],
    ['^]$', ']', '['],
    ['^\\z\\A\\Q$', 'zAQ', ''],
    ['^[[:alpha:]]$', 'a]', 'b'],
    ['^a$', 'a', 'a\n'],
    ['^\\0$', '\0', '0'],
    ['^a{1000}$', 'a'.repeat(1000), 'a'.repeat(999)],
    ['', 'anything', undefined],
  ])('%# %.30s takes some and not others', (pattern, inside, outside) => {
    expect(linear.validate({ pattern }, inside).valid).toBe(true);
    if (outside !== undefined)
      expect(linear.validate({ pattern }, outside).errors).toMatchObject([{ keyword: 'pattern' }]);
  });

  test('is kept apart from the others of its schema', () => {
    const properties = { a: { pattern: '^a$' }, b: { pattern: '^b$' } };
    const patternProperties = { '^c': { pattern: '^c$' }, '^d': { pattern: '^d$' } };
    const schema = { properties, patternProperties, additionalProperties: false };
    const values = { a: 'a', b: 'b', c: 'c', d: 'd' };
    expect(linear.validate(schema, values).valid).toBe(true);
    for (const name of Object.keys(values)) {
      expect(linear.validate(schema, { ...values, [name]: 'x' }).errors).toMatchObject([
        { path: `/${name}` },
      ]);
    }
    expect(linear.validate(schema, { e: '' }).valid).toBe(false);
  });

  test.each([
    '(?=a)',
    '(?!a)b',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    'a{1001}',
    'a{2,1001}',
    'a{1001,}',
    '(a{1000}){1000}',
    '((a{100}){100}){100}',
    'a{99999999999999999999}',
    '\\p{Script_Extensions=Greek}',
  ])('%s cannot run in linear time', (pattern) => {
    const schemas = [{ pattern }, { patternProperties: { [pattern]: true } }, { not: { pattern } }];
    for (const schema of schemas) {
      expect(codeOf(() => linear.validate(schema, 'a'))).toBe('UNSUPPORTED_PATTERN');
    }
  });

  test('of code that is trusted runs as JavaScript runs it', () => {
    expect(trusting.validate({ pattern: '^(?!a)(.)\\1$' }, 'bb').valid).toBe(true);
    expect(trusting.validate({ pattern: '^(?!a)(.)\\1$' }, 'aa').valid).toBe(false);
    expect(trusting.validate({ pattern: '^[\\w.\\-]$' }, '-').valid).toBe(true);
    expect(codeOf(() => trusting.validate({ pattern: '(' }, 'a'))).toBe('INVALID_SCHEMA');
  });

  test.each(['(a+)+$', '^(a|a)*$', '(.*a){20}$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(x+x+)+y'])(
    '%s, which would take years, does not',
    (pattern) => {
      const text = `${'a'.repeat(5000)}!`;
      expect(linear.validate({ pattern }, text).errors).toMatchObject([{ keyword: 'pattern' }]);
    },
  );

  test('that is too large, alone or with the others, is refused', () => {
    const many = Object.fromEntries(
      Array.from({ length: 3000 }, (_none, index) => [`^a${String(index)}`, true]),
    );
    const large = Array.from({ length: 200 }, (_none, index) => ({
      pattern: `^[a-z]{999}${String(index)}$`,
    }));
    for (const schema of [
      { patternProperties: many },
      { anyOf: large },
      { pattern: '(a|b)'.repeat(50_000) },
    ]) {
      expect(codeOf(() => linear.validate(schema, 'a'))).toBe('UNSUPPORTED_PATTERN');
    }
  });
});

test('patterns of strangers keep next to nothing of the texts that were matched against them', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  // a sequence of which no forty letters are like any other forty
  const letters = Array.from({ length: 20_000 }, (_, index) => {
    return 'ab'[Math.floor(Math.abs(Math.sin(index)) * 1000) % 2];
  });
  const text = letters.join('');
  const schemas = Array.from({ length: 12 }, (_, index) => ({
    type: 'string' as const,
    pattern: `a[ab]{${String(40 + index)}}[c-d]`,
  }));
  expect(linear.validate(schemas[0], text).valid).toBe(false);
  const before = heap();
  for (const schema of schemas) expect(linear.validate(schema, text).valid).toBe(false);
  // each would keep some five million bytes
  expect(heap() - before).toBeLessThan(10_000_000);
  expect(linear.validate(schemas[3], `${text}${'a'.repeat(60)}d`).valid).toBe(true);
});

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
    { numRuns: tries(50, 500) },
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
    { numRuns: tries(50, 500) },
  );
});
