import assert from 'node:assert/strict';
import type { EventStore, StoredMessage } from '../../index.ts';
import type { ConformanceCase } from '../../shared/conformance-case.ts';
import {
  atOnce,
  expectForgotten,
  LARGE_TEXT,
  ODD_KEYS,
  ODD_TEXT,
  portConformance,
  type MakePort,
  type PortCases,
} from './trial.ts';

interface Replayed {
  readonly stream: string | undefined;
  readonly events: readonly (readonly [id: string, message: StoredMessage])[];
}

async function replay(store: EventStore, after: string): Promise<Replayed> {
  const events: [string, StoredMessage][] = [];
  const stream = await store.replayEventsAfter(after, {
    send: async (id, message) => void events.push([id, message]),
  });
  // An empty text says the same
  return { stream: stream === '' ? undefined : stream, events };
}

/** Stores numbered messages in a stream, one after the other. */
async function fill(
  store: EventStore,
  { stream, count, session }: { readonly stream: string; readonly count: number; readonly session?: string },
): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await store.storeEvent(stream, { n }, session ?? stream));
  return ids;
}

const numbered = (ids: readonly string[], from: number): Replayed['events'] =>
  ids.map((id, n) => [id, { n }] as const).slice(from);

const CASES: PortCases<EventStore> = {
  async 'replays what came after an event in its stream, in order'({ port, second }) {
    const ids = await fill(port, { stream: 'a', count: 12 });
    for (const [n, id] of ids.entries()) {
      assert.deepEqual(await replay(await second(), id), { stream: 'a', events: numbered(ids, n + 1) });
    }
  },
  async 'replays nothing of other streams, of one session or another'({ port }) {
    const ids: Record<string, string[]> = { a: [], b: [], c: [] };
    for (let n = 0; n < 5; n += 1) {
      for (const [stream, own] of Object.entries(ids)) {
        own.push(await port.storeEvent(stream, { n }, stream === 'c' ? 'other' : 'one'));
      }
    }
    for (const [stream, own] of Object.entries(ids)) {
      assert.deepEqual(await replay(port, own[1] ?? ''), { stream, events: numbered(own, 2) });
    }
  },
  async 'gives ids of printable ASCII without spaces, each once in the whole store'(trial) {
    const ids: string[] = [];
    for (const stream of ['a', 'b', 'c']) ids.push(...(await fill(trial.port, { stream, count: 5 })));
    ids.push(...(await atOnce(trial, (store, index) => store.storeEvent(`d${String(index % 3)}`, {}, 'd'))));
    for (const id of ids) assert.match(id, /^[\x21-\x7e]+$/);
    assert.equal(new Set(ids).size, ids.length, 'an id comes twice');
  },
  async 'loses nothing of what is stored at once, and has it in one order'(trial) {
    const first = await trial.port.storeEvent('a', {}, 'one');
    const ids = await atOnce(trial, (store, n) => store.storeEvent('a', { n }, 'one'));
    const { events } = await replay(trial.port, first);
    assert.deepEqual(new Map(events), new Map(ids.map((id, n) => [id, { n }])));
    assert.deepEqual((await replay(await trial.second(), first)).events, events);
    assert.deepEqual((await replay(trial.port, events[4]?.[0] ?? '')).events, events.slice(5));
  },
  async 'names the stream of an event, and none for one that it does not know'({ port }) {
    const [id = ''] = await fill(port, { stream: 'a', count: 1 });
    assert.deepEqual(await replay(port, id), { stream: 'a', events: [] });
    if (port.getStreamIdForEventId !== undefined) assert.equal(await port.getStreamIdForEventId(id), 'a');
    for (const unknown of ['0', 'unknown', `${id}0`, '-1.1', '999999-999999', '%', '!~']) {
      assert.deepEqual(await replay(port, unknown), { stream: undefined, events: [] }, unknown);
      assert.ok(!(await port.getStreamIdForEventId?.(unknown)), `the stream of ${unknown}`);
    }
  },
  async 'keeps a message as it was when it was stored'({ port }) {
    const place = await port.storeEvent('a', {}, 'one');
    const message: Record<string, unknown> = { n: 1, deep: { list: [1, null, 'x'] } };
    await port.storeEvent('a', message, 'one');
    message['n'] = 2;
    assert.deepEqual(
      (await replay(port, place)).events.map(([, stored]) => stored),
      [{ n: 1, deep: { list: [1, null, 'x'] } }],
    );
  },
  async 'gives back any message, also with characters that only JSON can carry'({ port }) {
    const place = await port.storeEvent('a', {}, 'one');
    const messages = [{ text: ODD_TEXT }, { text: 'end\u0000 \ud800' }, { [ODD_TEXT]: 1e-7 }, {}];
    for (const message of messages) await port.storeEvent('a', message, 'one');
    await port.storeEvent('a', { text: LARGE_TEXT }, 'one');
    const stored = (await replay(port, place)).events.map(([, message]) => message);
    assert.deepEqual(stored.slice(0, -1), messages);
    // Not an assertion on the text itself, which would print all of it
    assert.ok(stored[4]?.['text'] === LARGE_TEXT, 'a large message came back as another one');
  },
  async 'keeps a stream that was read to its end as long as is said, and no other one shorter'({
    port,
    second,
  }) {
    if (port.endStream === undefined) return;
    const [one = '', two = ''] = await fill(port, { stream: 'a', count: 2, session: 'one' });
    const others = await fill(port, { stream: 'b', count: 2, session: 'one' });
    await (await second()).endStream?.('a', 600_000, 'one');
    await port.endStream('unknown', 0, 'one');
    assert.deepEqual(await replay(port, one), { stream: 'a', events: [[two, { n: 1 }]] });
    await port.endStream('a', 0, 'one');
    for (const id of [one, two]) assert.deepEqual(await replay(port, id), { stream: undefined, events: [] });
    assert.deepEqual(await replay(port, others[0] ?? ''), { stream: 'b', events: numbered(others, 1) });
    // Its name is free again
    const again = await port.storeEvent('a', { n: 7 }, 'one');
    assert.deepEqual(await replay(port, again), { stream: 'a', events: [] });
  },
  async 'keeps the newest event, however much its session has stored before'({ port }) {
    for (let n = 0; n < 10; n += 1) await port.storeEvent(`a${String(n)}`, { text: LARGE_TEXT }, 'one');
    const place = await port.storeEvent('b', {}, 'one');
    const newest = await port.storeEvent('b', { n: 1 }, 'one');
    assert.deepEqual(await replay(port, place), { stream: 'b', events: [[newest, { n: 1 }]] });
  },
  async 'forgets all streams of a session that has ended, and no other'({ port }) {
    if (port.forgetSession === undefined) return;
    const [one = ''] = await fill(port, { stream: 'a', count: 3, session: 'one' });
    const [two = ''] = await fill(port, { stream: 'b', count: 3, session: 'one' });
    const others = await fill(port, { stream: 'c', count: 3, session: 'one more' });
    await port.forgetSession('one');
    await port.forgetSession('unknown');
    for (const id of [one, two]) {
      assert.deepEqual(await replay(port, id), { stream: undefined, events: [] });
      assert.ok(!(await port.getStreamIdForEventId?.(id)), 'its stream is known still');
    }
    assert.deepEqual(await replay(port, others[0] ?? ''), { stream: 'c', events: numbered(others, 1) });
  },
  async 'keeps streams and sessions apart'({ port }) {
    const ids: string[] = [];
    for (const key of ODD_KEYS) ids.push(await port.storeEvent(key, {}, key));
    for (const key of ODD_KEYS) await port.storeEvent(key, { key }, key);
    await port.forgetSession?.('a');
    for (const [index, key] of ODD_KEYS.entries()) {
      if (key === 'a' && port.forgetSession !== undefined) continue;
      const { stream, events } = await replay(port, ids[index] ?? '');
      assert.deepEqual([stream, events.map(([, message]) => message)], [key, [{ key }]]);
    }
  },
  async 'forgets what belongs to one owner, and nothing else'(trial) {
    const { port } = trial;
    const ids = new Map<string, string>();
    await expectForgotten(
      trial,
      async (key) => {
        ids.set(key, await port.storeEvent(`${key}:stream`, { key }, key));
        await port.storeEvent(`${key}:stream`, { key }, key);
      },
      async (key) => (await replay(port, ids.get(key) ?? '')).events.length > 0,
    );
  },
};

/**
 * What every {@link EventStore} has to do, as cases for any test runner.
 *
 * @example
 * for (const { name, run } of eventStoreConformance(() => ({ port: new InMemoryEventStore() }))) test(name, run);
 */
export function eventStoreConformance(make: MakePort<EventStore>): readonly ConformanceCase[] {
  return portConformance(CASES, make);
}
