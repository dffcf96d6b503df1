import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { check, issues } from '../../support/check-helpers.ts';

const Coercing = z.object({
  count: z.coerce.number().int(),
  flag: z.coerce.boolean().optional(),
  rows: z.array(z.object({ n: z.coerce.number() })).optional(),
  either: z.union([z.coerce.number(), z.string()]).optional(),
  parsed: z.string().transform(Number).optional(),
});

test.each<readonly [string, Record<string, unknown>, readonly string[]]>([
  [
    'values of the published types',
    { count: 1, flag: false, rows: [{ n: 2 }], either: 'x', parsed: '7' },
    [],
  ],
  ['a number as text', { count: '1' }, ['count']],
  ['a boolean as text', { count: 1, flag: 'false' }, ['flag']],
  ['further in', { count: 1, rows: [{ n: 1 }, { n: '2' }] }, ['rows.1.n']],
  ['none of the branches of a union', { count: 1, either: true }, ['either']],
  ['null for what may be left out', { count: 1, flag: null }, []],
])('what the schema of zod publishes decides about %s, not what it can coerce', (_, value, paths) => {
  expect(issues(Coercing, value).map(({ path }) => path)).toEqual(paths);
  expect(check(Coercing, value).ok).toBe(paths.length === 0);
});

test('what an author converts on purpose stays accepted', () => {
  const parse = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value);
  const converting = z.object({ list: z.preprocess(parse, z.array(z.number())), n: z.coerce.number() });
  expect(issues(converting, { list: '[1]', n: 1 })).toEqual([]);
});

test('says what was expected, and what came', () => {
  expect(issues(Coercing, { count: 1, flag: 'false' })).toEqual([
    { path: 'flag', message: 'must be boolean', expected: 'boolean', received: 'string "false"' },
  ]);
});
