import { expect, test } from '@jest/globals';
import { LatestWrite } from '../../../src/features/tasks/running-task.ts';
import { settle } from '../../support/manual-clock.ts';

const failures: unknown[] = [];
const onFailure = (cause: unknown): void => void failures.push(cause);

test('writes one value at a time, and of those that wait only the latest', async () => {
  const written: number[] = [];
  const ends: (() => void)[] = [];
  const writes = new LatestWrite<number>((value) => {
    written.push(value);
    return new Promise<void>((resolve) => ends.push(resolve));
  }, onFailure);
  const all = [1, 2, 3].map((value) => writes.put(value));
  await settle();
  expect(written).toEqual([1]);
  ends[0]?.();
  await settle();
  expect(written).toEqual([1, 3]);
  ends[1]?.();
  await Promise.all(all);
  const later = writes.put(4);
  ends[2]?.();
  await later;
  expect(written).toEqual([1, 3, 4]);
});

test('goes on after a write that failed, and reports the first', async () => {
  const written: string[] = [];
  const writes = new LatestWrite<string>(async (value) => {
    if (value === 'bad') throw new Error('disk full');
    written.push(value);
  }, onFailure);
  await writes.put('bad');
  await writes.put('good');
  await writes.put('bad');
  expect(written).toEqual(['good']);
  expect(failures).toEqual([new Error('disk full')]);
});
