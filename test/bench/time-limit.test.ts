import { expect, test } from '@jest/globals';
import { DEFAULT_SECTIONS } from '../../bench/results/section.ts';
import { MINUTES, repetitionEnd } from '../../bench/results/time-limit.ts';
import { SECTIONS } from '../../bench/sections/all-sections.ts';

test('all sections that are not asked for by name leave time to take noisy rows again', () => {
  const seconds = DEFAULT_SECTIONS.reduce((sum, name) => sum + SECTIONS[name].seconds, 0);
  expect(seconds).toBeLessThanOrEqual(MINUTES * 60 - 45);
});

test('a section may repeat for as long as those after it do not need the time', () => {
  expect(repetitionEnd(0, [])).toBe(720_000);
  expect(repetitionEnd(1000, [{ seconds: 100 }, { seconds: 20 }])).toBe(601_000);
});
