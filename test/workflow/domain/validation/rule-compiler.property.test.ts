import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compilePattern } from '../../../../src/workflow/domain/validation/rule-compiler.ts';
import { matchesByStandard } from '../../../support/standard-match.ts';

// The specification of what patterns mean is the engine of JavaScript, in its Unicode mode.
const character = fc.constantFrom(
  'a',
  'b',
  'Z',
  '0',
  '_',
  '-',
  ' ',
  '\n',
  '\u2028',
  'é',
  '😀',
  '\u00a0',
  '/',
);
const atom = fc.oneof(
  { weight: 3, arbitrary: character.map((text) => text.replace(/[/]/, '\\/').replace('-', '\\x2d')) },
  fc.constantFrom('.', '\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\b', '\\B', '\\.', '\\u{1F600}'),
  fc.constantFrom('\\uD83D\\uDE00', '\\u0061', '\\x5f', '\\n', '\\cJ', '\\p{L}', '\\P{Lu}', '\\$'),
  fc.constantFrom('[a-z]', '[^a-z]', '[\\s\\d]', '[^\\s]', '[\\S]', '[\\w.]', '[]', '[^]', '[😀b]', '[\\]/]'),
);
const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '+?');
const ASSERTIONS = ['\\b', '\\B'];

const { pattern } = fc.letrec<{ pattern: string }>((tie) => {
  const group = fc.oneof(
    { maxDepth: 3 },
    atom,
    fc.tuple(fc.constantFrom('(', '(?:'), tie('pattern')).map(([open, inner]) => `${open}${inner})`),
  );
  const item = fc
    .tuple(group, quantifier)
    .map(([inner, times]) => (ASSERTIONS.includes(inner) ? inner : `${inner}${times}`));
  const sequence = fc.array(item, { minLength: 1, maxLength: 4 }).map((items) => items.join(''));
  return { pattern: fc.array(sequence, { minLength: 1, maxLength: 2 }).map((choices) => choices.join('|')) };
});
const anchored = fc
  .tuple(fc.constantFrom('', '^'), pattern, fc.constantFrom('', '$'))
  .map(([start, inner, end]) => (start + end === '' ? inner : `${start}(?:${inner})${end}`));
const text = fc.array(character, { maxLength: 8 }).map((parts) => parts.join(''));

test('means what JavaScript means by a pattern', () => {
  fc.assert(
    fc.property(anchored, fc.constantFrom('', 's', 'u', 'su'), text, (source, flags, subject) => {
      const native = new RegExp(source, flags.includes('u') ? flags : `${flags}u`);
      expect(compilePattern(source, flags).test(subject)).toBe(matchesByStandard(native, subject));
    }),
    { numRuns: 5000 },
  );
});

test('ignores case as JavaScript does', () => {
  const letters = fc.constantFrom(
    'a',
    'B',
    'z',
    'É',
    'é',
    'ß',
    'σ',
    'ς',
    'Σ',
    '0',
    '-',
    '.',
    '[A-C]',
    '[^b]',
    '\\d',
  );
  const source = fc.array(letters, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
  const subject = fc.array(fc.constantFrom('A', 'b', 'Z', 'É', 'é', 'Σ', 'ς', '0', '-'), { maxLength: 6 });
  fc.assert(
    fc.property(source, subject, (pattern_, parts) => {
      const joined = parts.join('');
      expect(compilePattern(pattern_, 'i').test(joined)).toBe(new RegExp(pattern_, 'iu').test(joined));
    }),
    { numRuns: 3000 },
  );
});

test('ends lines with m at line feeds, as JavaScript does with those', () => {
  const source = fc
    .tuple(fc.constantFrom('', '^'), fc.constantFrom('a', 'a*', '.', 'b+', ''), fc.constantFrom('', '$'))
    .map((parts) => parts.join(''));
  const subject = fc.array(fc.constantFrom('a', 'b', '\n'), { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(source, subject, (inner, joined) => {
      expect(compilePattern(inner, 'm').test(joined)).toBe(new RegExp(inner, 'mu').test(joined));
    }),
    { numRuns: 1000 },
  );
});

test('differs where only whole characters and line feeds count', () => {
  expect(compilePattern('^.$', '').test('😀')).toBe(true);
  expect(/^.$/.test('😀')).toBe(false);
  expect(compilePattern('^a$', 'm').test('a\r\nb')).toBe(false);
  expect(/^a$/m.test('a\r\nb')).toBe(true);
});
