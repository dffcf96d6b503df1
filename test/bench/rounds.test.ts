import { expect, test } from '@jest/globals';
import {
  calmest,
  compareSides,
  rowsAgainst,
  sidesToRepeat,
  spreadOfSide,
  takeUntilCalm,
  type Take,
} from '../../bench/results/rounds.ts';

const take = (rounds: Readonly<Record<string, readonly number[]>>): Take => new Map(Object.entries(rounds));
const first = take({ bare: [100, 50], own: [80, 40], peer: [10, 10] });
const asked: string[] = [];
const unlimited = { repeats: 2, repeatUntil: Infinity, progress: (text: string) => void asked.push(text) };

test('every side stands beside each reference but itself, or alone where there is none', () => {
  expect(rowsAgainst(['bare', 'own'], ['bare', 'own'])).toEqual([
    ['bare', 'own'],
    ['own', 'bare'],
  ]);
  expect(rowsAgainst(['a', 'b'], [])).toEqual([['a'], ['b']]);
});

test('a row whose ratio differs by more than a third is taken again, whatever its sides did together', () => {
  expect(sidesToRepeat([first], [['own', 'bare']])).toEqual([]);
  expect(
    sidesToRepeat(
      [first],
      [
        ['own', 'bare'],
        ['peer', 'bare'],
      ],
    ),
  ).toEqual(['peer', 'bare']);
  expect(sidesToRepeat([first], [['own'], ['peer']])).toEqual(['own']);
});

test('of several takes the calmest counts, and says how many there were', () => {
  const again = take({ bare: [100, 100], peer: [20, 21] });
  const { median, minimum, takes } = compareSides([first, again], 'peer', 'bare');
  expect(median).toBeCloseTo(0.205);
  expect([minimum, takes]).toEqual([0.2, 2]);
  expect(sidesToRepeat([first, again], [['peer', 'bare']])).toEqual([]);
  expect(compareSides([first, again], 'own', 'bare')).toEqual({ median: 0.8, minimum: 0.8, maximum: 0.8 });
  expect(spreadOfSide([first, again], 'bare').minimum).toBe(100);
});

test('a ratio is never made of rounds of different takes', () => {
  const again = take({ bare: [1, 1] });
  expect(compareSides([first, again], 'own', 'bare').median).toBe(0.8);
  expect(() => calmest([take({ a: [1] }), take({ b: [1] })], ['a', 'b'], () => ({}) as never)).toThrow(
    'a, b were never taken together',
  );
});

test('a side that took no turn cannot be compared', () => {
  expect(() => compareSides([first], 'bare', 'other')).toThrow('other took no turn');
});

test('only noisy sides are taken again, until they are calm', async () => {
  const wanted: (readonly string[])[] = [];
  const takes = [first, take({ bare: [100, 50], peer: [10, 10] }), take({ bare: [100, 90], peer: [10, 10] })];
  const rounds = await takeUntilCalm(
    ['bare', 'own', 'peer'],
    rowsAgainst(['bare', 'own', 'peer'], ['bare']),
    (names) => (wanted.push(names), Promise.resolve(takes[wanted.length - 1] ?? first)),
    unlimited,
  );
  expect(wanted).toEqual([
    ['bare', 'own', 'peer'],
    ['bare', 'peer'],
    ['bare', 'peer'],
  ]);
  expect(rounds).toHaveLength(3);
  expect(asked.at(-1)).toBe('again, because their rounds differ by more than a third: peer, bare');
});

test.each([
  ['its repetitions are used up', { ...unlimited, repeats: 1 }, 2],
  ['its time is over', { ...unlimited, repeatUntil: 0 }, 1],
])('what stays noisy is given up when %s', async (_, repetition, count) => {
  const rounds = await takeUntilCalm(['own'], [['own']], () => Promise.resolve(first), repetition);
  expect(rounds).toHaveLength(count);
});
