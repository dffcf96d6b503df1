import { expect, test } from '@jest/globals';
import { columns, lengthOf, wrap } from '../../../src/cli/output/wrap.ts';

test('breaks lines between words, and never inside of one', () => {
  expect(wrap('one two three', 8)).toBe('one two\nthree');
  expect(wrap('  one two three', 9, '  ')).toBe('  one two\n    three');
  expect(wrap('one two three four five', 10, '  ')).toBe('one two\n  three\n  four\n  five');
  expect(wrap('incomprehensibilities', 8)).toBe('incomprehensibilities');
  expect(wrap('one two three', Infinity)).toBe('one two three');
});

test('puts texts beside names, or below them where there is no room', () => {
  const rows = [
    ['a', 'what a is'],
    ['long-name', ''],
  ] as const;
  expect(columns(rows, 80)).toBe('  a          what a is\n  long-name');
  expect(columns(rows, 30)).toBe('  a\n    what a is\n  long-name');
});

test('on a wide terminal, texts stand below their names rather than in a narrow column', () => {
  const rows = [['n'.repeat(85), 'what it is and what it does for you']] as const;
  expect(columns(rows, 120, '').split('\n')).toHaveLength(2);
});

test('no line of a text stands where a name does', () => {
  const name = 'n'.repeat(85);
  expect(columns([[name, 'one\ntwo']], 120, '')).toBe(`${name}\n  one\n  two`);
  expect(columns([['n', 'one\ntwo']], 80, '')).toBe('n  one\n   two');
});

test('keeps every line within a narrow width', () => {
  const rows = [['tasks.create(title: string)', 'Create a task that somebody has to do soon']] as const;
  for (const line of columns(rows, 40, '').split('\n')) expect(lengthOf(line)).toBeLessThanOrEqual(40);
});
