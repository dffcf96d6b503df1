import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { RedisWorkflowCache } from 'toolwright/redis';
import {
  CachingWorkflowStorage,
  InMemoryWorkflowCache,
  InMemoryWorkflowStorage,
  type WorkflowCache,
  type WorkflowSnapshot,
} from 'toolwright/workflow';
import { eventually } from '../../support/eventually.ts';
import { CLIENTS } from '../../support/redis-ports.ts';
import { OwnRedis } from '../../support/services/own-redis.ts';

const SNAPSHOT: WorkflowSnapshot = {
  workflows: [],
  diagnostics: [{ source: 'a.yaml', message: 'größer als 🐘 "erlaubt"' }],
} as unknown as WorkflowSnapshot;
const LONG = 600_000;

let redis: OwnRedis;
const opened: RedisWorkflowCache<WorkflowSnapshot>[] = [];
beforeAll(async () => {
  redis = await OwnRedis.start();
});
afterAll(async () => {
  await Promise.all(opened.map((cache) => cache.close()));
  await redis[Symbol.asyncDispose]();
});

/** The default time is short enough to pass on a busy machine. */
function onRedis(name: string, prefix = `${name}:`): WorkflowCache {
  const cache = new RedisWorkflowCache<WorkflowSnapshot>({
    client: (CLIENTS[name] as (url: string) => never)(redis.url),
    prefix,
    timeout: 60_000,
  });
  opened.push(cache);
  return cache;
}

describe.each<readonly [name: string, make: () => WorkflowCache]>([
  ['of one process', () => new InMemoryWorkflowCache()],
  ...Object.keys(CLIENTS).map((name) => [`on Redis by ${name}`, () => onRedis(name)] as const),
])('a cache %s', (_name, make) => {
  test('gives what it was given, until it is removed or has expired', async () => {
    const cache = make();
    expect(await cache.get('a')).toBeUndefined();
    await cache.set('a', SNAPSHOT, LONG);
    expect(await cache.get('a')).toEqual(SNAPSHOT);
    expect(await cache.get('A')).toBeUndefined();
    await cache.set('a', { ...SNAPSHOT, diagnostics: [] }, LONG);
    expect(await cache.get('a')).toEqual({ ...SNAPSHOT, diagnostics: [] });
    await cache.delete('a');
    await cache.delete('a');
    expect(await cache.get('a')).toBeUndefined();
    await cache.set('b', SNAPSHOT, 1);
    await eventually(async () => (await cache.get('b')) === undefined);
  });
});

describe('a cache on Redis', () => {
  test('is shared by servers with one prefix, and by no others', async () => {
    const [first, second, other] = [
      onRedis('ioredis', 'x:'),
      onRedis('@redis/client', 'x:'),
      onRedis('ioredis', 'y:'),
    ];
    await first.set('workflows', SNAPSHOT, LONG);
    expect(await second.get('workflows')).toEqual(SNAPSHOT);
    expect(await other.get('workflows')).toBeUndefined();
    const admin = new Redis(redis.url);
    for (const key of await admin.keys('*')) expect(await admin.pttl(key)).not.toBe(-1);
    admin.disconnect();
  });

  test('that cannot be reached is a miss, and the workflows are read all the same', async () => {
    const cache = new RedisWorkflowCache<WorkflowSnapshot>({
      client: new Redis({ port: 1, lazyConnect: true, retryStrategy: () => null }),
      timeout: 100,
    });
    await expect(cache.get('a')).rejects.toThrow();
    const storage = new CachingWorkflowStorage(new InMemoryWorkflowStorage([]), { cache });
    expect(await storage.loadAll()).toEqual([]);
    await cache.close().catch(() => undefined);
  });

  test('says which options it does not take', () => {
    expect(() => new RedisWorkflowCache({ client: {} as never })).toThrow('TW_BACKPLANE_OPTION');
    expect(
      () => new RedisWorkflowCache({ client: new Redis({ lazyConnect: true }), ttl: 1 } as never),
    ).toThrow('ttl');
  });
});
