import assert from 'node:assert/strict';
import type { OnceStore } from '../../index.ts';
import type { ConformanceCase } from '../../shared/conformance-case.ts';
import {
  atOnce,
  expectApart,
  expectForgotten,
  expectLifetime,
  expectRenewal,
  expectTexts,
  expectTime,
  portConformance,
  type MakePort,
  type PortCases,
} from './trial.ts';

const LONG = 60_000;

/** The value of a key; one that has none gets an empty text. */
async function valueOf(store: OnceStore, key: string): Promise<string> {
  return (await store.add(key, '', LONG)) ?? '';
}

const CASES: PortCases<OnceStore> = {
  async 'says the same time to all instances'(trial) {
    await expectTime(trial);
  },
  async 'adds a value where there is none, and else gives the present one'({ port, second }) {
    assert.equal(await port.add('a', 'first', LONG), undefined);
    assert.equal(await port.add('a', 'second', LONG), 'first');
    assert.equal(await (await second()).add('a', 'third', LONG), 'first');
  },
  async 'adds one of many values at once'(trial) {
    const present = await atOnce(trial, (store, index) => store.add('a', `value ${String(index)}`, LONG));
    const added = present.flatMap((value, index) => (value === undefined ? [`value ${String(index)}`] : []));
    assert.equal(added.length, 1, `${String(added.length)} of 20 were added`);
    assert.deepEqual([...new Set(present)].sort(), [...added, undefined]);
  },
  async 'replaces the current value, and no other'({ port }) {
    assert.equal(await port.replace('a', '', 'next', LONG), false);
    assert.equal(await valueOf(port, 'a'), '');
    await port.add('b', 'first', LONG);
    assert.equal(await port.replace('b', 'other', 'next', LONG), false);
    assert.equal(await valueOf(port, 'b'), 'first');
    assert.equal(await port.replace('b', 'first', 'second', LONG), true);
    assert.equal(await port.replace('b', 'first', 'third', LONG), false);
    assert.equal(await valueOf(port, 'b'), 'second');
  },
  async 'lets one of many replace a value at once'(trial) {
    await trial.port.add('a', 'first', LONG);
    const done = await atOnce(trial, (store, index) =>
      store.replace('a', 'first', `value ${String(index)}`, LONG),
    );
    assert.equal(done.filter(Boolean).length, 1);
    assert.equal(await valueOf(trial.port, 'a'), `value ${String(done.indexOf(true))}`);
  },
  async 'forgets a value when its lifetime is over, and not before'(trial) {
    await expectLifetime(trial, {
      begin: (key, lifetime) => trial.port.add(key, 'first', lifetime),
      isThere: async (key) => (await trial.port.add(key, 'second', LONG)) === 'first',
    });
  },
  async 'replaces no value whose lifetime is over'(trial) {
    await expectLifetime(trial, {
      begin: (key, lifetime) => trial.port.add(key, 'first', lifetime),
      isThere: (key, lifetime) => trial.port.replace(key, 'first', 'second', lifetime),
    });
  },
  async 'begins the lifetime again with each replacement'(trial) {
    await expectRenewal(trial, {
      begin: (key, lifetime) => trial.port.add(key, 'value', lifetime),
      isThere: (key, lifetime) => trial.port.replace(key, 'value', 'value', lifetime),
    });
  },
  async 'changes nothing about a value that is present when another one is added'(trial) {
    await expectLifetime(trial, {
      begin: async (key, lifetime) => {
        await trial.port.add(key, 'first', lifetime);
        await trial.port.add(key, 'second', LONG);
      },
      isThere: (key) => trial.port.replace(key, 'first', 'third', LONG),
    });
  },
  async 'has one value for a key, also for another owner'({ port }) {
    await port.add('a', 'first', LONG, 'ann');
    assert.equal(await port.add('a', 'second', LONG, 'bob'), 'first');
    assert.equal(await port.add('a', 'third', LONG), 'first');
  },
  async 'keeps keys apart'({ port }) {
    await expectApart(
      (key, value) => port.add(key, value, LONG),
      (key) => valueOf(port, key),
    );
  },
  async 'gives back any text as it was'({ port }) {
    await expectTexts(
      (key, value) => port.add(key, value, LONG),
      (key) => valueOf(port, key),
    );
  },
  async 'forgets what belongs to one owner, and nothing else'(trial) {
    await expectForgotten(
      trial,
      (key) => trial.port.add(key, key, LONG),
      (key) => trial.port.replace(key, key, key, LONG),
    );
  },
};

/**
 * What every {@link OnceStore} has to do, as cases for any test runner.
 *
 * @example
 * for (const { name, run } of onceStoreConformance(() => ({ port: new InMemoryOnceStore() }))) test(name, run);
 */
export function onceStoreConformance(make: MakePort<OnceStore>): readonly ConformanceCase[] {
  return portConformance(CASES, make);
}
