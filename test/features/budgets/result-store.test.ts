import { describe, expect, test } from '@jest/globals';
import { InMemoryResultStore } from 'toolwright';

const entry = (size: number, owner?: string, lifetime = 1000) => ({
  value: 'x'.repeat(size),
  lifetime,
  owner,
});

describe('the store in memory, when there is no room,', () => {
  const kept = async (store: InMemoryResultStore, ...keys: readonly string[]): Promise<readonly string[]> => {
    const found = await Promise.all(keys.map((key) => store.get(key)));
    return keys.filter((_key, index) => found[index] !== undefined);
  };

  test('forgets the oldest results of an owner beyond its share', async () => {
    const store = new InMemoryResultStore({ maxBytes: 1000, maxBytesPerOwner: 300 });
    for (const key of ['a', 'b', 'c']) await store.put(key, entry(100, 'ann'));
    await store.put('bob', entry(100, 'bob'));
    await store.put('d', entry(150, 'ann'));
    expect(await kept(store, 'a', 'b', 'c', 'd', 'bob')).toEqual(['c', 'd', 'bob']);
  });

  test('forgets results of the owner with the most, though another one needs the room', async () => {
    const store = new InMemoryResultStore({ maxBytes: 500, maxBytesPerOwner: 400 });
    await store.put('small', entry(100, 'bob'));
    for (const key of ['a', 'b']) await store.put(key, entry(200, 'ann'));
    await store.put('new', entry(100, 'eve'));
    expect(await kept(store, 'small', 'a', 'b', 'new')).toEqual(['small', 'b', 'new']);
  });

  test('takes callers who are not known for one owner', async () => {
    const store = new InMemoryResultStore({ maxBytes: 400 });
    for (const key of ['a', 'b', 'c']) await store.put(key, entry(100));
    expect(await kept(store, 'a', 'b', 'c')).toEqual(['b', 'c']);
  });

  test('counts bytes and not characters, and a result that is put again once', async () => {
    const store = new InMemoryResultStore({ maxBytes: 100, maxBytesPerOwner: 100 });
    await store.put('a', { value: '\u00e9'.repeat(40), lifetime: 1000, owner: 'ann' });
    await store.put('a', { value: '\u00e9'.repeat(50), lifetime: 1000, owner: 'ann' });
    expect(await kept(store, 'a')).toEqual(['a']);
    await store.put('b', entry(1, 'ann'));
    expect(await kept(store, 'a', 'b')).toEqual(['b']);
  });

  test('drops what is over before it forgets what may still be read', async () => {
    let now = 0;
    const store = new InMemoryResultStore({ maxBytes: 200, maxBytesPerOwner: 200 }, () => now);
    await store.put('lasting', entry(100, 'ann', 10_000));
    await store.put('short', entry(100, 'bob', 10));
    now = 10;
    await store.put('new', entry(100, 'eve'));
    expect(await kept(store, 'lasting', 'short', 'new')).toEqual(['lasting', 'new']);
  });

  test('rejects a result that is larger than all the room, and keeps the others', async () => {
    const store = new InMemoryResultStore({ maxBytes: 200 });
    await store.put('a', entry(50, 'ann'));
    await expect(store.put('b', entry(101, 'ann'))).rejects.toThrow(RangeError);
    expect(await kept(store, 'a', 'b')).toEqual(['a']);
  });
});
