import { expect, test } from '@jest/globals';
import { compareSides } from '../../bench/results/rounds.ts';
import { takeTurns } from '../../bench/results/take-turns.ts';

function recordingSides(turns: string[]) {
  return ['bare', 'own', 'peer'].map((name, index) => ({
    name,
    measure: () => (turns.push(name), (index + 1) * 10),
  }));
}

const turnsOf = (rounds: number, progress: (text: string) => void = () => undefined) => ({
  rounds,
  repeats: 1,
  repeatUntil: Infinity,
  progress,
});

test('the sides take turns, and every other round goes backwards', async () => {
  const turns: string[] = [];
  await takeTurns(recordingSides(turns), ['bare'], turnsOf(2));
  expect(turns).toEqual(['bare', 'own', 'peer', 'peer', 'own', 'bare']);
});

test('the rounds of a side are kept in order, and each is announced', async () => {
  const announced: string[] = [];
  let count = 99;
  const side = { name: 'own', measure: () => Promise.resolve(++count) };
  const rounds = await takeTurns(
    [side],
    [],
    turnsOf(3, (text) => announced.push(text)),
  );
  expect(rounds[0]?.get('own')).toEqual([100, 101, 102]);
  expect(announced).toEqual(['round 1 of 3', 'round 2 of 3', 'round 3 of 3']);
});

test('two sides are compared by name', async () => {
  const rounds = await takeTurns(recordingSides([]), ['bare'], turnsOf(3));
  expect(compareSides(rounds, 'own', 'bare').median).toBe(2);
});

test('a side that is noisy beside the reference is measured again with it, and the others are not', async () => {
  const turns: string[] = [];
  let count = 0;
  const noisy = { name: 'noisy', measure: () => (turns.push('noisy'), (count += 10)) };
  const rounds = await takeTurns([...recordingSides(turns), noisy], ['bare'], turnsOf(2));
  expect(turns.slice(8)).toEqual(['bare', 'noisy', 'noisy', 'bare']);
  expect(compareSides(rounds, 'noisy', 'bare')).toMatchObject({ takes: 2, median: 3.5 });
});
