import { expect, test } from '@jest/globals';
import { OnceMade } from '../../src/shared/once-made.ts';

test('makes a thing once, and again only where that failed', async () => {
  let attempts = 0;
  const made = new OnceMade(async () => {
    attempts += 1;
    if (attempts === 1) throw new Error('not yet');
    return attempts;
  });
  expect(made.current).toBeUndefined();
  const [one, other] = [made.get(), made.get()];
  await expect(one).rejects.toThrow('not yet');
  await expect(other).rejects.toThrow('not yet');
  expect(made.current).toBeUndefined();
  expect(await made.get()).toBe(2);
  expect(await made.get()).toBe(2);
  expect(await made.current).toBe(2);
});

test('a failure that is reported late takes away nothing that was made since', async () => {
  let fail = (_cause: Error): void => undefined;
  let attempts = 0;
  const made = new OnceMade(() => {
    attempts += 1;
    return attempts === 1 ? new Promise<number>((_, reject) => (fail = reject)) : Promise.resolve(attempts);
  });
  const first = made.get();
  const taken = made.take();
  fail(new Error('late'));
  await expect(taken).rejects.toThrow('late');
  await expect(first).rejects.toThrow('late');
  const second = made.get();
  expect(await second).toBe(2);
  expect(made.current).toBe(second);
});
