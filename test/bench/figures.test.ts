import { expect, test } from '@jest/globals';
import { aheadOf, figuresOf, ratioOrReason } from '../../bench/sections/figures.ts';

const outcome = {
  rounds: [
    new Map([
      ['bare', [100, 200]],
      ['own', [80, 160]],
      ['slow', [10, 20]],
      ['fast', [40, 80]],
    ]),
  ],
  failures: new Map([['broken', 'it does not start']]),
  clientShare: 0.5,
};

test('figures are sorted by speed, and a peer that cannot run is shown with the reason', () => {
  const figures = figuresOf(outcome, 'bare');
  expect(figures.map(({ name }) => name)).toEqual(['bare', 'own', 'fast', 'slow', 'broken']);
  expect(figures.at(-1)).toEqual({ name: 'broken', ratio: undefined, note: 'it does not start' });
});

test('clients that were busy all the time are noted at the reference', () => {
  const [reference] = figuresOf({ ...outcome, clientShare: 0.97 }, 'bare');
  expect(reference?.note).toContain('97 %');
});

test('a ratio to a peer that failed is a reason instead', () => {
  expect(ratioOrReason(outcome, 'own', 'broken')).toEqual({ reason: 'broken: it does not start' });
  expect(ratioOrReason(outcome, 'own', 'slow')).toMatchObject({ median: 8 });
});

test('being ahead of all is being ahead of the fastest that runs', () => {
  expect(aheadOf(outcome.rounds, 'own', ['slow', 'fast', 'broken'])).toMatchObject({ median: 2 });
  expect(aheadOf(outcome.rounds, 'own', ['broken'])).toEqual({ reason: 'None of the others runs here' });
});
