import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InMemoryLimitStore, type LimitCharge } from 'toolwright';

const charge = (key: string, facts: Partial<LimitCharge> = {}): LimitCharge[] => [
  { key, cost: 1, limit: 1, per: 1000, burst: 1, ...facts },
];

test('admits no more than the burst and what the rate gives, in any window of time', () => {
  const ruleOf = fc.record({
    limit: fc.integer({ min: 1, max: 20 }),
    per: fc.integer({ min: 1, max: 5000 }),
    burst: fc.integer({ min: 1, max: 20 }),
  });
  const pauses = fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 60 });
  fc.assert(
    fc.property(ruleOf, pauses, (rule, times) => {
      let now = 0;
      const store = new InMemoryLimitStore({ now: () => now });
      const admitted: number[] = [];
      for (const pause of times) {
        now += pause;
        if (store.charge(charge('a', rule)) === undefined) admitted.push(now);
      }
      for (const [first, from] of admitted.entries()) {
        for (const [last, to] of admitted.entries()) {
          if (last < first) continue;
          const most = rule.burst + ((to - from) * rule.limit) / rule.per;
          expect(last - first + 1).toBeLessThanOrEqual(most);
        }
      }
    }),
  );
});

test('answers at once', () => {
  expect(new InMemoryLimitStore().charge(charge('a'))).toBeUndefined();
  expect(new InMemoryLimitStore().charge(charge('a'))).not.toBeInstanceOf(Promise);
});

test('keeps as many keys as it may, and forgets the one that was charged longest ago', () => {
  const store = new InMemoryLimitStore({ maxKeys: 3, now: () => 0 });
  for (const key of ['a', 'b', 'c']) store.charge(charge(key, { burst: 2 }));
  store.charge(charge('a', { burst: 2 }));
  store.charge(charge('d'));
  expect(store.size).toBe(3);
  expect(store.charge(charge('a', { burst: 2 }))).toBeDefined();
  expect(store.charge(charge('b'))).toBeUndefined();
});

test('does not grow with its keys', () => {
  const store = new InMemoryLimitStore({ maxKeys: 1000, now: () => 0 });
  for (let key = 0; key < 200_000; key += 1) store.charge(charge(`address ${String(key)}`));
  expect(store.size).toBe(1000);
});

test('forgets keys whose burst is whole again, while others are charged', () => {
  let now = 0;
  const store = new InMemoryLimitStore({ now: () => now });
  for (let key = 0; key < 100; key += 1) store.charge(charge(`old ${String(key)}`));
  now = 1000;
  for (let key = 0; key < 100; key += 1) store.charge(charge(`new ${String(key)}`));
  expect(store.size).toBe(100);
});

test('refuses nobody for longer because the clock was set back', () => {
  let now = 10_000_000;
  const store = new InMemoryLimitStore({ now: () => now });
  store.charge(charge('a'));
  now -= 3_600_000;
  expect(store.charge(charge('a'))).toEqual({ index: 0, retryAfter: 1000 });
  now += 1000;
  expect(store.charge(charge('a'))).toBeUndefined();
});
