import { InMemoryStore, type Store, type StoreEntry, type StoreWrite } from 'toolwright';
import { storeConformance } from 'toolwright/testing';
import { testKit, turn, type Broken } from '../../support/kit.ts';

/** Changes what it writes. */
const writes =
  (change: (write: StoreWrite, key: string) => Partial<StoreWrite>): Broken<Store> =>
  (store) => ({
    put: (collection, key, write) => store.put(collection, key, { ...write, ...change(write, key) }),
  });
const lifetimes = (change: (ttl: number) => number): Broken<Store> =>
  writes(({ ttl }) => ({ ttl: change(ttl) }));
/** Takes some keys for others. */
const ofKeys =
  (change: (key: string) => string): Broken<Store> =>
  (store) => ({
    put: (collection, key, write) => store.put(collection, change(key), write),
    get: (collection, key, options) => store.get(collection, change(key), options),
  });
const ofTexts = (change: (text: string) => string): Broken<Store> =>
  writes(({ value }) => ({ value: change(value) }));
const unconditional = ({ value, ttl, hold = 0 }: StoreWrite): StoreWrite => ({ value, ttl, hold });
/** Looks whether it may write, and writes a turn later. */
const inTwoSteps: Broken<Store> = (store) => ({
  put: async (collection, key, write) => {
    const present = await store.get(collection, key);
    const isMet =
      write.if === undefined ||
      (write.if === 'absent' ? present === undefined : present?.version === write.if);
    await turn();
    return isMet ? store.put(collection, key, unconditional(write)) : { refused: present };
  },
});
const ignores = (condition: (write: StoreWrite) => boolean): Broken<Store> => {
  return (store) => ({
    put: (collection, key, write) =>
      store.put(collection, key, condition(write) ? unconditional(write) : write),
  });
};
const entries =
  (change: (entry: StoreEntry) => StoreEntry): Broken<Store> =>
  (store) => ({
    get: async (collection, key, options) => {
      const found = await store.get(collection, key, options);
      return found && change(found);
    },
  });

testKit<Store>({
  cases: storeConformance,
  make: (clock) => new InMemoryStore({}, clock.now),
  broken: {
    'says the same time to all instances': {
      'goes back': () => {
        let time = 0;
        return { now: async () => (time -= 1) };
      },
    },
    'gives back what was put, the last of what was put under one key': {
      'keeps the first value': writes(({ if: condition = 'absent' }) => ({ if: condition })),
      'gives each entry the version 1': entries((entry) => ({ ...entry, version: 1 })),
    },
    'puts for absent where there is nothing, and else gives the present entry': {
      'overwrites the present value': ignores((write) => write.if === 'absent'),
      'says nothing of the present value': (store) => ({
        put: async (collection, key, write) => {
          const written = await store.put(collection, key, write);
          return 'refused' in written ? { refused: undefined } : written;
        },
      }),
    },
    'gives a key to one of two at once, a thousand times, and shows the other one its entry': {
      'looks and puts in two steps': inTwoSteps,
      'says nothing of the winner': (store) => ({
        put: async (collection, key, write) => {
          const written = await store.put(collection, key, write);
          return 'refused' in written ? { refused: undefined } : written;
        },
      }),
    },
    'puts for absent one of many at once': { 'looks and puts in two steps': inTwoSteps },
    'puts in place of a version, and of no other': {
      'replaces any version': ignores((write) => typeof write.if === 'number'),
      'lets the version stay': writes(({ if: condition }) =>
        typeof condition === 'number' ? { renumber: false } : {},
      ),
    },
    'puts one of many at once in place of a version': { 'looks and puts in two steps': inTwoSteps },
    'loses no change where each is made to what is there': {
      'replaces whatever is there': ignores(() => true),
    },
    'gives a key greater versions, also after it was forgotten': {
      'begins again at 1': (store) => {
        let last = 0;
        return {
          put: async (collection, key, write) => {
            const written = await store.put(collection, key, { ...unconditional(write), hold: 0 });
            if (!('version' in written)) return written;
            last = write.ttl === 0 ? 0 : last + 1;
            return { version: last };
          },
          delete: async (collection, key) => {
            last = 0;
            return store.delete(collection, key);
          },
        };
      },
    },
    'says what is left of a hold': {
      'says how long it was': entries((entry) => ({ ...entry, holdLeft: entry.holdLeft && 30_001 })),
      'takes milliseconds for seconds': writes(({ hold = 0 }) => ({ hold: hold / 1000 })),
    },
    'lets a holder write as long as its hold lasts, and keeps what it has written': {
      'does not look at the hold': (store) => ({
        put: (collection, key, write) => {
          const { if: condition } = write;
          const version = typeof condition === 'object' ? condition.held : condition;
          return store.put(collection, key, { ...write, ...(version !== undefined && { if: version }) });
        },
      }),
      'ends it a millisecond too early': writes(({ hold = 0 }) => ({ hold: hold - 1 })),
      'ends it a millisecond too late': writes(({ hold = 0 }) => ({ hold: hold + 1 })),
    },
    'lets a version stay where its holder goes on writing': {
      'gives a new one': (store) => ({
        put: (collection, key, { renumber: _ignored, ...write }) => store.put(collection, key, write),
      }),
      'lets it stay in any case': writes(() => ({ renumber: false })),
    },
    'begins hold and lifetime again with each write': {
      'lets the first lifetime go on': (store, clock) => {
        const ends = new Map<string, number>();
        return {
          put: (collection, key, write) => {
            const end = ends.get(key) ?? clock.now() + write.ttl;
            ends.set(key, end);
            return store.put(collection, key, { ...write, ttl: Math.max(0, end - clock.now()) });
          },
        };
      },
      'lets the first hold go on': (store, clock) => {
        const ends = new Map<string, number>();
        return {
          put: (collection, key, write) => {
            const end = ends.get(key) ?? clock.now() + (write.hold ?? 0);
            ends.set(key, end);
            return store.put(collection, key, { ...write, hold: end - clock.now() });
          },
        };
      },
    },
    'forgets a value when its time is over, and not before': {
      'takes milliseconds for seconds': lifetimes((ttl) => ttl * 1000),
      'keeps a value a millisecond too long': lifetimes((ttl) => ttl + 1),
      'forgets a value a millisecond too early': lifetimes((ttl) => ttl - 1),
    },
    'has the lifetime of what was put last': {
      'has the longer one': (store) => {
        const longest = new Map<string, number>();
        return {
          put: (collection, key, write) => {
            const ttl = Math.max(longest.get(key) ?? 0, write.ttl);
            longest.set(key, ttl);
            return store.put(collection, key, { ...write, ttl });
          },
        };
      },
    },
    'changes nothing about an entry that refuses a write, or is read': {
      'begins its lifetime again': (store) => ({
        get: (collection, key) => store.get(collection, key, { keep: 1000 }),
      }),
    },
    'begins a lifetime again where a read says so': {
      'does not': (store) => ({ get: (collection, key) => store.get(collection, key) }),
    },
    'forgets a value without a lifetime at once': {
      'keeps an empty text': writes(({ ttl }) => ({ ttl: ttl === 0 ? 1000 : ttl })),
    },
    'lets nothing bring back what was removed': {
      'removes nothing': () => ({ delete: async () => true }),
      'removes any version': (store) => ({ delete: (collection, key) => store.delete(collection, key) }),
      'puts it back': ignores((write) => typeof write.if === 'number'),
    },
    'has one entry for a key, of any owner': {
      'takes the owner for a part of the key': (store) => ({
        put: (collection, key, write) =>
          store.put(collection, `${key} of ${String(write.share?.owner)}`, write),
      }),
    },
    'gives no owner more bytes than a write allows': {
      'does not count them': (store) => ({
        put: (collection, key, { share: _ignored, ...write }) => store.put(collection, key, write),
      }),
      'counts a value twice that is put again': (store) => {
        const put: Store['put'] = store.put.bind(store);
        let used = 0;
        return {
          put: async (collection, key, write) => {
            used += write.value.length;
            return used > 25_000 ? { full: 'owner' } : put(collection, key, write);
          },
        };
      },
    },
    'gives no owner more bytes than a write allows, of many at once': {
      'does not count them': (store) => ({
        put: (collection, key, { share: _ignored, ...write }) => store.put(collection, key, write),
      }),
    },
    'counts for its owner what is kept for longer': {
      'does not count it': (store) => ({
        put: (collection, key, { share: _ignored, ...write }) => store.put(collection, key, write),
      }),
      'counts it for its first lifetime only': (store) => ({
        get: async (collection, key, options) => {
          const entry = await store.get(collection, key, options);
          if (entry === undefined || options?.keep === undefined) return entry;
          await store.delete(collection, key);
          await store.put(collection, key, { value: entry.value, ttl: options.keep });
          return entry;
        },
      }),
    },
    'keeps keys apart': {
      'does not look at the letter case': ofKeys((key) => key.toLowerCase()),
      'cuts white space off': ofKeys((key) => key.trim()),
      'cuts long keys': ofKeys((key) => key.slice(0, 512)),
      'normalizes keys': ofKeys((key) => key.normalize()),
    },
    'keeps collections apart': {
      'has one for all': (store) => ({
        put: (_collection, key, write) => store.put('all', key, write),
        get: (_collection, key) => store.get('all', key),
      }),
    },
    'gives back any text as it was': {
      'keeps Latin-1': ofTexts((text) => Buffer.from(text, 'latin1').toString('latin1')),
      'cuts long texts': ofTexts((text) => text.slice(0, 65_535)),
    },
    'forgets what belongs to one owner, and nothing else': {
      'forgets nothing': () => ({ forget: async () => 1 }),
      'forgets an owner whose name ends otherwise': (store) => ({
        forget: async (collection, owner) => {
          await store.forget?.(collection, `${owner.slice(0, -1)}-`);
          return (await store.forget?.(collection, owner)) ?? 0;
        },
      }),
      'forgets other collections': (store) => ({
        forget: async (collection, owner) => {
          await store.forget?.('b', owner);
          return (await store.forget?.(collection, owner)) ?? 0;
        },
      }),
      'counts too much': (store) => ({
        forget: async (collection, owner) => ((await store.forget?.(collection, owner)) ?? 0) + 1,
      }),
    },
  },
});
