import { describe, expect, test } from '@jest/globals';
import { InMemoryOnceStore } from '../../../src/runtime/replay/once-store.ts';

describe('the store in memory', () => {
  test('refuses what it has no room for, until something is expired', async () => {
    const clock = { now: 0 };
    const store = new InMemoryOnceStore({ maxEntries: 2 }, () => clock.now);
    await store.add('a', '1', 3000);
    await store.add('b', '1', 1000);
    await expect(store.add('c', '1', 100)).rejects.toMatchObject({ code: 'TW_ONCE_STORE_FULL' });
    expect(await store.add('a', '2', 100)).toBe('1');
    clock.now = 1000;
    expect(await store.add('c', '1', 100)).toBeUndefined();
  });

  const forgotten = JSON.stringify({ is: 'done', answers: 'a', outcome: 'forgotten' });
  const done = (size: number): string =>
    JSON.stringify({ is: 'done', answers: 'a', outcome: { result: 'x'.repeat(size) } });
  const fill = async (
    store: InMemoryOnceStore,
    key: string,
    value: string,
    owner?: string,
  ): Promise<void> => {
    await store.add(key, 'running', 100_000, owner);
    await store.replace(key, 'running', value, 100_000);
  };
  const held = (
    store: InMemoryOnceStore,
    ...keys: readonly string[]
  ): Promise<readonly (string | undefined)[]> => Promise.all(keys.map((key) => store.add(key, 'x', 100)));

  test('forgets the oldest outcomes when they take too much room, and never that there was one', async () => {
    const store = new InMemoryOnceStore({ maxBytes: 12_000, maxBytesPerOwner: 12_000 });
    for (const key of ['a', 'b', 'c']) await fill(store, key, done(5000));
    expect(await held(store, 'a', 'b', 'c')).toEqual([forgotten, done(5000), done(5000)]);
  });

  test('gives each caller a share of the room, and takes it from the one with the most', async () => {
    const store = new InMemoryOnceStore({ maxBytes: 20_000, maxBytesPerOwner: 12_000 });
    await fill(store, 'ann', done(4000), 'ann');
    for (const key of ['1', '2', '3', '4']) await fill(store, key, done(5000), 'bob');
    expect(await held(store, 'ann', '1', '2', '3', '4')).toEqual([
      done(4000),
      forgotten,
      forgotten,
      done(5000),
      done(5000),
    ]);
    await fill(store, 'eve', done(5000), 'eve');
    expect(await held(store, 'ann', '3', '4', 'eve')).toEqual([
      done(4000),
      forgotten,
      done(5000),
      done(5000),
    ]);
  });

  test('drops what is expired before it forgets an outcome that may still be asked for', async () => {
    const clock = { now: 0 };
    const store = new InMemoryOnceStore({ maxBytes: 20_000 }, () => clock.now);
    await fill(store, 'old', done(7000), 'bob');
    clock.now = 90_000;
    await fill(store, 'live', done(9000), 'ann');
    clock.now = 100_000;
    await fill(store, 'new', done(5000), 'eve');
    expect(await held(store, 'live', 'new')).toEqual([done(9000), done(5000)]);
  });

  test('takes the answers of others while one caller has given more than its share', async () => {
    const store = new InMemoryOnceStore({ maxBytes: 400_000 });
    let taken = 0;
    const give = (owner: string | undefined): Promise<unknown> =>
      store.add(String(taken), 'running', 1e6, owner);
    const flood = async (): Promise<void> => {
      for (; taken < 10_000; taken += 1) await give('bob');
    };
    await expect(flood()).rejects.toMatchObject({ code: 'TW_ONCE_STORE_FULL' });
    expect(taken).toBeGreaterThan(500);
    expect(await give('ann')).toBeUndefined();
    taken = -1;
    expect(await give(undefined)).toBeUndefined();
  });

  test('has room for a hundred thousand answers by default, whatever they led to', async () => {
    const store = new InMemoryOnceStore();
    const value = JSON.stringify({ is: 'running', answers: 'a'.repeat(43), run: 'b'.repeat(36) });
    for (let count = 0; count < 100_000; count += 1) {
      const owner = `person ${String(count % 2)}`;
      expect(await store.add(`${String(count)}-${'c'.repeat(30)}`, value, 1e6, owner)).toBeUndefined();
    }
  });

  test('takes no more when what it must not forget takes all the room', async () => {
    const store = new InMemoryOnceStore({ maxBytes: 1000 });
    const free = JSON.stringify({ is: 'free', answers: 'a', steps: [{ value: 'x'.repeat(2000) }] });
    await store.add('a', 'running', 100_000);
    expect(await store.replace('a', 'running', free, 100_000)).toBe(true);
    expect(await store.add('a', 'x', 100)).toBe(free);
    await expect(store.add('b', 'x', 100)).rejects.toMatchObject({ code: 'TW_ONCE_STORE_FULL' });
  });
});
