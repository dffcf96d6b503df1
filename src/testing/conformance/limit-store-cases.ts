import assert from 'node:assert/strict';
import type { LimitCharge, LimitRefusal, LimitStore } from '../../index.ts';
import type { ConformanceCase } from '../../shared/conformance-case.ts';
import {
  atOnce,
  eventually,
  expectForgotten,
  ODD_KEYS,
  portConformance,
  type MakePort,
  type PortCases,
  type TestClock,
  type Trial,
} from './trial.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Milliseconds by which the clock of a store may differ from that of the test. */
const OTHER_CLOCK = 60_000;

const rate = (key: string, facts: Partial<LimitCharge> = {}): LimitCharge => ({
  key,
  cost: 1,
  limit: 1,
  per: HOUR,
  burst: 1,
  ...facts,
});

const quota = (key: string, per: 'hour' | 'day' | 'month'): LimitCharge =>
  rate(key, { limit: 2, burst: 2, per });

/** Fails unless the wait is what it has to be for what was charged since the given time. */
function expectWait(
  trial: Trial<LimitStore>,
  refusal: LimitRefusal | undefined,
  { index = 0, wait, since }: { readonly index?: number; readonly wait: number; readonly since: number },
): void {
  assert.equal(refusal?.index, index, 'the index of the charge that has to wait');
  // Times are whole milliseconds, and a clock may be a little faster than another one
  const least = trial.isExact ? wait : (wait - (trial.now() - since)) * 0.99 - 2;
  const is = refusal.retryAfter;
  assert.ok(
    is <= wait && is >= least,
    `a wait of ${String(is)} ms is not between ${String(least)} and ${String(wait)}`,
  );
}

/** When the window of the calendar ends in which a time is. */
function endOf(per: 'hour' | 'day' | 'month', time: number): number {
  const date = new Date(time);
  if (per === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  const length = per === 'hour' ? HOUR : DAY;
  return time - (time % length) + length;
}

/** Uses a quota up, with a key of its own. Between two calls a window may end, but not twice. */
async function refusedBy(
  store: LimitStore,
  per: 'hour' | 'day' | 'month',
): Promise<LimitRefusal | undefined> {
  const charge = [quota(per, per)];
  for (let call = 0; call < 2; call += 1) assert.equal(await store.charge(charge), undefined);
  const third = await store.charge(charge);
  if (third !== undefined) return third;
  assert.equal(await store.charge(charge), undefined, 'a further call of a new window');
  return store.charge(charge);
}

const CASES: PortCases<LimitStore> = {
  async 'lets a burst pass, and says how long the next call has to wait'(trial) {
    const { port, second } = trial;
    const since = trial.now();
    const charge = [rate('a', { burst: 5, limit: 3 })];
    for (let call = 0; call < 5; call += 1) assert.equal(await port.charge(charge), undefined);
    expectWait(trial, await (await second()).charge(charge), { wait: HOUR / 3, since });
  },
  async 'counts all charges of a call, or none of them'(trial) {
    const { port } = trial;
    const since = trial.now();
    const charges = [rate('first', { burst: 2 }), rate('second')];
    assert.equal(await port.charge(charges), undefined);
    expectWait(trial, await port.charge(charges), { index: 1, wait: HOUR, since });
    assert.equal(await port.charge(charges.slice(0, 1)), undefined);
    expectWait(trial, await port.charge(charges.slice(0, 1)), { wait: HOUR, since });
  },
  async 'names the charge that has to wait longest'(trial) {
    const since = trial.now();
    const charges = [rate('short'), rate('long', { per: DAY }), rate('middle', { per: 2 * HOUR })];
    assert.equal(await trial.port.charge(charges), undefined);
    expectWait(trial, await trial.port.charge(charges), { index: 1, wait: DAY, since });
  },
  async 'counts a call for what it costs, and nothing for what it refuses'(trial) {
    const { port } = trial;
    const since = trial.now();
    const costing = (cost: number): LimitCharge[] => [rate('a', { cost, burst: 5 })];
    assert.equal(await port.charge(costing(3)), undefined);
    for (let call = 0; call < 3; call += 1) {
      expectWait(trial, await port.charge(costing(4)), { wait: 2 * HOUR, since });
    }
    assert.equal(await port.charge(costing(2)), undefined);
    assert.equal(await port.charge(costing(0)), undefined);
    expectWait(trial, await port.charge(costing(1)), { wait: HOUR, since });
  },
  async 'lets no more pass when many come at once'(trial) {
    const refusals = await atOnce(trial, (store) => store.charge([rate('a', { burst: 7 })]));
    assert.equal(refusals.filter((refusal) => refusal === undefined).length, 7);
  },
  async 'counts all or nothing of calls that come at once, whatever the order of their charges'(trial) {
    const charges = [rate('a', { burst: 7 }), rate('b', { burst: 20 })];
    const refusals = await atOnce(trial, (store, index) =>
      store.charge(index % 4 < 2 ? charges : [...charges].reverse()),
    );
    assert.equal(refusals.filter((refusal) => refusal === undefined).length, 7);
    const rest = await Promise.all(
      Array.from({ length: 14 }, async () => trial.port.charge([rate('b', { burst: 20 })])),
    );
    assert.equal(rest.filter((refusal) => refusal === undefined).length, 13);
  },
  async 'lets a call pass that has waited for long enough'(trial) {
    const charge = [rate('a', { per: 100 })];
    assert.equal(await trial.port.charge(charge), undefined);
    const refusal = await trial.port.charge(charge);
    // A machine that is slow may have waited already
    if (refusal === undefined) return;
    assert.ok(refusal.retryAfter > 0 && refusal.retryAfter <= 100, 'it has to wait for 100 ms at most');
    await trial.pass(refusal.retryAfter);
    await eventually(
      trial,
      `a call that waited for ${String(refusal.retryAfter)} ms passes`,
      async () => (await trial.port.charge(charge)) === undefined,
    );
  },
  async 'counts a quota in windows of the calendar, in UTC'(trial) {
    for (const per of ['hour', 'day', 'month'] as const) {
      const refusal = await refusedBy(trial.port, per);
      assert.ok(refusal !== undefined, `a quota of 2 in each ${per} admits more`);
      const now = trial.epoch();
      const slack = trial.isExact ? 0 : OTHER_CLOCK;
      const isRight = [now - slack, now, now + slack].some(
        (time) => Math.abs(endOf(per, time) - now - refusal.retryAfter) <= slack,
      );
      assert.ok(isRight, `a wait of ${String(refusal.retryAfter)} ms does not end with the ${per}`);
    }
  },
  async 'keeps keys apart'({ port }) {
    for (const key of ODD_KEYS) {
      assert.equal(await port.charge([rate(key)]), undefined, `the key ${JSON.stringify(key.slice(-9))}`);
    }
    for (const key of ODD_KEYS) assert.ok(await port.charge([rate(key)]), 'a key was forgotten');
  },
  async 'forgets what belongs to one owner, and nothing else'(trial) {
    const { port } = trial;
    await expectForgotten(
      trial,
      (key) => port.charge([rate(key, { per: DAY })]),
      // A further call passes only where nothing was counted; a cost of none is not counted either
      async (key) => (await port.charge([rate(key, { per: DAY, cost: 0, burst: 0.5 })])) !== undefined,
    );
  },
};

/** The rate as it is defined: a bucket of `burst`, into which `limit` flow in each `per`; times are whole numbers. */
class Bucket {
  readonly #rule: Rule;
  /** Times `per`, so that everything is a whole number. */
  #content: number;
  #at = 0;

  constructor(rule: Rule) {
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

interface Rule {
  readonly limit: number;
  readonly per: number;
  readonly burst: number;
}

/** Whole numbers from 0 on, the same ones in each run. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const someRule = (next: (below: number) => number): Rule => ({
  limit: 1 + next(20),
  per: 1 + next(5000),
  burst: 1 + next(20),
});

const HISTORIES = 50;

const ARITHMETIC: PortCases<LimitStore> = {
  async 'agrees with buckets that are filled evenly, whatever comes'(trial) {
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      const next = numbersFrom(seed);
      const rules = [someRule(next), someRule(next)];
      const buckets = rules.map((rule) => new Bucket(rule));
      let time = 0;
      for (let call = 0; call < 40; call += 1) {
        const pause = next(3) * next(1000);
        await trial.pass(pause);
        time += pause;
        const charges = rules.map((rule, index) =>
          rate(`${String(seed)} ${String(index)}`, { ...rule, cost: Math.min(next(4), rule.burst) }),
        );
        const isFull = charges.map(({ cost }, index) => !buckets[index]?.holds(cost, time));
        const refusal = await trial.port.charge(charges);
        const which = `call ${String(call)} of history ${String(seed)}`;
        assert.equal(refusal === undefined, !isFull.includes(true), which);
        if (refusal === undefined) charges.forEach(({ cost }, index) => buckets[index]?.take(cost));
        else assert.ok(isFull[refusal.index], which);
      }
    }
  },
  async 'lets a call pass after exactly the time it was given, and no millisecond earlier'(trial) {
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      const next = numbersFrom(seed);
      const rule = someRule(next);
      const charge = [rate(String(seed), rule)];
      for (let call = 0; call < rule.burst; call += 1) await trial.port.charge(charge);
      const refusal = await trial.port.charge(charge);
      assert.deepEqual(refusal, { index: 0, retryAfter: Math.ceil(rule.per / rule.limit) });
      await trial.pass(refusal.retryAfter - 1);
      assert.deepEqual(await trial.port.charge(charge), { index: 0, retryAfter: 1 });
      await trial.pass(1);
      assert.equal(await trial.port.charge(charge), undefined, `history ${String(seed)}`);
    }
  },
  async 'begins a quota again with each window of the calendar'(trial) {
    for (const per of ['hour', 'day', 'month', 'month'] as const) {
      const charge = [quota(per, per)];
      await trial.port.charge(charge);
      await trial.port.charge(charge);
      const left = endOf(per, trial.epoch()) - trial.epoch();
      assert.deepEqual(await trial.port.charge(charge), { index: 0, retryAfter: left });
      await trial.pass(left - 1);
      assert.deepEqual(await trial.port.charge(charge), { index: 0, retryAfter: 1 });
      await trial.pass(1);
      assert.equal(await trial.port.charge(charge), undefined);
      assert.equal(await trial.port.charge(charge), undefined);
      assert.equal((await trial.port.charge(charge))?.index, 0);
      await trial.pass(endOf(per, trial.epoch()) - trial.epoch());
    }
  },
};

/**
 * What every {@link LimitStore} has to do, as cases for any test runner. {@link limitArithmeticConformance} has further
 * ones, for stores whose time a test can set.
 *
 * @example
 * for (const { name, run } of limitStoreConformance(() => ({ port: new InMemoryLimitStore() }))) test(name, run);
 */
export function limitStoreConformance(make: MakePort<LimitStore>): readonly ConformanceCase[] {
  return portConformance(CASES, make);
}

/**
 * How a {@link LimitStore} has to calculate, to the millisecond, as cases for any test runner. The port needs a `clock`.
 *
 * @example
 * const make = () => {
 *   let time = Date.now();
 *   const clock = { now: () => time, pass: (milliseconds: number) => void (time += milliseconds) };
 *   return { port: new InMemoryLimitStore(clock), clock };
 * };
 * for (const { name, run } of limitArithmeticConformance(make)) test(name, run);
 */
export function limitArithmeticConformance(
  make: MakePort<LimitStore, { readonly clock: TestClock }>,
): readonly ConformanceCase[] {
  return portConformance(ARITHMETIC, make);
}
