import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { EventStore, StoredMessage } from 'toolwright';
import { CLIENTS, openRedis, type OpenedPorts } from '../../support/redis-ports.ts';
import { useRedis } from '../../support/services/use-services.ts';

const redis = useRedis();

describe.each(Object.entries(CLIENTS))('events in Redis, with %s', (_library, clientFor) => {
  const opened: OpenedPorts[] = [];
  const name = `events ${randomUUID()}`;
  let one: EventStore;
  let other: EventStore;

  beforeAll(async () => {
    for (let instance = 0; instance < 2; instance += 1)
      opened.push(await openRedis(clientFor(redis.url), { name, events: { maxEvents: 150, ttl: 60_000 } }));
    [one, other] = opened.map(({ ports }) => ports.events) as [EventStore, EventStore];
  });

  afterAll(() => Promise.all(opened.map(({ ports }) => ports.close())));

  async function missed(
    store: EventStore,
    id: string,
  ): Promise<readonly [string | undefined, readonly StoredMessage[]]> {
    const messages: StoredMessage[] = [];
    const stream = await store.replayEventsAfter(id, {
      send: async (_id, message) => void messages.push(message),
    });
    return [stream, messages];
  }

  test('are read by any instance, after any of them, in order', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 250; index += 1) {
      ids.push(await (index % 2 === 0 ? one : other).storeEvent('long stream', { index }, 's'));
      await one.storeEvent('other stream', { index: -index }, 's');
    }
    expect(new Set(ids).size).toBe(250);
    for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]+$/);
    const [stream, messages] = await missed(other, ids[129] ?? '');
    expect(stream).toBe('long stream');
    expect(messages).toEqual(Array.from({ length: 120 }, (_, index) => ({ index: index + 130 })));
    expect(await other.getStreamIdForEventId?.(ids[249] ?? '')).toBe('long stream');
    expect(await missed(one, ids[249] ?? '')).toEqual(['long stream', []]);
  });

  test('that were never stored are unknown', async () => {
    const id = await one.storeEvent('stream', { a: 1 });
    for (const wrong of ['', 'a.b.1-1', id.replace(/\d+-\d+$/, '99999999999999-0'), `${id}9999`, `x${id}`]) {
      expect(await missed(one, wrong)).toEqual([undefined, []]);
      expect(await one.getStreamIdForEventId?.(wrong)).toBeUndefined();
    }
  });

  test('go with their session, and by themselves', async () => {
    const [ended, kept] = [
      await one.storeEvent('stream of ended', { a: 1 }, 'ended'),
      await one.storeEvent('stream of kept', { a: 1 }, 'kept'),
    ];
    await other.forgetSession?.('ended');
    expect(await missed(one, ended)).toEqual([undefined, []]);
    expect(await missed(one, kept)).toEqual(['stream of kept', []]);
    const brief = await openRedis(clientFor(redis.url), { name, events: { ttl: 1 } });
    opened.push(brief);
    const gone = await brief.ports.events.storeEvent('stream of brief', { a: 1 }, 'brief');
    await pass(50);
    expect(await missed(one, gone)).toEqual([undefined, []]);
  });

  test('have no more bytes than an owner may, of all its sessions, and keep the newest', async () => {
    const own = await openRedis(clientFor(redis.url), {
      name: `events ${randomUUID()}`,
      events: { maxBytesPerOwner: 20_000 },
    });
    opened.push(own);
    const { events } = own.ports;
    const owner = 'o'.repeat(22);
    const stored: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      const session = `${owner}.${String(index % 3)}`;
      stored.push(await events.storeEvent(`stream ${String(index)}`, { text: 'x'.repeat(4000) }, session));
    }
    const other = await events.storeEvent('other', { a: 1 }, `${'p'.repeat(22)}.0`);
    const known = await Promise.all(stored.map(async (id) => events.getStreamIdForEventId?.(id)));
    expect(known.map((stream) => stream !== undefined)).toEqual([
      ...Array<boolean>(8).fill(false),
      ...Array<boolean>(4).fill(true),
    ]);
    const large = await events.storeEvent('large', { text: 'x'.repeat(50_000) }, `${owner}.0`);
    expect(await events.getStreamIdForEventId?.(stored.at(-1) ?? '')).toBeUndefined();
    expect(await events.getStreamIdForEventId?.(large)).toBe('large');
    expect(await events.getStreamIdForEventId?.(other)).toBe('other');
  });

  test('leave no name of a stream behind that is gone, and no bytes of a session that has ended', async () => {
    const prefix = `${randomUUID()}:`;
    const own = await openRedis(clientFor(redis.url), { prefix, events: { maxBytesPerOwner: 10_000 } });
    opened.push(own);
    const { events } = own.ports;
    const owner = 'o'.repeat(22);
    for (let index = 0; index < 50; index += 1) {
      await events.storeEvent(`stream ${String(index)}`, { text: 'x'.repeat(1000) }, `${owner}.a`);
    }
    const admin = new Redis(redis.url);
    const keys = await admin.keys(`${prefix}*`);
    const names = keys.filter((key) => !/:(?:order|bytes|[\w-]{22}:[\w-]{22})$/.test(key));
    expect(await Promise.all(names.map((key) => admin.hlen(key)))).toEqual([6]);
    const kept = await events.storeEvent('b', { text: 'x'.repeat(1000) }, `${owner}.b`);
    await events.forgetSession?.(`${owner}.a`);
    for (let index = 0; index < 4; index += 1) {
      await events.storeEvent(`c ${String(index)}`, { text: 'x'.repeat(1000) }, `${owner}.c`);
    }
    expect(await events.getStreamIdForEventId?.(kept)).toBe('b');
    for (const session of ['b', 'c']) await events.forgetSession?.(`${owner}.${session}`);
    expect(await admin.keys(`${prefix}*`)).toEqual([]);
    admin.disconnect();
  });
});
