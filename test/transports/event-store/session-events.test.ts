import { describe, expect, test } from '@jest/globals';
import type { EventStore } from '../../../src/transports/event-store/event-store.ts';
import { InMemoryEventStore } from '../../../src/transports/event-store/in-memory-event-store.ts';
import { readCursor, SessionEvents } from '../../../src/transports/event-store/session-events.ts';

function sessionOn(store: EventStore, sessionId: string = crypto.randomUUID()) {
  const failures: unknown[] = [];
  return { events: new SessionEvents(sessionId, store, (cause) => failures.push(cause)), failures };
}

async function missedAfter(events: SessionEvents, lastEventId: string | undefined) {
  const cursor = readCursor(lastEventId ?? '');
  if (cursor === undefined) throw new Error(`${String(lastEventId)} is not a cursor`);
  return events.after(cursor);
}

test('gives the messages after an event, without the places', async () => {
  const { events } = sessionOn(new InMemoryEventStore());
  const first = await events.store('1');
  const second = await events.store('1', { n: 1 });
  await events.store('2', { n: 'elsewhere' });
  await events.store('1');
  const third = await events.store('1', { n: 2 });
  expect(await missedAfter(events, first)).toEqual([
    { id: second, message: { n: 1 } },
    { id: third, message: { n: 2 } },
  ]);
  expect(await missedAfter(events, third)).toEqual([]);
});

test('gives every instance the events of a session, and does not show its id in the store', async () => {
  const store = new InMemoryEventStore();
  const streams: string[] = [];
  const watched: EventStore = {
    storeEvent: (stream, message, key) => {
      streams.push(stream, String(key));
      return store.storeEvent(stream, message, key);
    },
    replayEventsAfter: (id, target) => store.replayEventsAfter(id, target),
  };
  const [here, there] = [sessionOn(watched, 'the-id').events, sessionOn(watched, 'the-id').events];
  const first = await here.store('1', { n: 1 });
  const second = await here.store('1', { n: 2 });
  expect(await missedAfter(there, first)).toEqual([{ id: second, message: { n: 2 } }]);
  expect(streams.join()).not.toContain('the-id');
});

test('gives nothing of another session or another channel, whatever the client claims', async () => {
  const store = new InMemoryEventStore();
  const [mine, other] = [sessionOn(store).events, sessionOn(store).events];
  const theirs = await other.store('1', { secret: true });
  await other.store('1', { secret: true });
  const elsewhere = await mine.store('2', { n: 1 });
  expect(await missedAfter(mine, theirs)).toBe('foreign');
  expect(await missedAfter(mine, elsewhere?.replace(/^2-/, '1-'))).toBe('foreign');
  expect(await missedAfter(mine, '1-99.1')).toBe('unknown');
});

test('replays nothing for another session where the store says whose an event is', async () => {
  const store = new InMemoryEventStore();
  let replays = 0;
  const counting: EventStore = {
    storeEvent: (stream, message) => store.storeEvent(stream, message),
    replayEventsAfter: (id, target) => ((replays += 1), store.replayEventsAfter(id, target)),
    getStreamIdForEventId: (id) => store.getStreamIdForEventId(id),
  };
  const [mine, other] = [sessionOn(counting).events, sessionOn(counting).events];
  const theirs = await other.store('1', { secret: true });
  expect(await missedAfter(mine, theirs)).toBe('foreign');
  expect(replays).toBe(0);
  expect(await missedAfter(other, theirs)).toEqual([]);
  expect(replays).toBe(1);
});

describe('a store that fails', () => {
  const broken = (storeEvent: EventStore['storeEvent']): EventStore => ({
    storeEvent,
    replayEventsAfter: () => Promise.reject(new Error('down')),
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('down'))],
    [
      'throws',
      () => {
        throw new Error('down');
      },
    ],
    ['gives no id', () => Promise.resolve(undefined as unknown as string)],
    ['gives an empty id', () => Promise.resolve('')],
    ['gives an id of two lines', () => Promise.resolve('1\ndata: {}')],
    ['gives an id that no header can carry', () => Promise.resolve('né')],
  ])('because it %s is reported, and the message goes without an id', async (_name, storeEvent) => {
    const { events, failures } = sessionOn(broken(storeEvent));
    expect(await events.store('1', { n: 1 })).toBeUndefined();
    expect(failures).toHaveLength(1);
  });

  test('rejects when it is read', async () => {
    const { events } = sessionOn(broken(() => Promise.resolve('1')));
    await expect(missedAfter(events, '1-1')).rejects.toThrow('down');
  });
});

test.each(['', '-', '1-', '-1', '1', '1-a b', '1-\u00e9', '1-a\nb'])('%j is not a cursor', (text) => {
  expect(readCursor(text)).toBeUndefined();
});
