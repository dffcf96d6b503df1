import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { LimitCharge, LimitStore } from 'toolwright';

/** A store whose time stands still until a test lets it pass. */
export interface TimedStore {
  readonly store: LimitStore;
  now(): number;
  pass(milliseconds: number): void;
}

const rate = (key: string, facts: Partial<LimitCharge> = {}): LimitCharge => ({
  key,
  cost: 1,
  limit: 1,
  per: 1000,
  burst: 1,
  ...facts,
});

/** The rate as it is defined: a bucket of `burst`, into which `limit` flow in each `per`; times are whole numbers. */
class Bucket {
  readonly #rule: Pick<LimitCharge, 'limit' | 'burst'> & { readonly per: number };
  /** Times `per`, so that everything is a whole number. */
  #content: number;
  #at = 0;

  constructor(rule: Pick<LimitCharge, 'limit' | 'burst'> & { readonly per: number }) {
    this.#rule = rule;
    this.#content = rule.burst * rule.per;
  }

  holds(cost: number, now: number): boolean {
    const { limit, burst, per } = this.#rule;
    this.#content = Math.min(burst * per, this.#content + (now - this.#at) * limit);
    this.#at = now;
    return this.#content >= cost * per;
  }

  take(cost: number): void {
    this.#content -= cost * this.#rule.per;
  }
}

const ruleOf = fc.record({
  limit: fc.integer({ min: 1, max: 20 }),
  per: fc.integer({ min: 1, max: 5000 }),
  burst: fc.integer({ min: 1, max: 20 }),
});
const callsOf = fc.array(
  fc.record({
    pause: fc.integer({ min: 0, max: 2000 }),
    costs: fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 })),
  }),
  { maxLength: 60 },
);

/** What every store of limits does. */
export function describeLimitStore(name: string, make: () => TimedStore): void {
  describe(name, () => {
    test('lets a burst pass, then one after the other, and says exactly when', async () => {
      const { store, pass } = make();
      const charge = [rate('a', { burst: 5 })];
      const answers = [];
      for (let call = 0; call < 7; call += 1) answers.push(await store.charge(charge));
      expect(answers.slice(0, 5)).toEqual([undefined, undefined, undefined, undefined, undefined]);
      expect(answers.slice(5)).toEqual([
        { index: 0, retryAfter: 1000 },
        { index: 0, retryAfter: 1000 },
      ]);
      pass(999);
      expect(await store.charge(charge)).toEqual({ index: 0, retryAfter: 1 });
      pass(1);
      expect(await store.charge(charge)).toBeUndefined();
    });

    test('counts none of several charges when one is refused', async () => {
      const { store } = make();
      const [first, second] = [rate('first', { burst: 2 }), rate('second')];
      expect(await store.charge([first, second])).toBeUndefined();
      expect(await store.charge([first, second])).toEqual({ index: 1, retryAfter: 1000 });
      expect(await store.charge([first])).toBeUndefined();
      expect(await store.charge([first])).toEqual({ index: 0, retryAfter: 1000 });
    });

    test('names the charge that has to wait longest', async () => {
      const { store } = make();
      const charges = [rate('short'), rate('long', { per: 60_000 }), rate('middle', { per: 5000 })];
      await store.charge(charges);
      expect(await store.charge(charges)).toEqual({ index: 1, retryAfter: 60_000 });
    });

    test('keeps keys apart', async () => {
      const { store } = make();
      await store.charge([rate('a')]);
      expect(await store.charge([rate('b')])).toBeUndefined();
      expect(await store.charge([rate(`${'long '.repeat(1000)}a`)])).toBeUndefined();
      expect(await store.charge([rate(`${'long '.repeat(1000)}b`)])).toBeUndefined();
      expect(await store.charge([rate(`${'long '.repeat(1000)}b`)])).toBeDefined();
    });

    test('begins a quota again with each window of the calendar in UTC', async () => {
      const { store, now, pass } = make();
      const quota = [rate('q', { limit: 2, burst: 2, per: 'day' })];
      const midnight = 86_400_000 - (now() % 86_400_000);
      await store.charge(quota);
      await store.charge(quota);
      expect(await store.charge(quota)).toEqual({ index: 0, retryAfter: midnight });
      pass(midnight - 1);
      expect(await store.charge(quota)).toEqual({ index: 0, retryAfter: 1 });
      pass(1);
      expect(await store.charge(quota)).toBeUndefined();
    });

    test('takes months as they are', async () => {
      const { store, now, pass } = make();
      const quota = [rate('q', { limit: 1, burst: 1, per: 'month' })];
      await store.charge(quota);
      const date = new Date(now());
      const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
      expect(await store.charge(quota)).toEqual({ index: 0, retryAfter: end - now() });
      pass(end - now());
      expect(await store.charge(quota)).toBeUndefined();
      expect(await store.charge(quota)).toMatchObject({ retryAfter: expect.any(Number) });
    });

    test('agrees with a bucket that is filled evenly, whatever comes, and charges all or nothing', async () => {
      await fc.assert(
        fc.asyncProperty(ruleOf, ruleOf, callsOf, async (one, other, calls) => {
          const { store, pass } = make();
          const buckets = [new Bucket(one), new Bucket(other)];
          let time = 0;
          for (const { pause, costs } of calls) {
            pass(pause);
            time += pause;
            const charges = [one, other].map((rule, index) =>
              rate(`rule ${String(index)}`, { ...rule, cost: Math.min(costs[index] ?? 0, rule.burst) }),
            );
            const isFull = buckets.map((bucket, index) => !bucket.holds(charges[index]?.cost ?? 0, time));
            const refusal = await store.charge(charges);
            expect(refusal === undefined).toBe(!isFull.includes(true));
            if (refusal === undefined)
              buckets.forEach((bucket, index) => bucket.take(charges[index]?.cost ?? 0));
            else expect(isFull[refusal.index]).toBe(true);
          }
        }),
      );
    });

    test('admits no more than the burst and what the rate gives, in any window of time', async () => {
      await fc.assert(
        fc.asyncProperty(ruleOf, callsOf, async (rule, calls) => {
          const { store, pass } = make();
          const admitted: number[] = [];
          let time = 0;
          for (const { pause } of calls) {
            pass(pause);
            time += pause;
            if ((await store.charge([rate('a', rule)])) === undefined) admitted.push(time);
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

    test('lets pass who waits for exactly as long as it says, and no millisecond earlier', async () => {
      await fc.assert(
        fc.asyncProperty(ruleOf, fc.integer({ min: 1, max: 30 }), async (rule, calls) => {
          const { store, pass } = make();
          const charge = [rate('a', rule)];
          for (let call = 0; call < calls; call += 1) await store.charge(charge);
          const refusal = await store.charge(charge);
          if (refusal === undefined) return;
          pass(refusal.retryAfter - 1);
          expect(await store.charge(charge)).toEqual({ index: 0, retryAfter: 1 });
          pass(1);
          expect(await store.charge(charge)).toBeUndefined();
        }),
      );
    });
  });
}
