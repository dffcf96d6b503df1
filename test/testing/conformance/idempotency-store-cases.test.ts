import { InMemoryIdempotencyStore, type IdempotencyStore, type IdempotencyUpdate } from 'toolwright';
import { idempotencyStoreConformance } from 'toolwright/testing';
import { testKit, turn, type Broken } from '../../support/kit.ts';

/** Puts something else in than it is given. */
const changing =
  (
    change: (update: IdempotencyUpdate) => Partial<IdempotencyUpdate>,
    of: { readonly claim?: boolean; readonly replace?: boolean } = { claim: true, replace: true },
  ): Broken<IdempotencyStore> =>
  (store) => ({
    claim: (key, expected, update, owner) =>
      store.claim(key, expected, of.claim === true ? { ...update, ...change(update) } : update, owner),
    replace: (key, fence, update) =>
      store.replace(key, fence, of.replace === true ? { ...update, ...change(update) } : update),
  });

const ofKeys =
  (change: (key: string) => string): Broken<IdempotencyStore> =>
  (store) => ({
    get: (key) => store.get(change(key)),
    claim: (key, expected, update, owner) => store.claim(change(key), expected, update, owner),
  });

/** What is there is looked at first, and written over later. */
const inTwoSteps: Broken<IdempotencyStore> = (store) => ({
  claim: async (key, expected, update) => {
    const seen = (await store.get(key))?.fence;
    await turn();
    return seen === expected ? store.claim(key, (await store.get(key))?.fence, update) : undefined;
  },
});

/** Numbers of its own for the entries of each key. */
const numbering =
  (next: (last: number, isNew: boolean) => number): Broken<IdempotencyStore> =>
  (store) => {
    const real = new Map<string, number>();
    const shown = new Map<string, number>();
    const known = (key: string, fence: number | undefined): number | undefined =>
      fence === shown.get(key) ? real.get(key) : fence === undefined ? undefined : -1;
    return {
      claim: async (key, expected, update) => {
        const fence = await store.claim(key, known(key, expected), update);
        if (fence === undefined) return undefined;
        real.set(key, fence);
        shown.set(key, next(shown.get(key) ?? 0, expected === undefined));
        return shown.get(key);
      },
      replace: (key, fence, update) => store.replace(key, known(key, fence) ?? -1, update),
    };
  };

testKit<IdempotencyStore>({
  cases: idempotencyStoreConformance,
  make: (clock) => new InMemoryIdempotencyStore({}, clock.now),
  broken: {
    'gives an entry back with its number and what is left of its lease': {
      'gives the time at which the lease is over': (store, clock) => ({
        get: async (key) => {
          const entry = await store.get(key);
          return entry && { ...entry, leaseLeft: clock.now() + entry.leaseLeft };
        },
      }),
      'takes seconds for milliseconds': changing(({ lease }) => ({ lease: lease / 1000 })),
    },
    'claims what has no entry, or has the expected number': {
      'claims what somebody else has': (store) => ({
        claim: async (key, _expected, update) => store.claim(key, (await store.get(key))?.fence, update),
      }),
      'claims what is not there any more': (store) => ({
        claim: async (key, expected, update) => store.claim(key, (await store.get(key)) && expected, update),
      }),
    },
    'gives a key to one of many at once': { 'looks and claims in two steps': inTwoSteps },
    'lets one of many take an entry over at once': { 'looks and claims in two steps': inTwoSteps },
    'gives each claim of a key a greater number, also after the entry is forgotten': {
      'has one number for all claims': numbering(() => 1),
      'begins with 1 for each new entry': numbering((last, isNew) => (isNew ? 1 : last + 1)),
      'counts down': numbering((last) => last - 1),
      'does not forget': changing(({ lifetime }) => ({ lifetime: lifetime * 1000 })),
    },
    'replaces an entry that has the number, which stays': {
      'replaces the entry of any number': (store) => ({
        replace: async (key, _fence, update) =>
          store.replace(key, (await store.get(key))?.fence ?? 0, update),
      }),
      'puts down what was never claimed': (store) => ({
        replace: async (key, fence, update) =>
          (await store.replace(key, fence, update)) ||
          (await store.claim(key, undefined, update)) !== undefined,
      }),
      'gives a new number': (store) => ({
        replace: async (key, fence, update) => (await store.claim(key, fence, update)) !== undefined,
      }),
    },
    'lets nobody replace an entry that was taken over': {
      'has no numbers to tell claims apart': (store) => ({
        replace: async (key, _fence, update) =>
          store.replace(key, (await store.get(key))?.fence ?? 0, update),
      }),
    },
    'replaces no entry whose lease is over, and keeps it': {
      'keeps a lease too long': changing(({ lease }) => ({ lease: lease + 1 })),
      'ends a lease too early': changing(({ lease }) => ({ lease: lease - 1 })),
      'has no leases': changing(({ lifetime }) => ({ lease: lifetime })),
      'forgets an entry with its lease': changing(({ lease }) => ({ lifetime: lease })),
    },
    'takes the end of a call whose lease is over, as long as nobody has taken it over': {
      'takes nothing after the lease': (store) => ({
        replace: async (key, fence, update) =>
          ((await store.get(key))?.leaseLeft ?? 0) > 0 && store.replace(key, fence, update),
      }),
      'takes anything after the lease': (store) => ({
        replace: async (key, fence, update) => {
          const found = await store.get(key);
          return store.replace(key, found?.leaseLeft === 0 ? found.fence : fence, update);
        },
      }),
      'does not change the number': (store) => {
        let first: number | undefined;
        return {
          claim: async (key, expected, update) => {
            const fence = await store.claim(key, expected, update);
            first ??= fence;
            return fence;
          },
          get: async (key) => {
            const found = await store.get(key);
            return found && { ...found, fence: first ?? found.fence };
          },
        };
      },
    },
    'forgets an entry when its lifetime is over, and not before': {
      'keeps an entry too long': changing(({ lifetime }) => ({ lifetime: lifetime + 1 })),
      'forgets an entry too early': changing(({ lifetime }) => ({ lifetime: lifetime - 1 })),
    },
    'begins lease and lifetime again with each replacement': {
      'lets the first lifetime go on': (store, clock) => {
        let end = 0;
        return {
          claim: (key, expected, update) => {
            end = clock.now() + update.lifetime;
            return store.claim(key, expected, update);
          },
          replace: (key, fence, update) =>
            store.replace(key, fence, { ...update, lifetime: end - clock.now() }),
        };
      },
      'lets the first lease go on': (store) => ({
        replace: async (key, fence, update) =>
          store.replace(key, fence, { ...update, lease: (await store.get(key))?.leaseLeft ?? 0 }),
      }),
    },
    'forgets an entry without a lifetime at once': {
      'keeps it': changing(({ lifetime }) => ({ lifetime: Math.max(1, lifetime) })),
    },
    'has one entry for a key, also for another owner': {
      'takes the owner for a part of the key': (store) => ({
        claim: (key, expected, update, owner) => store.claim(`${key} of ${String(owner)}`, expected, update),
      }),
    },
    'keeps keys apart': {
      'does not look at the letter case': ofKeys((key) => key.toLowerCase()),
      'cuts long keys': ofKeys((key) => key.slice(0, 512)),
    },
    'gives back any text as it was': {
      'keeps ASCII': changing(({ value }) => ({ value: value.replace(/[^\0-\x7f]/g, '?') })),
      'cuts long texts': changing(({ value }) => ({ value: value.slice(0, 65_535) })),
    },
    'forgets what belongs to one owner, and nothing else': {
      'forgets nothing': () => ({ forget: async () => 1 }),
      'forgets an owner whose name ends otherwise': (store) => ({
        forget: async (owner) => {
          await store.forget?.(`${owner.slice(0, -1)}-`);
          return (await store.forget?.(owner)) ?? 0;
        },
      }),
      'counts too much': (store) => ({ forget: async (owner) => ((await store.forget?.(owner)) ?? 0) + 1 }),
    },
  },
});
