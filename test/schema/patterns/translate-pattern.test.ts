import { expect, test } from '@jest/globals';
import { compileLinear, readPattern } from '../../../src/schema/patterns/linear-pattern.ts';
import { translatePattern } from '../../../src/schema/patterns/translate-pattern.ts';

test('a translation says nothing that RE2 would take for something else', () => {
  expect(translatePattern('a.b')).toBe('a[^\\n\\r\\x{2028}\\x{2029}]b');
  expect(translatePattern('a.b', 's')).toBe('a.b');
  expect(translatePattern('#[&-~]')).toBe('\\x{23}[\\x{26}-\\x{7e}]');
});

test.each([
  ['a(?=b)', 'uses look-around, which cannot run in linear time'],
  ['(?<!a)b', 'uses look-around, which cannot run in linear time'],
  ['(?<n>[a\\-z])\\k<n>', 'uses a back-reference, which cannot run in linear time'],
  ['(a)\\1', 'uses a back-reference, which cannot run in linear time'],
  ['a{2,1001}', 'repeats something more than 1000 times'],
  ['\\u{ffffffff}', 'has no character at \\u{ffffffff}'],
  ['\\p', 'uses \\p in an unknown way'],
  ['a\\', 'ends with a backslash'],
  ['[a', 'has a class that does not end'],
])('%s cannot be translated: it %s', (source, reason) => {
  expect(() => translatePattern(source)).toThrow(reason);
});

test.each([
  ['a.c', 's', 'a\nc', 'ac'],
  ['^b$', 'm', 'a\nb\nc', 'ab'],
  ['straße', 'i', 'STRAßE', 'strasse'],
  ['[b-d].', 'is', 'C\u2028', 'A\u2028'],
])('the flags of /%s/%s mean what they mean in JavaScript', (source, flags, inside, outside) => {
  const native = readPattern(source, flags);
  const { test: matches } = compileLinear(translatePattern(source, flags), flags);
  for (const text of [inside, outside]) expect([text, matches(text)]).toEqual([text, native.test(text)]);
  expect(matches(inside)).toBe(true);
});

test('a pattern is read with the flag u where that is possible', () => {
  expect([readPattern('\\p{L}').flags, readPattern('\\-', 'iu').flags]).toEqual(['u', 'i']);
  expect(() => readPattern('(')).toThrow(SyntaxError);
});

test.each([
  ['(?i)a', 'A', 'b'],
  ['(?i:a)b', 'Ab', 'AB'],
  ['(?P<letter>a)b', 'ab', 'b'],
  ['\\Aa', 'ab', 'ba'],
  ['a\\z', 'ba', 'ab'],
  ['^\\pN$', '7', 'N'],
  ['^[\\x{4e00}-\\x{9fff}]$', '\u4e2d', 'x'],
  ['^\\07$', '\u0007', '7'],
])('%s of other languages is read as RE2 reads it, if that is asked for', (source, inside, outside) => {
  const { test: matches } = compileLinear(translatePattern(source, '', true));
  expect([matches(inside), matches(outside)]).toEqual([true, false]);
});
