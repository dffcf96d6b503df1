import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { setTimeout as pause } from 'node:timers/promises';
import { FaultyWire } from '../../support/faulty-wire.ts';
import { CLIENTS, openRedis, type RedisPorts } from '../../support/redis-ports.ts';
import { OwnRedis } from '../../support/services/own-redis.ts';
import { stopDeadlines } from '../../support/stop-deadlines.ts';

const TIMEOUT = 300;

afterEach(() => {
  jest.useRealTimers();
});

const claim = { value: 'x', ttl: 60_000, hold: 30_000, if: 'absent' } as const;
const rate = { key: 'a', cost: 1, limit: 5, per: 60_000, burst: 5 };

/** A use of every port that Redis has to answer. */
function uses(ports: RedisPorts): readonly (() => Promise<unknown>)[] {
  return [
    () => ports.bus.publish('channel', 'text'),
    () => ports.store.get('sessions', 'session', { keep: 1000 }),
    () => ports.events.storeEvent('stream', {}),
    () => ports.store.put('once', 'answer', { value: 'x', ttl: 1000 }),
    () => ports.store.get('idempotency', 'call'),
    () => ports.tasks.get('task'),
    async () => ports.counter.charge([rate]),
    async () => ports.slots.take([{ key: 'a', limit: 9, queueSize: 0, queueTimeout: 0 }], () => undefined),
    () => ports.store.delete('results', 'result'),
  ];
}

/** Time passes for this process as for Redis. */
async function passTime(): Promise<void> {
  await pause(50);
  await jest.advanceTimersByTimeAsync(50);
}

/** @param wait between two tries */
async function untilItAnswers(ports: RedisPorts, wait = (): Promise<unknown> => pause(50)): Promise<void> {
  for (;;) {
    try {
      await ports.store.get('sessions', 'a');
      return;
    } catch {
      await wait();
    }
  }
}

async function refusals(ports: RedisPorts): Promise<readonly string[]> {
  const outcomes = await Promise.allSettled(uses(ports).map((use) => use()));
  return outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'done'));
}

describe.each(Object.entries(CLIENTS))('a Redis that fails, with %s', (_library, clientFor) => {
  test('hangs: every use is refused by its deadline, and works again by itself', async () => {
    await using redis = await OwnRedis.start();
    const { ports, levels } = await openRedis(clientFor(redis.url), { timeout: TIMEOUT });
    stopDeadlines();
    await redis.suspend();
    const refused = refusals(ports);
    await jest.advanceTimersByTimeAsync(TIMEOUT);
    for (const refusal of await refused) expect(refusal).toMatch(/did not answer within 300 ms/);
    // From now on without asking it, so that a call with several ports does not wait for each
    for (const refusal of await refusals(ports)) expect(refusal).toMatch(/Redis does not answer/);
    expect(levels()).toEqual(['error']);
    await redis.resume();
    await untilItAnswers(ports, passTime);
    expect(new Set(await refusals(ports))).toEqual(new Set(['done']));
    expect(levels()).toEqual(['error', 'notice']);
    await ports.close();
  });

  test('hangs: what was refused is taken back when Redis has done it late', async () => {
    await using redis = await OwnRedis.start();
    const { ports } = await openRedis(clientFor(redis.url), { timeout: TIMEOUT });
    stopDeadlines();
    const slotOf = (key: string) => [{ key, limit: 1, queueSize: 0, queueTimeout: 0 }];
    const take = (key: string) =>
      Promise.allSettled([
        ports.store.put('calls', key, claim),
        ports.slots.take(slotOf(key), () => undefined),
      ]);
    // Redis has to know the scripts, or it does nothing late
    await take('before');
    await redis.suspend();
    const taking = take('late');
    await jest.advanceTimersByTimeAsync(TIMEOUT);
    const outcomes = await taking;
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await redis.resume();
    await untilItAnswers(ports, passTime);
    // Redis has done it by now; taking it back is on its way
    while ((await ports.store.get('calls', 'late')) !== undefined) await pause(5);
    while ((await ports.slots.take(slotOf('late'), () => undefined)) === undefined) await pause(5);
    await ports.close();
  });

  test('is killed and started again: uses are refused at once, nothing is done later, all works again', async () => {
    await using redis = await OwnRedis.start();
    const { ports, levels } = await openRedis(clientFor(redis.url));
    const { version: first } = (await ports.store.put('calls', 'call', claim)) as { version: number };
    await redis.kill();
    await refusals(ports);
    for (const refusal of await refusals(ports))
      expect(refusal).toMatch(/Redis (cannot be reached|does not answer)/);
    await expect(ports.store.put('sessions', 'late', claim)).rejects.toThrow('Redis');
    await redis.startAgain();
    await untilItAnswers(ports);
    expect(await ports.store.get('sessions', 'late')).toBeUndefined();
    // It has forgotten everything, and scripts with it
    const { version: second } = (await ports.store.put('calls', 'call', claim)) as { version: number };
    expect(second).toBeGreaterThan(first);
    expect(new Set(await refusals(ports))).toEqual(new Set(['done']));
    // Those of the connection that listens are among them
    expect(levels().filter((level) => level === 'error').length).toBeLessThanOrEqual(2);
    await ports.close();
  });

  test('sends noise: no reply goes to another command, and all works again by itself', async () => {
    await using redis = await OwnRedis.start();
    await using wire = await FaultyWire.start(redis.url, 1);
    const { ports } = await openRedis(clientFor(wire.url), { timeout: TIMEOUT });
    const keys = Array.from({ length: 20 }, (_, index) => `key-${String(index)}`);
    await Promise.all(keys.map((key) => ports.store.put('calls', key, { value: key, ttl: 60_000 })));
    const broken = wire.break('garbage', 100);
    await expect(ports.store.get('calls', 'noise')).rejects.toThrow('Redis');
    await broken;
    await untilItAnswers(ports);
    const found = await Promise.all(keys.map((key) => ports.store.get('calls', key)));
    expect(found.map((entry) => entry?.value)).toEqual(keys);
    await ports.close();
  });

  test('is full: writing is refused and nothing is forgotten, until there is room', async () => {
    await using redis = await OwnRedis.start('--maxmemory-policy', 'noeviction');
    const { ports, levels } = await openRedis(clientFor(redis.url));
    await ports.store.put('calls', 'kept', claim);
    const admin = new Redis(redis.url);
    await admin.config('SET', 'maxmemory', '1');
    expect(await ports.store.put('calls', 'new', claim)).toEqual({ full: 'store' });
    expect(await ports.store.get('calls', 'kept')).toMatchObject({ value: 'x' });
    await admin.config('SET', 'maxmemory', '0');
    admin.disconnect();
    expect(await ports.store.put('calls', 'new', claim)).toHaveProperty('version');
    // That it works again is said when nothing was refused for a while
    expect(levels()).toEqual(['error']);
    await ports.close();
  });

  test('loses its scripts: they are sent again', async () => {
    await using redis = await OwnRedis.start();
    const { ports } = await openRedis(clientFor(redis.url));
    await ports.counter.charge([rate]);
    const admin = new Redis(redis.url);
    await admin.script('FLUSH');
    admin.disconnect();
    expect(await ports.counter.charge([rate])).toBeUndefined();
    await ports.close();
  });
});

test.each(Object.entries(CLIENTS))(
  'noise ends what listens, which then listens again: %s',
  async (_library, clientFor) => {
    await using redis = await OwnRedis.start();
    await using wire = await FaultyWire.start(redis.url, 1);
    const { ports } = await openRedis(clientFor(wire.url), { timeout: TIMEOUT });
    const sender = await openRedis(clientFor(redis.url));
    const heard = jest.fn();
    await ports.bus.subscribe('channel', heard);
    const gap = new Promise<void>((resolve) => void ports.bus.onGap(resolve));
    const broken = wire.break('garbage', 100);
    await sender.ports.bus.publish('channel', 'lost');
    await broken;
    await gap;
    const arrived = new Promise<void>((resolve) => void heard.mockImplementation(() => resolve()));
    await sender.ports.bus.publish('channel', 'text');
    await arrived;
    expect(heard.mock.calls).toEqual([['text']]);
    await Promise.all([ports.close(), sender.ports.close()]);
  },
);

test('a connection whose other end says nothing is given up for a new one', async () => {
  await using redis = await OwnRedis.start();
  const { ports } = await openRedis(new Redis(redis.url, { lazyConnect: true, retryStrategy: () => null }));
  await ports.store.get('sessions', 'a');
  const admin = new Redis(redis.url);
  // The library does not connect again by itself
  await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  admin.disconnect();
  await untilItAnswers(ports);
  await ports.close();
});
