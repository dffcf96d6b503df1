import { InMemorySessionRecordStore, type SessionRecordStore } from 'toolwright';
import { sessionRecordStoreConformance } from 'toolwright/testing';
import { testKit, turn, type Broken } from '../../support/kit.ts';

const lifetimes =
  (change: (lifetime: number) => number): Broken<SessionRecordStore> =>
  (store) => ({
    load: (key, lifetime) => store.load(key, change(lifetime)),
    save: (key, value, version, lifetime) => store.save(key, value, version, change(lifetime)),
  });
const ofKeys =
  (change: (key: string) => string): Broken<SessionRecordStore> =>
  (store) => ({
    load: (key, lifetime) => store.load(change(key), lifetime),
    save: (key, value, version, lifetime) => store.save(change(key), value, version, lifetime),
  });
const ofTexts =
  (change: (text: string) => string): Broken<SessionRecordStore> =>
  (store) => ({
    save: (key, value, version, lifetime) => store.save(key, change(value), version, lifetime),
  });

async function versionOf(store: SessionRecordStore, key: string, lifetime: number): Promise<number> {
  return (await store.load(key, lifetime))?.version ?? 0;
}

const inTwoSteps: Broken<SessionRecordStore> = (store) => ({
  save: async (key, value, version, lifetime) => {
    const isCurrent = (await versionOf(store, key, lifetime)) === version;
    await turn();
    return isCurrent && store.save(key, value, await versionOf(store, key, lifetime), lifetime);
  },
});

/** What is saved is kept, whatever has become of the session. */
const bringingBack: Broken<SessionRecordStore> = (store) => ({
  save: async (key, value, version, lifetime) => {
    const isGone = (await store.load(key, lifetime)) === undefined;
    return store.save(key, value, isGone ? 0 : version, lifetime);
  },
});

testKit<SessionRecordStore>({
  cases: sessionRecordStoreConformance,
  make: (clock) => new InMemorySessionRecordStore(clock.now),
  broken: {
    'gives a session back with its version, which grows by one with each change': {
      'has one version for all changes': (store) => ({
        load: async (key, lifetime) => {
          const session = await store.load(key, lifetime);
          return session && { ...session, version: 1 };
        },
      }),
      'counts loading as a change': (store) => ({
        load: async (key, lifetime) => {
          const session = await store.load(key, lifetime);
          if (session) await store.save(key, session.value, session.version, lifetime);
          return store.load(key, lifetime);
        },
      }),
    },
    'saves nothing over another version': {
      'looks at no version': (store) => ({
        save: async (key, value, _version, lifetime) =>
          store.save(key, value, await versionOf(store, key, lifetime), lifetime),
      }),
      'saves changes of what there was not': bringingBack,
      'saves a new session over another one': (store) => ({
        save: async (key, value, version, lifetime) =>
          store.save(key, value, version || (await versionOf(store, key, lifetime)), lifetime),
      }),
    },
    'saves one of many changes at once': { 'looks and saves in two steps': inTwoSteps },
    'loses no change where each is made to what was loaded': {
      'looks and saves in two steps': inTwoSteps,
      'says that it saved what it did not save': (store) => ({
        save: async (...change) => {
          await store.save(...change);
          return true;
        },
      }),
    },
    'lets no save bring back a session that was removed': {
      'brings it back': bringingBack,
      'removes the value and keeps the version': (store) => ({
        remove: async (key) => {
          await store.save(key, '', await versionOf(store, key, 60_000), 60_000);
        },
      }),
      'removes every session': (store) => ({
        remove: async () => {
          for (const key of ['a', 'other']) await store.remove(key);
        },
      }),
    },
    'forgets a session when its lifetime is over, and not before': {
      'keeps a session too long': lifetimes((lifetime) => lifetime + 1),
      'forgets a session too early': lifetimes((lifetime) => lifetime - 1),
    },
    'lets no save bring back a session whose lifetime is over': {
      'keeps a session too long': lifetimes((lifetime) => lifetime + 1),
      'brings it back': bringingBack,
    },
    'begins the lifetime again whenever a session is loaded': {
      'begins it with changes alone': (store, clock) => {
        const ends = new Map<string, number>();
        return {
          save: (key, value, version, lifetime) => {
            ends.set(key, clock.now() + lifetime);
            return store.save(key, value, version, lifetime);
          },
          load: (key) => store.load(key, (ends.get(key) ?? 0) - clock.now()),
        };
      },
    },
    'begins the lifetime again with each change': {
      'begins it once': (store, clock) => {
        const ends = new Map<string, number>();
        return {
          save: (key, value, version, lifetime) => {
            if (version === 0) ends.set(key, clock.now() + lifetime);
            return store.save(key, value, version, (ends.get(key) ?? 0) - clock.now());
          },
        };
      },
    },
    'keeps keys apart': {
      'does not look at the letter case': ofKeys((key) => key.toLowerCase()),
      'cuts long keys': ofKeys((key) => key.slice(0, 512)),
    },
    'gives back any text as it was': {
      'keeps ASCII': ofTexts((text) => text.replace(/[^\0-\x7f]/g, '?')),
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
