import { expect, test } from '@jest/globals';
import { compareSides, takeTurns } from '../../bench/results/take-turns.ts';

function recordingSides(turns: string[]) {
  return ['bare', 'own', 'peer'].map((name, index) => ({
    name,
    measure: () => (turns.push(name), (index + 1) * 10),
  }));
}

test('the sides take turns, and every other round goes backwards', async () => {
  const turns: string[] = [];
  await takeTurns(recordingSides(turns), 2);
  expect(turns).toEqual(['bare', 'own', 'peer', 'peer', 'own', 'bare']);
});

test('the rounds of a side are kept in order, and each is announced', async () => {
  const announced: number[] = [];
  let count = 0;
  const side = { name: 'own', measure: () => Promise.resolve(++count) };
  const rounds = await takeTurns([side], 3, (round) => announced.push(round));
  expect(rounds.get('own')).toEqual([1, 2, 3]);
  expect(announced).toEqual([1, 2, 3]);
});

test('two sides are compared by name', async () => {
  const rounds = await takeTurns(recordingSides([]), 3);
  expect(compareSides(rounds, 'own', 'bare').median).toBe(2);
});

test('a side that took no turn cannot be compared', async () => {
  const rounds = await takeTurns(recordingSides([]), 1);
  expect(() => compareSides(rounds, 'own', 'other')).toThrow('other took no turn');
});
