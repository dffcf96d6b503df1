import { InMemoryOnceStore, type OnceStore } from 'toolwright';
import { onceStoreConformance } from 'toolwright/testing';
import { testKit, turn, type Broken } from '../../support/kit.ts';

const lifetimes =
  (change: (lifetime: number) => number): Broken<OnceStore> =>
  (store) => ({
    add: (key, value, lifetime, owner) => store.add(key, value, change(lifetime), owner),
    replace: (key, current, next, lifetime) => store.replace(key, current, next, change(lifetime)),
  });
const ofKeys =
  (change: (key: string) => string): Broken<OnceStore> =>
  (store) => ({ add: (key, value, lifetime) => store.add(change(key), value, lifetime) });
const ofTexts =
  (change: (text: string) => string): Broken<OnceStore> =>
  (store) => ({ add: (key, value, lifetime) => store.add(key, change(value), lifetime) });

testKit<OnceStore>({
  cases: onceStoreConformance,
  make: (clock) => new InMemoryOnceStore({}, clock.now),
  broken: {
    'says the same time to all instances': {
      'goes back': () => {
        let time = 0;
        return { now: async () => (time -= 1) };
      },
    },
    'adds a value where there is none, and else gives the present one': {
      'overwrites the present value': (store) => {
        const values = new Map<string, string>();
        return {
          add: async (key, value) => {
            const present = values.get(key);
            values.set(key, value);
            return present;
          },
          replace: store.replace.bind(store),
        };
      },
    },
    'adds one of many values at once': {
      'looks and adds in two steps': () => {
        const values = new Map<string, string>();
        return {
          add: async (key, value) => {
            const present = values.get(key);
            await turn();
            if (present === undefined) values.set(key, value);
            return present;
          },
        };
      },
    },
    'replaces the current value, and no other': {
      'replaces any value': (store) => ({
        replace: async (key, _current, next, lifetime) => {
          const present = await store.add(key, next, lifetime);
          return present === undefined || store.replace(key, present, next, lifetime);
        },
      }),
      'adds what there was not': (store) => ({
        replace: async (key, current, next, lifetime) =>
          (await store.add(key, next, lifetime)) === undefined || store.replace(key, current, next, lifetime),
      }),
    },
    'lets one of many replace a value at once': {
      'looks and replaces in two steps': () => {
        const values = new Map<string, string>();
        return {
          add: async (key, value) => {
            const present = values.get(key);
            values.set(key, present ?? value);
            return present;
          },
          replace: async (key, current, next) => {
            const isCurrent = values.get(key) === current;
            await turn();
            if (isCurrent) values.set(key, next);
            return isCurrent;
          },
        };
      },
    },
    'forgets a value when its lifetime is over, and not before': {
      'takes milliseconds for seconds': lifetimes((lifetime) => lifetime * 1000),
      'keeps a value a millisecond too long': lifetimes((lifetime) => lifetime + 1),
      'forgets a value a millisecond too early': lifetimes((lifetime) => lifetime - 1),
    },
    'replaces no value whose lifetime is over': {
      'forgets too late': lifetimes((lifetime) => lifetime + 1),
    },
    'begins the lifetime again with each replacement': {
      'lets the first lifetime go on': (store, clock) => {
        const ends = new Map<string, number>();
        return {
          add: (key, value, lifetime) => {
            ends.set(key, clock.now() + lifetime);
            return store.add(key, value, lifetime);
          },
          replace: (key, current, next) =>
            store.replace(key, current, next, (ends.get(key) ?? 0) - clock.now()),
        };
      },
    },
    'changes nothing about a value that is present when another one is added': {
      'begins the lifetime again': (store) => ({
        add: async (key, value, lifetime) => {
          const present = await store.add(key, value, lifetime);
          if (present !== undefined) await store.replace(key, present, present, lifetime);
          return present;
        },
      }),
    },
    'has one value for a key, also for another owner': {
      'takes the owner for a part of the key': (store) => ({
        add: (key, value, lifetime, owner) => store.add(`${key} of ${String(owner)}`, value, lifetime),
      }),
    },
    'keeps keys apart': {
      'does not look at the letter case': ofKeys((key) => key.toLowerCase()),
      'cuts white space off': ofKeys((key) => key.trim()),
      'cuts long keys': ofKeys((key) => key.slice(0, 512)),
      'normalizes keys': ofKeys((key) => key.normalize()),
    },
    'gives back any text as it was': {
      'keeps Latin-1': ofTexts((text) => Buffer.from(text, 'latin1').toString('latin1')),
      'cuts long texts': ofTexts((text) => text.slice(0, 65_535)),
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
