import { InMemoryResultStore, type ResultEntry, type ResultStore } from 'toolwright';
import { resultStoreConformance } from 'toolwright/testing';
import { testKit, type Broken } from '../../support/kit.ts';

const changing =
  (change: (entry: ResultEntry) => Partial<ResultEntry>): Broken<ResultStore> =>
  (store) => ({ put: (key, entry) => store.put(key, { ...entry, ...change(entry) }) });
const ofKeys =
  (change: (key: string) => string): Broken<ResultStore> =>
  (store) => ({
    put: (key, entry) => store.put(change(key), entry),
    get: (key) => store.get(change(key)),
  });

testKit<ResultStore>({
  cases: resultStoreConformance,
  make: (clock) => new InMemoryResultStore({}, clock.now),
  broken: {
    'gives back what was put, the last of what was put under one key': {
      'keeps the first one': (store) => ({
        put: async (key, entry) => {
          if ((await store.get(key)) === undefined) await store.put(key, entry);
        },
      }),
      'gives a result once': (store) => ({
        get: async (key) => {
          const value = await store.get(key);
          await store.put(key, { value: '', lifetime: -1, owner: undefined });
          return value;
        },
      }),
      'keeps nothing': () => ({ get: () => Promise.resolve(undefined) }),
    },
    'forgets a result when its lifetime is over, and not before': {
      'keeps a result too long': changing(({ lifetime }) => ({ lifetime: lifetime + 1 })),
      'forgets a result too early': changing(({ lifetime }) => ({ lifetime: lifetime - 1 })),
    },
    'has the lifetime of what was put last': {
      'lets the first lifetime go on': (store) => {
        const lifetimes = new Map<string, number>();
        return {
          put: (key, entry) => {
            const lifetime = lifetimes.get(key) ?? entry.lifetime;
            lifetimes.set(key, lifetime);
            return store.put(key, { ...entry, lifetime });
          },
        };
      },
      'has the longest lifetime': (store) => {
        const lifetimes = new Map<string, number>();
        return {
          put: (key, entry) => {
            const lifetime = Math.max(lifetimes.get(key) ?? 0, entry.lifetime);
            lifetimes.set(key, lifetime);
            return store.put(key, { ...entry, lifetime });
          },
        };
      },
    },
    'begins no lifetime again when a result is read': {
      'begins it again': (store) => {
        const entries = new Map<string, ResultEntry>();
        return {
          put: (key, entry) => {
            entries.set(key, entry);
            return store.put(key, entry);
          },
          get: async (key) => {
            const value = await store.get(key);
            const entry = entries.get(key);
            if (value !== undefined && entry !== undefined) await store.put(key, entry);
            return value;
          },
        };
      },
    },
    'has one result for a key, of any owner': {
      'lets an owner keep the key': (store) => {
        const owners = new Map<string, string | undefined>();
        return {
          put: async (key, entry) => {
            if (!owners.has(key)) owners.set(key, entry.owner);
            if (owners.get(key) === entry.owner) await store.put(key, entry);
          },
        };
      },
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
