import { describe, expect, jest, test } from '@jest/globals';
import { MemoryOnceStore } from '../../../src/runtime/conversation/memory-once-store.ts';

describe('the store in memory', () => {
  test('puts once, replaces what is current, and forgets when it is time', async () => {
    jest.useFakeTimers({ now: 0 });
    try {
      const store = new MemoryOnceStore();
      expect(await store.add('a', '1', 100)).toBeUndefined();
      expect(await store.add('a', '2', 100)).toBe('1');
      expect(await store.replace('a', '2', '3', 100)).toBe(false);
      expect(await store.replace('b', '1', '3', 100)).toBe(false);
      expect(await store.replace('a', '1', '3', 200)).toBe(true);
      jest.setSystemTime(199);
      expect(await store.add('a', '4', 100)).toBe('3');
      jest.setSystemTime(200);
      expect(await store.replace('a', '3', '5', 100)).toBe(false);
      expect(await store.add('a', '4', 100)).toBeUndefined();
    } finally {
      jest.useRealTimers();
    }
  });

  test('refuses what it has no room for, until something is expired', async () => {
    jest.useFakeTimers({ now: 0 });
    try {
      const store = new MemoryOnceStore({ maximum: 2 });
      await store.add('a', '1', 300);
      await store.add('b', '1', 100);
      await expect(store.add('c', '1', 100)).rejects.toMatchObject({ code: 'TW_ONCE_STORE_FULL' });
      expect(await store.add('a', '2', 100)).toBe('1');
      jest.setSystemTime(100);
      expect(await store.add('c', '1', 100)).toBeUndefined();
    } finally {
      jest.useRealTimers();
    }
  });

  test('forgets the oldest outcomes when they take too much room, and never that there was one', async () => {
    const store = new MemoryOnceStore({ maximumBytes: 1000 });
    const done = (size: number): string =>
      JSON.stringify({ is: 'done', answers: 'a', outcome: { result: 'x'.repeat(size) } });
    const fill = async (key: string, value: string): Promise<void> => {
      await store.add(key, 'running', 100_000);
      await store.replace(key, 'running', value, 100_000);
    };
    for (const key of ['a', 'b', 'c']) await fill(key, done(400));
    const found = await Promise.all(['a', 'b', 'c'].map((key) => store.add(key, 'x', 100)));
    expect(found).toEqual([
      JSON.stringify({ is: 'done', answers: 'a', outcome: 'forgotten' }),
      done(400),
      done(400),
    ]);
  });

  test('takes no more when what it must not forget takes all the room', async () => {
    const store = new MemoryOnceStore({ maximumBytes: 1000 });
    const free = JSON.stringify({ is: 'free', answers: 'a', steps: [{ value: 'x'.repeat(2000) }] });
    await store.add('a', 'running', 100_000);
    expect(await store.replace('a', 'running', free, 100_000)).toBe(true);
    expect(await store.add('a', 'x', 100)).toBe(free);
    await expect(store.add('b', 'x', 100)).rejects.toMatchObject({ code: 'TW_ONCE_STORE_FULL' });
  });
});
