import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { setTimeout as pass } from 'node:timers/promises';
import type { SessionRecordStore } from 'toolwright';
import { redisKeysOf } from '../../support/redis-keys-of.ts';
import { CLIENTS, openRedis, type OpenedPorts } from '../../support/redis-ports.ts';
import { useRedis } from '../../support/services/use-services.ts';

const redis = useRedis();

describe.each(Object.entries(CLIENTS))('sessions in Redis, with %s', (library, clientFor) => {
  const opened: OpenedPorts[] = [];
  const name = `sessions ${library}`;
  let one: SessionRecordStore;
  let other: SessionRecordStore;

  beforeAll(async () => {
    for (let instance = 0; instance < 2; instance += 1)
      opened.push(await openRedis(clientFor(redis.url), { name }));
    [one, other] = opened.map(({ ports }) => ports.sessions) as [SessionRecordStore, SessionRecordStore];
  });

  afterAll(() => Promise.all(opened.map(({ ports }) => ports.close())));

  test('are the same in all instances, by version', async () => {
    expect(await one.load('a', 1000)).toBeUndefined();
    expect(await one.save('a', 'first', 1, 1000)).toBe(false);
    expect(await one.save('a', 'first', 0, 60_000)).toBe(true);
    expect(await other.save('a', 'late', 0, 60_000)).toBe(false);
    expect(await other.load('a', 60_000)).toEqual({ value: 'first', version: 1 });
    expect(await other.save('a', 'second', 1, 60_000)).toBe(true);
    expect(await one.save('a', 'third', 1, 60_000)).toBe(false);
    expect(await one.load('a', 60_000)).toEqual({ value: 'second', version: 2 });
  });

  test('are changed by one of many', async () => {
    await one.save('many', '', 0, 60_000);
    const saves = Array.from({ length: 50 }, (_, index) =>
      (index % 2 === 0 ? one : other).save('many', String(index), 1, 60_000),
    );
    expect((await Promise.all(saves)).filter((isSaved) => isSaved)).toHaveLength(1);
  });

  test('are gone when they end, and are not made again by a late change', async () => {
    await one.save('over', 'x', 0, 60_000);
    await other.remove('over');
    expect(await one.load('over', 60_000)).toBeUndefined();
    expect(await one.save('over', 'y', 1, 60_000)).toBe(false);
    await one.remove('over');
  });

  test('live on with each use, and end by themselves', async () => {
    // Redis says what is left: a lifetime short enough to wait for ends on a busy machine while it is used
    const admin = new Redis(redis.url);
    await one.save('used', 'x', 0, 1_000_000);
    expect(await other.load('used', 2_000_000)).toBeDefined();
    expect(await admin.pttl(redisKeysOf(name).of('session', 'used'))).toBeGreaterThan(1_000_000);
    admin.disconnect();
    await one.load('used', 1);
    await pass(50);
    expect(await one.load('used', 300)).toBeUndefined();
  });
});
