import { expect, test } from '@jest/globals';
import { isNoisy, median, noiseNote, noiseOf, ratioSpread, spreadOf } from '../../bench/results/spread.ts';

test('takes the middle of an odd number of values', () => {
  expect(median([9, 1, 5])).toBe(5);
});

test('takes the mean of the two in the middle of an even number of values', () => {
  expect(median([8, 1, 2, 4])).toBe(3);
});

test('sorts by number, not by text', () => {
  expect(median([100, 20, 3])).toBe(20);
});

test('leaves the values in their order', () => {
  const values = [3, 1, 2];
  median(values);
  expect(values).toEqual([3, 1, 2]);
});

test('refuses to find the middle of nothing', () => {
  expect(() => median([])).toThrow(RangeError);
});

test('gives the median with the ends', () => {
  expect(spreadOf([4, 2, 8])).toEqual({ median: 4, minimum: 2, maximum: 8 });
});

test('compares round by round, so that a slow round of both sides changes nothing', () => {
  expect(ratioSpread([100, 10, 60], [50, 5, 20])).toEqual({ median: 2, minimum: 2, maximum: 3 });
});

test('refuses to compare sides with different rounds', () => {
  expect(() => ratioSpread([1, 2], [1])).toThrow(RangeError);
});

test('noise is how far the rounds are apart, as a share of the median', () => {
  expect(noiseOf({ median: 2, minimum: 1, maximum: 2 })).toBe(0.5);
  expect(noiseOf({ median: 0, minimum: 0, maximum: 0 })).toBe(0);
});

test('rounds that differ by more than a third are noisy', () => {
  expect(isNoisy({ median: 3, minimum: 3, maximum: 4 })).toBe(false);
  expect(isNoisy({ median: 3, minimum: 3, maximum: 4.01 })).toBe(true);
});

test('what is noisy says by how much, and how often it was measured', () => {
  expect(noiseNote({ median: 1, minimum: 1, maximum: 1.2 })).toBeUndefined();
  expect(noiseNote({ median: 1, minimum: 1, maximum: 2 })).toBe('noisy: the rounds differ by 100 %');
  expect(noiseNote({ median: 1, minimum: 1, maximum: 2, takes: 2 })).toContain('also when taken 2 times');
});
