import { expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { newTask } from '../../../src/runtime/tasks/task-record.ts';
import { CLIENTS, openRedis, type RedisPorts } from '../../support/redis-ports.ts';
import { OwnRedis } from '../../support/services/own-redis.ts';

const LIMITS = { total: 9, perSubject: 9, withoutSubject: 9 };

/** Something of every port, and of what is over. */
async function work(ports: RedisPorts): Promise<void> {
  const share = { owner: 'o'.repeat(22), bytes: 1000 };
  await ports.store.put('sessions', 'session', { value: 'x', ttl: 60_000 });
  await ports.events.storeEvent('stream', {}, 'session');
  await ports.store.put('once', `${share.owner}.answer`, { value: 'x', ttl: 60_000, share });
  await ports.store.put('idempotency', 'call', { value: 'x', ttl: 60_000, hold: 1000 });
  await ports.store.put('idempotency', 'released', { value: '', ttl: 0 });
  for (const subject of ['ann', undefined]) {
    const facts = { taskId: `task of ${String(subject)}`, subject, runner: 'r', statusMessage: undefined };
    const task = newTask(facts, { ttl: 60_000, pollInterval: 1 }, Date.now());
    await ports.tasks.create(task, LIMITS);
    await ports.tasks.update({ ...task, version: 2, status: 'completed' });
  }
  for (const per of [60_000, 'hour', 'day', 'month'] as const)
    await ports.counter.charge([{ key: `limit ${String(per)}`, cost: 1, limit: 2, per, burst: 2 }]);
  const slot = { key: 'slot', limit: 1, queueSize: 1, queueTimeout: 100 };
  const release = await ports.slots.take([slot], () => undefined);
  const waiting = ports.slots.take([slot], () => undefined);
  await ports.store.put('results', 'result', { value: 'x', ttl: 60_000 });
  await waiting;
  await ports.slots.take([{ ...slot, key: 'other' }], () => undefined);
  release?.();
}

async function keysOf(redis: Redis): Promise<readonly string[]> {
  const found = new Set<string>();
  for await (const keys of redis.scanStream()) for (const key of keys as string[]) found.add(key);
  return [...found].sort();
}

test('every key expires, begins with the prefix, and belongs to one application', async () => {
  await using redis = await OwnRedis.start();
  const admin = new Redis(redis.url);
  const seen: (readonly string[])[] = [];
  // Names that could look like a part of a key
  for (const [index, name] of ['notes', 'notes:1', 'notes:1:once:{a}', 'notes}'].entries()) {
    const clientFor = Object.values(CLIENTS)[index % 2] as (typeof CLIENTS)[string];
    const { ports } = await openRedis(clientFor(redis.url), { name });
    const before = new Set(await keysOf(admin));
    await work(ports);
    const own = (await keysOf(admin)).filter((key) => !before.has(key));
    // Each application has made all of its keys, and none that was there
    expect(own.length).toBeGreaterThan(15);
    for (const key of own) expect(key).toContain(`${encodeURIComponent(name)}:2`);
    // What expires may be gone by now
    for (const key of own) expect([key, await admin.pttl(key)]).not.toEqual([key, -1]);
    seen.push(own);
    await ports.close();
  }
  for (const key of seen.flat()) {
    expect(key).toMatch(/^tw:/);
    expect(key).not.toMatch(/session of|ann|call of/);
  }
  admin.disconnect();
});

test('another prefix takes the place of tw:', async () => {
  await using redis = await OwnRedis.start();
  const admin = new Redis(redis.url);
  const client = new Redis(redis.url, { lazyConnect: true, keyPrefix: 'own:' });
  const { ports } = await openRedis(client, { prefix: 'acme:' });
  await work(ports);
  for (const key of await keysOf(admin)) expect(key).toMatch(/^acme:/);
  await ports.close();
  admin.disconnect();
});
