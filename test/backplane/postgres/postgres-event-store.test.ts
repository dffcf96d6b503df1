import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { EventStore } from 'toolwright';
import { usePostgresSchema } from '../../support/postgres-backplane.ts';

const database = usePostgresSchema();

async function start() {
  const app = randomUUID();
  const { ports, pass } = await database.openTimed(app);
  return { app, store: ports.events, other: (await database.open(app)).events, pass };
}

async function replay(store: EventStore, after: string) {
  const sent: (readonly [id: string, message: unknown])[] = [];
  const stream = await store.replayEventsAfter(after, {
    send: async (id, message) => void sent.push([id, message['n']]),
  });
  return { stream, ids: sent.map(([id]) => id), values: sent.map(([, value]) => value) };
}

test('what came later in a stream is replayed by any instance, in order', async () => {
  const { store, other } = await start();
  const ids = await Promise.all(
    Array.from({ length: 250 }, (_, n) => store.storeEvent(n % 2 === 0 ? 'even' : 'odd', { n })),
  );
  expect(new Set(ids).size).toBe(250);
  expect(ids.every((id) => /^[\x21-\x7e]+$/.test(id))).toBe(true);
  expect(await replay(other, ids[100] ?? '')).toEqual({
    stream: 'even',
    ids: ids.filter((_id, n) => n % 2 === 0 && n > 100),
    values: Array.from({ length: 74 }, (_, index) => 102 + 2 * index),
  });
  expect(await replay(other, ids[249] ?? '')).toEqual({ stream: 'odd', ids: [], values: [] });
  expect(await other.getStreamIdForEventId?.(ids[0] ?? '')).toBe('even');
});

test('an event that was never stored is unknown', async () => {
  const { store } = await start();
  const id = await store.storeEvent('a', {});
  const [number, stream] = id.split('.');
  for (const wrong of [
    '',
    'x',
    '1',
    `${Number(number) + 1}.${stream}`,
    `${number}.other`,
    ` ${id}`,
    `-${id}`,
  ]) {
    expect(await replay(store, wrong)).toEqual({ stream: undefined, ids: [], values: [] });
  }
  const stranger = await database.open(randomUUID());
  expect(await stranger.events.getStreamIdForEventId?.(id)).toBeUndefined();
});

test('an event that is gone is known as long as something of its stream is left', async () => {
  const { store, pass, app } = await start();
  const first = await store.storeEvent('a', { n: 1 });
  await pass(200_000);
  await store.storeEvent('a', { n: 2 });
  await pass(200_000);
  await database.run('SELECT OWN.sweep(1000)');
  expect(await database.run('SELECT FROM OWN.events WHERE app = $1', [app])).toHaveLength(1);
  expect(await replay(store, first)).toMatchObject({ stream: 'a', values: [2] });
  await pass(200_000);
  expect(await replay(store, first)).toMatchObject({ stream: undefined, values: [] });
});

test('the events of a session that has ended are gone, and those of others stay', async () => {
  const { store, other } = await start();
  const mine = [await store.storeEvent('a', {}, 'mine'), await store.storeEvent('b', {}, 'mine')];
  const theirs = await store.storeEvent('c', {}, 'theirs');
  await other.forgetSession?.('mine');
  const streams = await Promise.all([...mine, theirs].map(async (id) => store.getStreamIdForEventId?.(id)));
  expect(streams).toEqual([undefined, undefined, 'c']);
});

test('a stream has no more events than it may, and keeps the newest', async () => {
  const app = randomUUID();
  const { events } = await database.open(app, { events: { maxEvents: 50 } });
  const ids: string[] = [];
  for (let n = 0; n < 200; n += 1) ids.push(await events.storeEvent('a', { n }, 's'));
  const other = await events.storeEvent('b', {}, 's');
  const rows = await database.run('SELECT FROM OWN.events WHERE app = $1', [app]);
  expect(rows.length).toBeLessThanOrEqual(50 + 5 + 1);
  expect((await replay(events, ids[0] ?? '')).values.slice(-50)).toEqual(
    Array.from({ length: 50 }, (_, index) => index + 150),
  );
  expect(await events.getStreamIdForEventId?.(other)).toBe('b');
});

test('an owner has no more bytes than it may, in all of its sessions, and keeps the newest', async () => {
  const app = randomUUID();
  const { events } = await database.open(app, { events: { maxBytesPerOwner: 20_000 } });
  const [owner, other] = ['o'.repeat(22), 'p'.repeat(22)];
  const kept = await events.storeEvent('other', {}, `${other}.0`);
  const text = 'x'.repeat(4000);
  const ids: string[] = [];
  for (let n = 0; n < 20; n += 1) {
    ids.push(await events.storeEvent(`stream ${String(n)}`, { text }, `${owner}.${String(n % 3)}`));
  }
  const isThere = async (id: string): Promise<boolean> =>
    (await events.getStreamIdForEventId?.(id)) !== undefined;
  expect(await Promise.all(ids.map(isThere))).toEqual([
    ...Array<boolean>(16).fill(false),
    ...Array<boolean>(4).fill(true),
  ]);
  const large = await events.storeEvent('large', { text: 'x'.repeat(50_000) }, `${owner}.0`);
  expect(await Promise.all([...ids, large, kept].map(isThere))).toEqual([
    ...Array<boolean>(20).fill(false),
    true,
    true,
  ]);
  const session = randomUUID();
  for (let n = 0; n < 20; n += 1) await events.storeEvent('nobody', { text }, session);
  const rows = await database.run('SELECT FROM OWN.events WHERE app = $1 AND session = $2', [app, session]);
  expect(rows).toHaveLength(4);
});
