import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import type { SlotRequest } from 'toolwright';
import { hashed } from '../../../src/backplane/redis/redis-keys.ts';
import { redisKeysOf } from '../../support/redis-keys-of.ts';
import { CLIENTS, openRedis, type OpenedPorts } from '../../support/redis-ports.ts';
import { useRedis } from '../../support/services/use-services.ts';

const redis = useRedis();
const never = (): undefined => undefined;

function slot(key: string, facts: Partial<SlotRequest> = {}): SlotRequest {
  return { key, limit: 1, queueSize: 0, queueTimeout: 60_000, ...facts };
}

describe.each(Object.entries(CLIENTS))('slots in Redis, with %s', (_library, clientFor) => {
  const opened: OpenedPorts[] = [];
  const name = `slots ${randomUUID()}`;
  let admin: Redis;

  beforeAll(async () => {
    admin = new Redis(redis.url);
    for (let instance = 0; instance < 2; instance += 1)
      opened.push(await openRedis(clientFor(redis.url), { name }));
  });

  afterAll(async () => {
    admin.disconnect();
    await Promise.all(opened.map(({ ports }) => ports.close()));
  });

  /** Calls come to the queue when Redis has heard of them. */
  async function untilWaiting(key: string, count: number): Promise<void> {
    const queue = `${redisKeysOf(name).among('slots', hashed(key))}:queue`;
    while ((await admin.zcard(queue)) < count) await pass(5);
  }

  const take = async (instance: number, ...wanted: readonly SlotRequest[]) =>
    opened[instance % 2]?.ports.slots.take(wanted, never);

  test('are as many as there may be, in all instances together', async () => {
    const request = slot('many', { limit: 3 });
    const taken = await Promise.all(Array.from({ length: 20 }, (_, index) => take(index, request)));
    const releases = taken.filter((release) => release !== undefined);
    expect(releases).toHaveLength(3);
    releases[0]?.();
    releases[0]?.();
    let again: (() => void) | undefined;
    while ((again = await take(0, request)) === undefined) await pass(5);
    expect(await take(1, request)).toBeUndefined();
    again();
  });

  test('are taken all or none', async () => {
    const release = await take(0, slot('one'));
    expect(await take(1, slot('one'), slot('two'))).toBeUndefined();
    const other = await take(1, slot('two'));
    expect(other).toBeDefined();
    release?.();
    other?.();
  });

  test('are given to those who wait, in the order in which they came', async () => {
    const queued = slot('queue', { queueSize: 5 });
    const first = await take(0, queued);
    const order: string[] = [];
    const waiting: Promise<void>[] = [];
    for (const name of ['a', 'b', 'c']) {
      const wait = async (): Promise<void> => {
        const release = await take(waiting.length, queued);
        order.push(name);
        release?.();
      };
      waiting.push(wait());
      await untilWaiting('queue', waiting.length);
    }
    first?.();
    await Promise.all(waiting);
    expect(order).toEqual(['a', 'b', 'c']);
  });

  test('have queues of a size and a time', async () => {
    const queued = slot('short', { queueSize: 1 });
    const release = await take(0, queued);
    expect(await take(1, { ...queued, queueTimeout: 200 })).toBeUndefined();
    const next = take(1, queued);
    await untilWaiting('short', 1);
    expect(await take(0, { ...queued, queueTimeout: Infinity })).toBeUndefined();
    release?.();
    const taken = await next;
    expect(taken).toBeDefined();
    taken?.();
  });

  test('end the waiting of a call that is cancelled, with its reason', async () => {
    const queued = slot('cancelled', { queueSize: 1 });
    const release = await take(0, queued);
    const controller = new AbortController();
    const waiting = opened[1]?.ports.slots.take([queued], () => controller.signal);
    const reason = new Error('gone');
    await untilWaiting('cancelled', 1);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    release?.();
    // Its place is free as well
    const held = await take(0, queued);
    const next = take(1, queued);
    held?.();
    const taken = await next;
    expect(taken).toBeDefined();
    taken?.();
  });

  test('let a later call pass an earlier one that waits for something else as well', async () => {
    const [a, b] = [slot('pass a', { queueSize: 5 }), slot('pass b', { queueSize: 5 })];
    const ofB = await take(0, b);
    const ofA = await take(0, a);
    const both = take(0, a, b);
    await untilWaiting('pass a', 1);
    const later = take(1, a);
    ofA?.();
    const release = await later;
    expect(release).toBeDefined();
    release?.();
    ofB?.();
    const last = await both;
    expect(last).toBeDefined();
    last?.();
  });
});
