import { describe, expect, test } from '@jest/globals';
import { evaluateTarget, type Target } from '../../bench/results/target.ts';

const target = (comparison: Target['comparison'], limit: Target['limit']): Target => ({
  name: 'speed',
  comparison,
  limit,
});
const measured = (median: number) => ({ median, minimum: median - 1, maximum: median + 1 });

describe('the verdict', () => {
  test.each([
    ['>=', 0.8, 0.8, true],
    ['>=', 0.8, 0.7999, false],
    ['>', 1, 1.0001, true],
    ['>', 1, 1, false],
    ['<=', 1.15, 1.15, true],
    ['<=', 1.15, 1.1501, false],
  ] as const)('of %s %d for %d is %s', (comparison, limit, value, ok) => {
    expect(evaluateTarget(target(comparison, limit), measured(value)).ok).toBe(ok);
  });

  test.each([
    [0.89, false],
    [0.9, true],
    [1.1, true],
    [1.11, false],
  ])('of 0.9 to 1.1 for %d is %s', (value, ok) => {
    expect(evaluateTarget(target('between', [0.9, 1.1]), measured(value)).ok).toBe(ok);
  });
});

test('a target that was met has its figure, and the target as text and as data', () => {
  expect(evaluateTarget(target('>=', 10), measured(12))).toEqual({
    name: 'speed',
    target: '>= 10',
    comparison: '>=',
    limit: 10,
    unit: 'ratio',
    measured: 12,
    minimum: 11,
    maximum: 13,
    noise: 2 / 12,
    ok: true,
  });
});

test('a target with a unit says so', () => {
  const row = evaluateTarget({ ...target('<=', 300), unit: 'ms' }, measured(400));
  expect(row).toMatchObject({ target: '<= 300 ms', unit: 'ms', measured: 400, ok: false });
});

test('what was not measured is neither met nor missed, and says why', () => {
  const row = evaluateTarget(target('>=', 10), { reason: 'it does not start' });
  expect(row).toMatchObject({
    measured: null,
    minimum: null,
    noise: null,
    ok: null,
    reason: 'it does not start',
  });
});

test('a target says when its rounds are too far apart to mean much', () => {
  const row = evaluateTarget(target('>=', 1), { median: 2, minimum: 1.5, maximum: 2.5, takes: 3 });
  expect(row).toMatchObject({ ok: true, noise: 0.5 });
  expect(row.reason).toBe('noisy: the rounds differ by 50 %, also when taken 3 times');
});

test('a difference, which may be nothing, has no noise', () => {
  const row = evaluateTarget({ ...target('<=', 2), unit: 'MB', isDifference: true }, measured(0.01));
  expect([row.noise, row.reason]).toEqual([null, undefined]);
});
