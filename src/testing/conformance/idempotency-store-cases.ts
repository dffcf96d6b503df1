import assert from 'node:assert/strict';
import type { IdempotencyStore, IdempotencyUpdate } from '../../index.ts';
import type { ConformanceCase } from '../../shared/conformance-case.ts';
import {
  atOnce,
  expectApart,
  expectForgotten,
  expectLifetime,
  expectRenewal,
  expectTexts,
  portConformance,
  type MakePort,
  type PortCases,
} from './trial.ts';

const LONG = 60_000;

const update = (value: string, lease = LONG, lifetime = LONG): IdempotencyUpdate => ({
  value,
  lease,
  lifetime,
});

/** Claims a key that has no entry. */
async function claimed(store: IdempotencyStore, key: string, entry: IdempotencyUpdate): Promise<number> {
  const fence = await store.claim(key, undefined, entry);
  assert.ok(fence !== undefined, `the key ${JSON.stringify(key)} has an entry already`);
  return fence;
}

async function valueOf(store: IdempotencyStore, key: string): Promise<string | undefined> {
  return (await store.get(key))?.value;
}

const CASES: PortCases<IdempotencyStore> = {
  async 'gives an entry back with its number and what is left of its lease'(trial) {
    const { port, second } = trial;
    assert.equal(await port.get('a'), undefined);
    const start = trial.now();
    const fence = await claimed(port, 'a', update('first', 30_000));
    const entry = await (await second()).get('a');
    const passed = trial.now() - start;
    assert.ok(entry !== undefined, 'there is no entry');
    const { leaseLeft, ...others } = entry;
    assert.deepEqual(others, { value: 'first', fence });
    // A clock may be a little faster than another one
    const least = trial.isExact ? 30_000 : 29_900 - passed;
    assert.ok(leaseLeft <= 30_000 && leaseLeft >= least, `${String(leaseLeft)} ms of 30000 are left`);
  },
  async 'claims what has no entry, or has the expected number'({ port }) {
    assert.equal(await port.claim('a', 1, update('nobody')), undefined);
    assert.equal(await port.get('a'), undefined);
    const first = await claimed(port, 'a', update('first'));
    assert.equal(await port.claim('a', undefined, update('second')), undefined);
    assert.equal(await port.claim('a', first + 1, update('second')), undefined);
    assert.equal(await valueOf(port, 'a'), 'first');
    const next = await port.claim('a', first, update('second'));
    assert.ok(next !== undefined && next > first, `${String(next)} comes after ${String(first)}`);
    assert.equal(await port.claim('a', first, update('third')), undefined);
    assert.equal(await valueOf(port, 'a'), 'second');
  },
  async 'gives a key to one of many at once'(trial) {
    const fences = await atOnce(trial, (store, index) =>
      store.claim('a', undefined, update(`call ${String(index)}`)),
    );
    const [won, ...more] = fences.filter((fence) => fence !== undefined);
    assert.deepEqual(more, [], 'more than one of 20 got the key');
    const { fence, value } = (await trial.port.get('a')) ?? {};
    assert.deepEqual({ fence, value }, { fence: won, value: `call ${String(fences.indexOf(won))}` });
  },
  async 'lets one of many take an entry over at once'(trial) {
    const first = await claimed(trial.port, 'a', update('first', 0));
    const fences = await atOnce(trial, (store, index) =>
      store.claim('a', first, update(`call ${String(index)}`)),
    );
    assert.equal(fences.filter((fence) => fence !== undefined).length, 1);
  },
  async 'gives each claim of a key a greater number, also after the entry is forgotten'(trial) {
    const { port } = trial;
    const numbers = [await claimed(port, 'a', update('first'))];
    numbers.push((await port.claim('a', numbers[0], update('second'))) ?? 0);
    await port.replace('a', numbers[1] ?? 0, update('', 0, 0));
    numbers.push(await claimed(port, 'a', update('third', 0, 20)));
    for (const pause of [20, 200, 2000]) {
      await trial.pass(pause);
      const fence = await (await trial.second()).claim('a', undefined, update('fourth'));
      if (fence !== undefined) numbers.push(fence);
      if (fence !== undefined) break;
    }
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((left, right) => left - right),
    );
    assert.equal(numbers.length, 4, 'the third entry was not forgotten');
  },
  async 'replaces an entry that has the number, which stays'({ port }) {
    assert.equal(await port.replace('a', 1, update('nobody')), false);
    assert.equal(await port.get('a'), undefined);
    const first = await claimed(port, 'a', update('first'));
    assert.equal(await port.replace('a', first + 1, update('other')), false);
    assert.equal(await valueOf(port, 'a'), 'first');
    assert.equal(await port.replace('a', first, update('second')), true);
    const { value, fence } = (await port.get('a')) ?? {};
    assert.deepEqual({ value, fence }, { value: 'second', fence: first });
  },
  async 'lets nobody replace an entry that was taken over'({ port }) {
    const first = await claimed(port, 'a', update('first'));
    await port.claim('a', first, update('second'));
    assert.equal(await port.replace('a', first, update('late')), false);
    assert.equal(await valueOf(port, 'a'), 'second');
  },
  async 'replaces no entry whose lease is over, and keeps it'(trial) {
    const { port } = trial;
    const fences = new Map<string, number>();
    await expectLifetime(trial, {
      begin: async (key, lease) => fences.set(key, await claimed(port, key, update('first', lease))),
      isThere: (key) => port.replace(key, fences.get(key) ?? 0, update('second')),
    });
    await claimed(port, 'a', update('first', 0));
    const { value, leaseLeft } = (await port.get('a')) ?? {};
    assert.deepEqual({ value, leaseLeft }, { value: 'first', leaseLeft: 0 });
  },
  async 'takes the end of a call whose lease is over, as long as nobody has taken it over'({ port }) {
    const fence = await claimed(port, 'a', update('first', 0));
    assert.equal(await port.replace('a', fence, update('late', 0)), true);
    const { value, fence: next = 0 } = (await port.get('a')) ?? {};
    assert.equal(value, 'late');
    assert.ok(next > fence, 'it can still be taken over by the number that it had');
    assert.equal(await port.claim('a', fence, update('second')), undefined);
    assert.equal(await port.replace('a', fence, update('twice', 0)), false);
    await port.claim('a', next, update('second', 0));
    assert.equal(await port.replace('a', next, update('too late', 0)), false);
    assert.equal(await valueOf(port, 'a'), 'second');
  },
  async 'forgets an entry when its lifetime is over, and not before'(trial) {
    await expectLifetime(trial, {
      begin: (key, lifetime) => claimed(trial.port, key, update('first', 0, lifetime)),
      isThere: async (key) => (await trial.port.get(key)) !== undefined,
    });
  },
  async 'begins lease and lifetime again with each replacement'(trial) {
    const fences = new Map<string, number>();
    await expectRenewal(trial, {
      begin: async (key, time) => fences.set(key, await claimed(trial.port, key, update('', time, time))),
      isThere: (key, time) => trial.port.replace(key, fences.get(key) ?? 0, update('', time, time)),
    });
  },
  async 'forgets an entry without a lifetime at once'({ port }) {
    const fence = await claimed(port, 'a', update('first'));
    assert.equal(await port.replace('a', fence, update('', 0, 0)), true);
    assert.equal(await port.get('a'), undefined);
    assert.equal(await port.replace('a', fence, update('late')), false);
    assert.equal(await port.claim('a', fence, update('late')), undefined);
    await claimed(port, 'a', update('second'));
  },
  async 'has one entry for a key, also for another owner'({ port }) {
    await port.claim('a', undefined, update('first'), 'ann');
    assert.equal(await port.claim('a', undefined, update('second'), 'bob'), undefined);
  },
  async 'keeps keys apart'({ port }) {
    await expectApart(
      (key, value) => claimed(port, key, update(value)),
      (key) => valueOf(port, key),
    );
  },
  async 'gives back any text as it was'({ port }) {
    await expectTexts(
      (key, value) => claimed(port, key, update(value)),
      (key) => valueOf(port, key),
    );
  },
  async 'forgets what belongs to one owner, and nothing else'(trial) {
    const { port } = trial;
    await expectForgotten(
      trial,
      (key) => claimed(port, key, update(key)),
      async (key) => (await valueOf(port, key)) === key,
    );
    // It may be claimed again, by a number that nobody had
    const key = `${'a'.repeat(22)}.1`;
    const first = await claimed(port, key, update(key));
    await port.forget?.('a'.repeat(22));
    const next = await port.claim(key, port.forget === undefined ? first : undefined, update(key));
    assert.ok(next !== undefined && next > first, 'a number was given twice');
  },
};

/**
 * What every {@link IdempotencyStore} has to do, as cases for any test runner.
 *
 * @example
 * const make = () => ({ port: new InMemoryIdempotencyStore() });
 * for (const { name, run } of idempotencyStoreConformance(make)) test(name, run);
 */
export function idempotencyStoreConformance(make: MakePort<IdempotencyStore>): readonly ConformanceCase[] {
  return portConformance(CASES, make);
}
