import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { logEntry, logWord, visibleText } from '../../src/shared/visible-text.ts';

const HOSTILE = 'a\u001b[2Jb\u0007\r\nc\td\u202e\u009b\u2028\u061c\r\u007f';

test('shows what would steer a terminal by its code, and keeps lines, tabs and all letters', () => {
  expect(visibleText(HOSTILE)).toBe('a\\u001b[2Jb\\u0007\nc\td\\u202e\\u009b\\u2028\\u061c\\u000d\\u007f');
  const letters = 'Ünïcode \u200d👨‍👩‍👧 日本';
  expect(visibleText(letters)).toBe(letters);
});

test('JSON means the same as before', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      const json = JSON.stringify({ value, HOSTILE }, undefined, indent);
      expect(JSON.parse(visibleText(json))).toEqual(JSON.parse(json));
    }),
    { numRuns: 50 },
  );
});

test('an entry of a log is one line that others do not begin', () => {
  expect(logEntry('it failed:\tx\nerror forged')).toBe('it failed:\\u0009x\n  error forged');
});

test.each([
  ['tasks', 'tasks'],
  ['mcp://a/b?c', 'mcp://a/b?c'],
  ['', '""'],
  ['x tool=admin', '"x tool=admin"'],
  ['a=b', '"a=b"'],
  ['"', '"\\""'],
  ['x\nerror forged', '"x\\nerror forged"'],
  ['größer\u0085\u202e', '"größer\\u0085\\u202e"'],
])('a member is quoted unless it is one plain word: %j', (given, expected) => {
  expect(logWord(given)).toBe(expected);
});
