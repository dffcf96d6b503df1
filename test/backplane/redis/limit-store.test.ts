import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createClient } from '@redis/client';
import { Redis } from 'ioredis';
import { RedisKeys } from '../../../src/backplane/redis/redis-keys.ts';
import { RedisLimitStore } from '../../../src/backplane/redis/limit-store.ts';
import fc from 'fast-check';
import { InMemoryLimitStore, type LimitCharge } from 'toolwright';
import { limitArithmeticConformance, limitStoreConformance, type TestClock } from 'toolwright/testing';
import { openRedis, type OpenedPorts } from '../../support/redis-ports.ts';
import { useRedis } from '../../support/services/use-services.ts';

const redis = useRedis();
const rate = { cost: 1, limit: 50, per: 3_600_000, burst: 50 };

describe('with a clock that a test sets', () => {
  let client: Redis;

  beforeAll(() => {
    client = new Redis(redis.url);
  });

  afterAll(() => client.disconnect());

  /** Keys do not expire while the time of the test stands still. */
  function storeAt(now: () => number): RedisLimitStore {
    const timeOf = (time: number): string =>
      `{ '${String(Math.floor(time / 1000))}', '${String(time % 1000)}000' }`;
    const keys = new RedisKeys('tw:', randomUUID());
    return new RedisLimitStore({
      keys,
      run: ({ text }, names, args) => {
        const script = text
          .replace("redis.call('TIME')", timeOf(now()))
          .replace("'PX', string.format('%.0f', lifetime)", "'PX', 60000");
        return client.eval(script, names.length, ...names, ...args);
      },
    });
  }

  function clocked(): { readonly port: RedisLimitStore; readonly clock: TestClock } {
    let now = Date.UTC(2026, 10, 23, 9, 30);
    const pass = (milliseconds: number): void => {
      now += milliseconds;
    };
    return { port: storeAt(() => now), clock: { now: () => now, pass } };
  }

  for (const { name, run } of [...limitStoreConformance(clocked), ...limitArithmeticConformance(clocked)])
    test(name, run);

  test('answers as the store in memory does, whatever is charged, also when it is set back', async () => {
    const calls = fc.array(
      fc.record({
        pause: fc.integer({ min: -2000, max: 3_000_000 }),
        charges: fc.array(
          fc.record({
            key: fc.constantFrom('a', 'b', 'c'),
            cost: fc.integer({ min: 0, max: 4 }),
            limit: fc.integer({ min: 4, max: 20 }),
            per: fc.constantFrom(
              1,
              700,
              60_000,
              86_400_000,
              'hour' as const,
              'day' as const,
              'month' as const,
            ),
            burst: fc.integer({ min: 4, max: 20 }),
          }),
          { minLength: 1, maxLength: 4 },
        ),
      }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(calls, async (given) => {
        let now = Date.UTC(2024, 1, 28, 22);
        const [inRedis, inMemory] = [storeAt(() => now), new InMemoryLimitStore({ now: () => now })];
        for (const { pause, charges } of given) {
          now += pause;
          // A key belongs to one limit
          const named = charges.map((charge) => ({
            ...charge,
            key: JSON.stringify([charge.key, charge.per, charge.limit]),
          }));
          expect(await inRedis.charge(named)).toEqual(inMemory.charge(named));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('knows the length of every month', async () => {
    for (let month = 0; month < 12 * 5; month += 1) {
      const [begin, end] = [Date.UTC(2023, month), Date.UTC(2023, month + 1)];
      for (const now of [begin, begin + 86_400_000 * 14 + 1, end - 1]) {
        const store = storeAt(() => now);
        const charge = [{ key: 'a', cost: 1, limit: 1, per: 'month', burst: 1 }] as const;
        await store.charge(charge);
        expect(await store.charge(charge)).toEqual({ index: 0, retryAfter: end - now });
      }
    }
  });
});

describe('two instances, with a client of each library', () => {
  let opened: readonly [OpenedPorts, OpenedPorts];

  beforeAll(async () => {
    const name = `limits ${randomUUID()}`;
    opened = [
      await openRedis(createClient({ url: redis.url }), { name }),
      await openRedis(new Redis(redis.url, { lazyConnect: true }), { name }),
    ];
  });

  const charge = async (index: number, ...charges: readonly LimitCharge[]) =>
    opened[index % 2 === 0 ? 0 : 1].ports.counter.charge(charges);

  afterAll(() => Promise.all(opened.map(({ ports }) => ports.close())));

  test('let 50 of 100 calls pass, whatever the time is on their machines', async () => {
    const realNow = Date.now;
    let calls = 0;
    // Each look at the clock of this machine is an hour after the one before
    Date.now = () => realNow() + (calls += 1) * 3_600_000;
    try {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) => charge(index, { ...rate, key: 'all' })),
      );
      expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(50);
    } finally {
      Date.now = realNow;
    }
  });

  test('charge no limit of a call that another limit refuses', async () => {
    const [wide, narrow] = [
      { ...rate, key: 'wide' },
      { ...rate, key: 'narrow', limit: 10, burst: 10 },
    ];
    const both = await Promise.all(Array.from({ length: 40 }, (_, index) => charge(index, wide, narrow)));
    expect(both.filter((refusal) => refusal === undefined)).toHaveLength(10);
    const rest = await Promise.all(Array.from({ length: 60 }, (_, index) => charge(index, wide)));
    expect(rest.filter((refusal) => refusal === undefined)).toHaveLength(40);
  });
});
