import { InMemoryEventStore, type EventStore, type StoredMessage } from 'toolwright';
import { eventStoreConformance } from 'toolwright/testing';
import { testKit, type Broken } from '../../support/kit.ts';

interface Stored {
  readonly id: string;
  readonly stream: string;
  readonly message: StoredMessage;
}

interface Fault {
  readonly idOf: (count: number, inStream: number) => string;
  readonly keep: (message: StoredMessage, count: number) => StoredMessage | undefined;
  readonly sort: (missed: readonly Stored[]) => readonly Stored[];
  readonly from: number;
  readonly ofAll?: boolean;
  readonly streamOf?: (id: string) => string | undefined;
}

const RIGHT: Fault = {
  idOf: (count) => String(count),
  keep: (message) => message,
  sort: (missed) => missed,
  from: 1,
};

/** A store that has its events in a list, with a fault. */
const listed =
  (fault: Partial<Fault>): Broken<EventStore> =>
  () => {
    const events: Stored[] = [];
    let count = 0;
    const { idOf, keep, sort, from } = { ...RIGHT, ...fault };
    const streamOf = async (id: string): Promise<string | undefined> =>
      fault.streamOf?.(id) ?? events.find((event) => event.id === id)?.stream;
    return {
      storeEvent: async (stream, message) => {
        count += 1;
        const id = idOf(count, events.filter((event) => event.stream === stream).length);
        const kept = keep(message, count);
        if (kept !== undefined) events.push({ id, stream, message: kept });
        return id;
      },
      replayEventsAfter: async (after, { send }) => {
        const stream = await streamOf(after);
        const at = events.findIndex(({ id }) => id === after);
        const missed = at < 0 ? [] : events.slice(at + from);
        const own = missed.filter((event) => fault.ofAll === true || event.stream === stream);
        for (const { id, message } of sort(own)) await send(id, message);
        return stream;
      },
      getStreamIdForEventId: streamOf,
    };
  };

const ofJson = (change: (json: string) => string) =>
  listed({ keep: (message) => JSON.parse(change(JSON.stringify(message))) as StoredMessage });
const ofKeys =
  (change: (key: string) => string): Broken<EventStore> =>
  (store) => ({
    storeEvent: (stream, message, session) =>
      store.storeEvent(change(stream), message, change(session ?? '')),
  });

testKit<EventStore>({
  cases: eventStoreConformance,
  make: () => new InMemoryEventStore(),
  broken: {
    'replays what came after an event in its stream, in order': {
      'replays the last one first': listed({ sort: (missed) => [...missed].reverse() }),
      'sorts ids as texts': listed({
        sort: (missed) => [...missed].sort((one, other) => (one.id < other.id ? -1 : 1)),
      }),
      'replays the event itself': listed({ from: 0 }),
      'leaves one out': listed({ from: 2 }),
      'loses an event': listed({ keep: (message, count) => (count === 7 ? undefined : message) }),
    },
    'replays nothing of other streams, of one session or another': {
      'replays all that came later': listed({ ofAll: true }),
      'takes a session for a stream': (store) => ({
        storeEvent: (_stream, message, session) => store.storeEvent(session ?? '', message, session),
      }),
    },
    'gives ids of printable ASCII without spaces, each once in the whole store': {
      'numbers the events of each stream': listed({ idOf: (_count, inStream) => String(inStream) }),
      'gives ids with spaces': listed({ idOf: (count) => `event ${String(count)}` }),
    },
    'loses nothing of what is stored at once, and has it in one order': {
      'loses an event': listed({ keep: (message, count) => (count === 7 ? undefined : message) }),
      'has another order each time': () => {
        let turns = 0;
        const store = listed({
          sort: (missed) => {
            turns += 1;
            return turns % 2 === 0 ? [...missed].reverse() : missed;
          },
        });
        return store(new InMemoryEventStore(), { now: Date.now, pass: () => undefined });
      },
    },
    'names the stream of an event, and none for one that it does not know': {
      'names a stream for every id': listed({ streamOf: () => 'a' }),
      'takes the beginning of an id for it': (store) => {
        const whole = (id: string): string => id.slice(0, 3);
        return {
          replayEventsAfter: (id, target) => store.replayEventsAfter(whole(id), target),
          getStreamIdForEventId: async (id) => store.getStreamIdForEventId?.(whole(id)),
        };
      },
      'rejects for an id that it does not know': (store) => ({
        replayEventsAfter: async (id, target) => {
          const stream = await store.replayEventsAfter(id, target);
          if (stream === undefined) throw new Error('no such event');
          return stream;
        },
      }),
    },
    'keeps a message as it was when it was stored': { 'keeps the object itself': listed({}) },
    'gives back any message, also with characters that only JSON can carry': {
      'keeps ASCII': ofJson((json) => json.replace(/[^\0-\x7f]/g, '?')),
      'drops U+0000': ofJson((json) => json.replaceAll('\\u0000', '')),
      'drops halves of pairs': ofJson((json) => json.replaceAll('\\ud800', '')),
      'drops large messages': listed({
        keep: (message) => (JSON.stringify(message).length > 65_535 ? {} : message),
      }),
      'drops empty messages': listed({
        keep: (message, count) => (count > 1 && Object.keys(message).length === 0 ? undefined : message),
      }),
    },
    'keeps a stream that was read to its end as long as is said, and no other one shorter': {
      'ends nothing': () => ({ endStream: () => Promise.resolve() }),
      'ends it at once': (store) => ({
        endStream: (stream, _milliseconds, session) =>
          store.endStream?.(stream, 0, session) ?? Promise.resolve(),
      }),
      'ends its session': (store) => ({
        endStream: async (_stream, milliseconds, session) => {
          if (milliseconds === 0) await store.forgetSession?.(session ?? '');
        },
      }),
    },
    'keeps the newest event, however much its session has stored before': {
      'gives up the newest': listed({
        keep: (message, count) => (count > 10 && 'n' in message ? undefined : message),
      }),
    },
    'forgets all streams of a session that has ended, and no other': {
      'forgets nothing': () => ({ forgetSession: () => Promise.resolve() }),
      'forgets one stream': (store) => ({
        storeEvent: (stream, message, session) =>
          store.storeEvent(stream, message, stream === 'b' ? 'else' : session),
      }),
      'forgets sessions whose names begin alike': (store) => ({
        forgetSession: async (session) => {
          for (const each of [session, `${session} more`]) await store.forgetSession?.(each);
        },
      }),
    },
    'keeps streams and sessions apart': {
      'does not look at the letter case': ofKeys((key) => key.toLowerCase()),
      'cuts long names': ofKeys((key) => key.slice(0, 512)),
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
