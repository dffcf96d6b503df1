import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { setTimeout as pause } from 'node:timers/promises';
import type { Store, StoreWritten } from 'toolwright';
import { redisKeysOf } from '../../support/redis-keys-of.ts';
import { CLIENTS, openRedis, type OpenedPorts } from '../../support/redis-ports.ts';
import { OwnRedis } from '../../support/services/own-redis.ts';
import { useRedis } from '../../support/services/use-services.ts';
import { stopDeadlines } from '../../support/stop-deadlines.ts';

const redis = useRedis();
const opened: OpenedPorts[] = [];
const OWNER = 'o'.repeat(22);
const TIMEOUT = 300;

afterEach(async () => {
  jest.useRealTimers();
  for (const { ports } of opened.splice(0)) await ports.close();
});

async function open(name = randomUUID()): Promise<{ name: string; store: Store; admin: Redis }> {
  const instance = await openRedis(new Redis(redis.url, { lazyConnect: true }), { name });
  opened.push(instance);
  return { name, store: instance.ports.store, admin: new Redis(redis.url) };
}

function versionOf(written: StoreWritten): number {
  if ('version' in written) return written.version;
  throw new Error(`refused: ${JSON.stringify(written)}`);
}

const claim = { value: 'x', ttl: 60_000, hold: 30_000, if: 'absent' } as const;

test('A clock that goes an hour back gives no version twice', async () => {
  const { name, store, admin } = await open();
  const first = versionOf(await store.put('calls', 'a', claim));
  await store.put('calls', 'a', { value: '', ttl: 0, if: first });
  // As if the clock of Redis had been an hour ahead
  const ahead = (Date.now() + 3_600_000) * 1000;
  const key = redisKeysOf(name).of('calls', 'a');
  await admin.hset(key, 'version', String(ahead));
  expect(await admin.pttl(key)).toBeGreaterThan(3_590_000);
  admin.disconnect();
  expect(versionOf(await store.put('calls', 'a', claim))).toBe(ahead + 1);
});

test('A read that keeps an entry lets Redis keep it, in the same command', async () => {
  const { name, store, admin } = await open();
  await store.put('sessions', 'a', { value: 'x', ttl: 1_000_000 });
  await store.get('sessions', 'a', { keep: 2_000_000 });
  expect(await admin.pttl(redisKeysOf(name).of('sessions', 'a'))).toBeGreaterThan(1_000_000);
  admin.disconnect();
});

test('What counts the bytes of an owner goes with its last entry, and with the owner', async () => {
  const { name, store, admin } = await open();
  const share = { owner: OWNER, bytes: 10_000 };
  const shares = redisKeysOf(name).tagged('a-sizes', OWNER);
  await store.put('a', `${OWNER}.1`, { value: 'x', ttl: 60_000, share });
  expect(await admin.pttl(shares)).toBeGreaterThan(0);
  await store.delete('a', `${OWNER}.1`);
  expect(await admin.hgetall(shares)).toEqual({ '': '0' });
  await store.put('a', `${OWNER}.2`, { value: 'x', ttl: 60_000, share });
  expect(await store.forget?.('a', OWNER)).toBe(1);
  expect(await admin.exists(shares)).toBe(0);
  admin.disconnect();
});

describe.each(Object.entries(CLIENTS))('with %s', (_library, clientFor) => {
  test('what was put after its caller gave up is taken back, and what was there before stays', async () => {
    await using own = await OwnRedis.start();
    const { ports } = await openRedis(clientFor(own.url), { timeout: TIMEOUT });
    const { store } = ports;
    const first = versionOf(await store.put('calls', 'there', claim));
    const held = versionOf(await store.put('calls', 'held', claim));
    stopDeadlines();
    await own.suspend();
    const late = Promise.allSettled([
      store.put('calls', 'claimed', claim),
      store.put('calls', 'added', { value: 'x', ttl: 60_000, if: 'absent' }),
      store.put('calls', 'there', { value: 'late', ttl: 60_000, if: first }),
      store.put('calls', 'held', { ...claim, if: { held }, renumber: false }),
    ]);
    await jest.advanceTimersByTimeAsync(TIMEOUT);
    expect((await late).map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'rejected'));
    await own.resume();
    jest.useRealTimers();
    for (const key of ['claimed', 'added']) {
      const puts = async (): Promise<boolean> => {
        const written = await store.put('calls', key, claim).catch(() => undefined);
        return written !== undefined && 'version' in written;
      };
      while (!(await puts())) await pause(5);
    }
    // Without it, what it replaced would be lost as well
    expect((await store.get('calls', 'there'))?.value).toBe('late');
    // A holder that renews is at work
    expect((await store.get('calls', 'held'))?.version).toBe(held);
    await ports.close();
  });
});

test('A Redis that is full says so, and keeps what it has', async () => {
  await using own = await OwnRedis.start('--maxmemory-policy', 'noeviction');
  const { ports } = await openRedis(new Redis(own.url, { lazyConnect: true }));
  const { store } = ports;
  await store.put('calls', 'kept', claim);
  const admin = new Redis(own.url);
  await admin.config('SET', 'maxmemory', '1');
  expect(await store.put('calls', 'new', claim)).toEqual({ full: 'store' });
  expect((await store.get('calls', 'kept'))?.value).toBe('x');
  await admin.config('SET', 'maxmemory', '0');
  admin.disconnect();
  versionOf(await store.put('calls', 'new', claim));
  await ports.close();
});

test('An owner takes so many bytes of a collection, and no more; others go on', async () => {
  const instance = await openRedis(new Redis(redis.url, { lazyConnect: true }), {
    name: randomUUID(),
    maxBytesPerOwner: 1000,
  });
  opened.push(instance);
  const { store } = instance.ports;
  const take = (owner: string, key: string, collection = 'calls'): Promise<StoreWritten> =>
    store.put(collection, `${owner}.${key}`, { ...claim, value: 'x'.repeat(600), share: { owner } });
  const version = versionOf(await take(OWNER, '1'));
  expect(await take(OWNER, '2')).toEqual({ full: 'owner' });
  versionOf(await take('p'.repeat(22), '1'));
  versionOf(await take(OWNER, '1', 'results'));
  // Who has done something can say so
  const outcome = { value: 'x'.repeat(2000), ttl: 60_000, if: version };
  versionOf(await store.put('calls', `${OWNER}.1`, outcome));
  await store.delete('calls', `${OWNER}.1`);
  versionOf(await take(OWNER, '2'));
});
