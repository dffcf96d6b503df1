import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InMemoryStore, type StoreWrite, type StoreWritten } from 'toolwright';

/** What an entry takes beside its texts. */
const OVERHEAD = 256;

const text = (size: number): string => 'x'.repeat(size);
const sized = (size: number, owner?: string, more: Partial<StoreWrite> = {}): StoreWrite => ({
  ...{ value: text(size - OVERHEAD - 1), ttl: 1000, share: { owner } },
  ...more,
});
const kept = async (store: InMemoryStore, ...keys: readonly string[]): Promise<readonly string[]> => {
  const found = await Promise.all(keys.map((key) => store.get('a', key)));
  return keys.filter((_key, index) => found[index] !== undefined);
};

describe('what may go', () => {
  const spare = { spare: 'whole' } as const;
  const put = (store: InMemoryStore, key: string, size: number, owner?: string): Promise<StoreWritten> =>
    store.put('a', key, sized(size, owner, spare));

  test('goes, the oldest first, of an owner beyond its share', async () => {
    const store = new InMemoryStore({ maxBytes: 10_000, maxBytesPerOwner: 3000 });
    for (const key of ['a', 'b', 'c']) await put(store, key, 1000, 'ann');
    await put(store, 'o', 1000, 'bob');
    await put(store, 'd', 1500, 'ann');
    expect(await kept(store, 'a', 'b', 'c', 'd', 'o')).toEqual(['c', 'd', 'o']);
  });

  test('goes, of the owner with the most, though another one needs the room', async () => {
    const store = new InMemoryStore({ maxBytes: 5000, maxBytesPerOwner: 4000 });
    await put(store, 's', 1000, 'bob');
    for (const key of ['a', 'b']) await put(store, key, 2000, 'ann');
    await put(store, 'n', 1000, 'eve');
    expect(await kept(store, 's', 'a', 'b', 'n')).toEqual(['s', 'b', 'n']);
  });

  test('is of one owner where owners are not known', async () => {
    const store = new InMemoryStore({ maxBytes: 4000 });
    for (const key of ['a', 'b', 'c']) await put(store, key, 1000);
    expect(await kept(store, 'a', 'b', 'c')).toEqual(['b', 'c']);
  });

  test('is counted in bytes and not in characters, and once when it is put again', async () => {
    const store = new InMemoryStore({ maxBytes: 2000, maxBytesPerOwner: 1000 });
    const accents = (count: number): StoreWrite => ({
      ...{ value: '\u00e9'.repeat(count), ttl: 1000, share: { owner: 'ann' } },
      ...spare,
    });
    await store.put('a', 'a', accents(300));
    await store.put('a', 'a', accents(371));
    expect(await kept(store, 'a')).toEqual(['a']);
    await put(store, 'b', 300, 'ann');
    expect(await kept(store, 'a', 'b')).toEqual(['b']);
  });

  test('goes after what is over', async () => {
    let now = 0;
    const store = new InMemoryStore({ maxBytes: 2000, maxBytesPerOwner: 2000 }, () => now);
    await store.put('a', 'l', sized(1000, 'ann', { ...spare, ttl: 10_000 }));
    await store.put('a', 's', sized(1000, 'bob', { ...spare, ttl: 10 }));
    now = 10;
    await put(store, 'n', 1000, 'eve');
    expect(await kept(store, 'l', 's', 'n')).toEqual(['l', 'n']);
  });

  test('stays where nothing would have room', async () => {
    const store = new InMemoryStore({ maxBytes: 2000 });
    await put(store, 'a', 500, 'ann');
    expect(await put(store, 'b', 1001, 'ann')).toEqual({ full: 'owner' });
    expect(await kept(store, 'a', 'b')).toEqual(['a']);
  });
});

describe('what may be shortened', () => {
  const shorter = { spare: { as: 'short' } } as const;
  const fill = async (store: InMemoryStore, key: string, size: number, owner?: string): Promise<void> => {
    await store.put('a', key, sized(size, owner, shorter));
  };
  const values = async (store: InMemoryStore, ...keys: readonly string[]): Promise<readonly unknown[]> =>
    Promise.all(
      keys.map(async (key) => ((await store.get('a', key))?.value === 'short' ? 'short' : 'whole')),
    );

  test('is, the oldest first, and is never gone', async () => {
    const store = new InMemoryStore({ maxBytes: 12_000, maxBytesPerOwner: 12_000 });
    for (const key of ['a', 'b', 'c']) await fill(store, key, 5000);
    expect(await values(store, 'a', 'b', 'c')).toEqual(['short', 'whole', 'whole']);
  });

  test('is, of the owner with the most', async () => {
    const store = new InMemoryStore({ maxBytes: 20_000, maxBytesPerOwner: 12_000 });
    await fill(store, 'a', 4500, 'ann');
    for (const key of ['1', '2', '3', '4']) await fill(store, key, 5500, 'bob');
    expect(await values(store, 'a', '1', '2', '3', '4')).toEqual([
      'whole',
      'short',
      'short',
      'whole',
      'whole',
    ]);
    await fill(store, 'e', 5500, 'eve');
    expect(await values(store, 'a', '3', '4', 'e')).toEqual(['whole', 'short', 'whole', 'whole']);
  });
});

describe('what may not go', () => {
  const claim = (owner?: string): StoreWrite => ({
    ...{ value: 'running', ttl: 1e6, if: 'absent', share: { owner } },
  });

  test('is refused where there is no room, until something is over', async () => {
    const clock = { now: 0 };
    const store = new InMemoryStore({ maxBytes: 2000, maxBytesPerOwner: 2000 }, () => clock.now);
    await store.put('a', 'a', sized(1000, 'ann', { ttl: 3000 }));
    await store.put('a', 'b', sized(1000, 'bob', { ttl: 1000 }));
    expect(await store.put('a', 'c', sized(1000))).toEqual({ full: 'store' });
    expect(await store.put('a', 'a', { ...claim() })).toMatchObject({ refused: { holdLeft: 0 } });
    clock.now = 1000;
    expect(await store.put('a', 'c', sized(1000))).toMatchObject({ version: expect.any(Number) });
  });

  test('leaves room for others while one owner has taken its share', async () => {
    const store = new InMemoryStore({ maxBytes: 400_000 });
    let taken = 0;
    while ('version' in (await store.put('a', String(taken), claim('bob')))) taken += 1;
    expect(taken).toBeGreaterThan(500);
    for (const owner of ['ann', undefined])
      expect(await store.put('a', String(owner), claim(owner))).toMatchObject({
        version: expect.any(Number),
      });
  });

  test('may grow by its version, and nothing new is taken then', async () => {
    const store = new InMemoryStore({ maxBytes: 1000 });
    const { version } = (await store.put('a', 'a', claim())) as { version: number };
    expect(await store.put('a', 'a', sized(2000, undefined, { if: version }))).toMatchObject({
      version: expect.any(Number),
    });
    expect(await store.put('a', 'b', claim())).toEqual({ full: 'owner' });
    expect(await store.put('a', 'b', claim('ann'))).toEqual({ full: 'store' });
  });

  test('has room for a hundred thousand answers by default', async () => {
    const store = new InMemoryStore();
    for (let count = 0; count < 100_000; count += 1) {
      const key = `${String(count)}-${'c'.repeat(30)}`;
      const write = { ...claim(`person ${String(count % 2)}`), value: 'a'.repeat(110) };
      expect(await store.put('a', key, write)).toHaveProperty('version');
    }
  });

  test('has its space to itself in each collection', async () => {
    const store = new InMemoryStore({ maxBytes: 2000, maxBytesPerOwner: 2000 });
    await store.put('a', 'a', sized(2000));
    expect(await store.put('b', 'a', sized(2000))).toHaveProperty('version');
  });
});

const BOUNDS = { maxBytes: 6000, maxBytesPerOwner: 3500 };
const use = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
  owner: fc.constantFrom('ann', 'bob', undefined),
  passed: fc.constantFrom(0, 1, 10, 1500),
  size: fc.integer({ min: 300, max: 4000 }),
  more: fc.record({
    ttl: fc.constantFrom(0, 5, 2000, 100_000),
    spare: fc.constantFrom<NonNullable<StoreWrite['spare']>>('whole', { as: '' }),
  }),
  isFixed: fc.boolean(),
  isNew: fc.boolean(),
});

interface Known {
  readonly owner: string | undefined;
  readonly until: number;
  readonly mayGo: boolean;
}

/** What is there of what was put, after a look at whether it is right. */
async function look(
  store: InMemoryStore,
  known: ReadonlyMap<string, Known>,
  now: number,
): Promise<ReadonlyMap<string | undefined, number>> {
  const sizes = new Map<string | undefined, number>();
  for (const [key, { owner, until, mayGo }] of known) {
    const found = await store.get('a', key);
    expect({ key, isThere: found !== undefined }).toEqual({
      key,
      isThere: until > now && (!mayGo || found !== undefined),
    });
    if (found !== undefined) sizes.set(owner, (sizes.get(owner) ?? 0) + OVERHEAD + 1 + found.value.length);
  }
  return sizes;
}

test('Whatever is put, no owner and no store has more bytes than it may, and what may not go stays', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(use, { maxLength: 40 }), async (uses) => {
      let now = 0;
      const store = new InMemoryStore(BOUNDS, () => now);
      const known = new Map<string, Known>();
      for (const { key, owner, passed, size, more, isFixed, isNew } of uses) {
        now += passed;
        const present = await store.get('a', key);
        const { ttl, spare } = more;
        const written = await store.put('a', key, {
          ...sized(size, owner, { ttl, ...(!isFixed && { spare }), ...(isNew && { if: 'absent' }) }),
        });
        const first = present === undefined ? owner : known.get(key)?.owner;
        if ('version' in written) {
          known.set(key, { owner: first, until: now + ttl, mayGo: !isFixed && spare === 'whole' });
        }
        const sizes = [...(await look(store, known, now)).values()];
        for (const bytes of sizes) expect(bytes).toBeLessThanOrEqual(BOUNDS.maxBytesPerOwner);
        expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(BOUNDS.maxBytes);
      }
    }),
    { numRuns: 30 },
  );
});

test('What is over takes no memory for long, though nobody asks for it again', async () => {
  let now = 0;
  const store = new InMemoryStore({ maxBytes: 300_000, maxBytesPerOwner: 300_000 }, () => now);
  await store.put('a', 'lasting', sized(1000, 'ann', { ttl: 1e9 }));
  for (let count = 0; count < 3000; count += 1) {
    now += 1;
    expect(await store.put('a', `key ${String(count)}`, sized(1000, 'ann', { ttl: 20 }))).toHaveProperty(
      'version',
    );
  }
  expect(await kept(store, 'lasting')).toEqual(['lasting']);
});
