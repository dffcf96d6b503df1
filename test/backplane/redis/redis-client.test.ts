import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createCluster } from '@redis/client';
import { Cluster, Redis } from 'ioredis';
import { setTimeout as pass } from 'node:timers/promises';
import { redisBackplane, type RedisClient } from 'toolwright/redis';
import { newTask } from '../../../src/runtime/tasks/task-record.ts';
import { openRedis } from '../../support/redis-ports.ts';
import { OwnRedis } from '../../support/services/own-redis.ts';

const CLUSTERS: Readonly<Record<string, (redis: OwnRedis) => RedisClient>> = {
  '@redis/client': ({ url }) => createCluster({ rootNodes: [{ url }] }),
  ioredis: ({ port }) => new Cluster([{ host: '127.0.0.1', port }], { lazyConnect: true }),
};

describe.each(Object.entries(CLUSTERS))('a cluster, with %s', (_library, clientFor) => {
  let redis: OwnRedis;

  beforeAll(async () => {
    redis = await OwnRedis.start('--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1');
    const admin = new Redis(redis.url);
    await admin.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    while (!String(await admin.call('CLUSTER', 'INFO')).includes('cluster_state:ok')) await pass(50);
    admin.disconnect();
  });

  afterAll(() => redis[Symbol.asyncDispose]());

  test('serves every port, each script with keys of one slot, and warns of what a failover may forget', async () => {
    const { ports, records } = await openRedis(clientFor(redis));
    const other = await openRedis(clientFor(redis));
    expect(records.map(({ event }) => event)).toEqual(['backplane.failover']);
    const heard = new Promise<string>((resolve) => void other.ports.bus.subscribe('channel', resolve));
    while ((await Promise.race([heard, pass(50, '')])) === '') await ports.bus.publish('channel', 'text');
    expect(await heard).toBe('text');
    const owned = `${'o'.repeat(22)}.a`;
    const share = { owner: 'o'.repeat(22), bytes: 1000 };
    for (const key of ['a', owned]) {
      const written = await ports.store.put('calls', key, { value: 'x', ttl: 60_000, share });
      const { version } = written as { version: number };
      expect(await other.ports.store.get('calls', key, { keep: 60_000 })).toMatchObject({
        value: 'x',
        version,
      });
      expect(await other.ports.store.delete('calls', key, version)).toBe(true);
    }
    await ports.store.forget?.('calls', share.owner);
    const id = await ports.events.storeEvent('stream', { a: 1 }, 'session');
    expect(await other.ports.events.getStreamIdForEventId?.(id)).toBe('stream');
    await ports.events.forgetSession?.('session');
    const charges = ['one', 'two', 'three'].map((key) => ({ key, cost: 1, limit: 1, per: 60_000, burst: 1 }));
    expect(await ports.counter.charge(charges)).toBeUndefined();
    expect(await other.ports.counter.charge(charges)).toMatchObject({ index: 0 });
    const slots = ['one', 'two'].map((key) => ({ key, limit: 1, queueSize: 1, queueTimeout: 5000 }));
    const release = await ports.slots.take(slots, () => undefined);
    const waiting = other.ports.slots.take(slots, () => undefined);
    release?.();
    expect(await waiting).toBeDefined();
    const told: string[] = [];
    await other.ports.tasks.watch?.('task', () => void told.push('task'));
    const facts = { taskId: 'task', subject: 'ann', runner: 'r', statusMessage: undefined };
    const task = newTask(facts, { ttl: 60_000, pollInterval: 1 }, Date.now());
    expect(await ports.tasks.create(task, { total: 9, perSubject: 9, withoutSubject: 9 })).toBe(true);
    expect(await other.ports.tasks.list('ann', { limit: 5 })).toEqual([task]);
    await ports.tasks.update({ ...task, version: 2 }, ['a', 'b']);
    expect(await other.ports.tasks.journal?.('task')).toEqual(['a', 'b']);
    while (told.length === 0) await pass(10);
    await Promise.all([ports.close(), other.ports.close()]);
  });
});

test('anything but a client is refused, with the libraries that are', () => {
  for (const client of [undefined, 'redis://127.0.0.1', {}, { duplicate: () => ({}), on: () => ({}) }])
    expect(() => redisBackplane({ client: client as never })).toThrow(
      expect.objectContaining({
        code: 'TW_BACKPLANE_OPTION',
        message: expect.stringContaining(
          'a client of `@redis/client` or `redis` 6, or of `ioredis` 5 or later',
        ),
      }),
    );
});
