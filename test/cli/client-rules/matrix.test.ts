import { expect, test } from '@jest/globals';
import { createMatrix, matrixText } from '../../../src/cli/client-rules/matrix.ts';
import { createPaint } from '../../../src/cli/output/colours.ts';

const finding = { where: 'desk', what: 'is long.', fix: 'shorten it' };
const FINDINGS = [
  { ...finding, code: 'TW_FOR_TITLE', level: 'note', client: 'a' },
  { ...finding, code: 'TW_FOR_TITLE', level: 'problem', client: 'a' },
  { ...finding, code: 'TW_FOR_TITLE', level: 'advice', client: 'a' },
  { ...finding, code: 'TW_FOR_COUNT', level: 'advice', client: 'long' },
] as const;

test('has the most serious level of each code for each client', () => {
  expect(createMatrix(['a', 'long', 'c'], FINDINGS)).toEqual({
    a: { TW_FOR_TITLE: 'problem' },
    long: { TW_FOR_COUNT: 'advice' },
    c: {},
  });
});

test('is a row for each client', () => {
  expect(matrixText(['a', 'long', 'c'], FINDINGS, { paint: createPaint(false) })).toBe(
    'a     problem TITLE\nlong  advice COUNT\nc     ok',
  );
});
