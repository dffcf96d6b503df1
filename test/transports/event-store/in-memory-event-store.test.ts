import { describe, expect, test } from '@jest/globals';
import { InMemoryEventStore as SdkEventStore } from '@modelcontextprotocol/sdk/examples/shared/inMemoryEventStore.js';
import fc from 'fast-check';
import type { EventStore } from '../../../src/transports/event-store/event-store.ts';
import { InMemoryEventStore } from '../../../src/transports/event-store/in-memory-event-store.ts';

async function replay(store: EventStore, after: string) {
  const sent: [string, unknown][] = [];
  const stream = await store.replayEventsAfter(after, {
    send: async (id, message) => void sent.push([id, message['n']]),
  });
  return { stream, ids: sent.map(([id]) => id), values: sent.map(([, value]) => value) };
}

test('replays what followed an event in its own stream, in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 40 }),
      fc.nat(),
      async (streams, pick) => {
        const store = new InMemoryEventStore();
        const stored: { stream: string; id: string; n: number }[] = [];
        for (const [n, stream] of streams.entries()) {
          stored.push({ stream, id: await store.storeEvent(stream, { n }), n });
        }
        const last = stored[pick % stored.length] ?? { stream: '', id: '', n: 0 };
        const missed = stored.filter(({ stream, n }) => stream === last.stream && n > last.n);
        expect(await replay(store, last.id)).toEqual({
          stream: last.stream,
          ids: missed.map(({ id }) => id),
          values: missed.map(({ n }) => n),
        });
        expect(await store.getStreamIdForEventId(last.id)).toBe(last.stream);
        expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length);
      },
    ),
  );
});

test('never holds more than its bounds, beyond the newest event', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          stream: fc.constantFrom('a', 'b'),
          text: fc.string({ unit: 'binary', maxLength: 40 }),
          wait: fc.nat(30),
        }),
      ),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 2000 }),
      async (events, maxEvents, maxBytes) => {
        const clock = { now: 0 };
        const store = new InMemoryEventStore({ maxEvents, maxBytes, ttl: 100 }, () => clock.now);
        for (const { stream, text, wait } of events) {
          clock.now += wait;
          const id = await store.storeEvent(stream, { text });
          expect(store.size).toBeLessThanOrEqual(2 * maxEvents);
          if (store.size > 1) expect(store.bytes).toBeLessThanOrEqual(maxBytes);
          expect(await store.getStreamIdForEventId(id)).toBe(stream);
        }
        clock.now += 100;
        expect(await store.getStreamIdForEventId('1.1')).toBeUndefined();
        expect([store.size, store.bytes]).toEqual([0, 0]);
      },
    ),
  );
});

test('counts what an event takes beside its JSON', async () => {
  const store = new InMemoryEventStore({ maxEvents: 1e6, maxBytes: 1024 * 1024 });
  for (let n = 0; n < 3000; n += 1) await store.storeEvent(`stream ${String(n)}`, {});
  expect(store.size).toBeLessThanOrEqual(2048);
  expect(store.bytes).toBe(store.size * 514);
});

describe('an event that is gone', () => {
  test('is known as long as something of its stream is left, which is replayed', async () => {
    const store = new InMemoryEventStore({ maxEvents: 2 });
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await store.storeEvent('a', { n }));
    expect(await replay(store, ids[0] ?? '')).toMatchObject({ stream: 'a', values: [3, 4] });
    expect(await replay(store, ids[3] ?? '')).toMatchObject({ stream: 'a', values: [4] });
  });

  test('is unknown when its stream is gone, and so is what never was', async () => {
    const clock = { now: 0 };
    const store = new InMemoryEventStore({ ttl: 10 }, () => clock.now);
    const old = await store.storeEvent('a', { n: 1 });
    clock.now = 10;
    const young = await store.storeEvent('b', { n: 2 });
    expect(young).not.toBe(old);
    for (const id of [old, '2.2', '2.0', '3.1', '', 'x', '2.1 ', '-1.1']) {
      expect(await replay(store, id)).toEqual({ stream: undefined, ids: [], values: [] });
    }
    expect((await replay(store, young)).stream).toBe('b');
  });
});

test('does not replay what is stored in the meantime', async () => {
  const store = new InMemoryEventStore();
  const first = await store.storeEvent('a', {});
  await store.storeEvent('a', { n: 1 });
  const sent: unknown[] = [];
  await store.replayEventsAfter(first, {
    send: async (_id, message) => {
      sent.push(message['n']);
      await store.storeEvent('a', { n: 2 });
    },
  });
  expect(sent).toEqual([1]);
});

test.each([{ maxEvents: 0 }, { maxBytes: Number.NaN }, { ttl: -1 }, { ttl: '1' }, { maxAge: 1 }])(
  'refuses %j',
  (options) => {
    expect(() => new InMemoryEventStore(options as never)).toThrow(
      expect.objectContaining({ code: 'TW_SERVER_OPTION' }),
    );
  },
);

test('has the form that the SDK knows, and the other way round', () => {
  const ours: EventStore = new SdkEventStore();
  expect(typeof ours.storeEvent).toBe('function');
});

describe('events of several sessions', () => {
  const large = (size: number): { readonly text: string } => ({ text: 'x'.repeat(size) });

  test('are each a share, whatever another session stores', async () => {
    const store = new InMemoryEventStore({ maxBytes: 20_000 });
    const quiet = await store.storeEvent('quiet:1', large(100), 'quiet');
    for (let n = 0; n < 10; n += 1) await store.storeEvent(`loud:${String(n)}`, large(9000), 'loud');
    expect(await store.getStreamIdForEventId(quiet)).toBe('quiet:1');
    expect(store.bytes).toBeLessThanOrEqual(20_000);
  });

  test('make room beginning with the session that has the most', async () => {
    const store = new InMemoryEventStore({ maxBytes: 20_000, maxBytesPerSession: 20_000 });
    const ids = [];
    for (const [session, size] of [
      ['small', 1000],
      ['large', 9000],
      ['large', 3000],
    ] as const) {
      ids.push(await store.storeEvent(session, large(size), session));
    }
    await store.storeEvent('other', large(8000), 'other');
    const known = await Promise.all(
      ids.map((id) => store.replayEventsAfter(id, { send: async () => undefined })),
    );
    // The stream of the large one is known by what is left of it.
    expect(known).toEqual(['small', 'large', 'large']);
    expect(store.size).toBe(3);
  });
});
