import assert from 'node:assert/strict';
import type { ResultEntry, ResultStore } from '../../index.ts';
import type { ConformanceCase } from '../../shared/conformance-case.ts';
import {
  expectApart,
  expectForgotten,
  expectLifetime,
  expectTexts,
  portConformance,
  type MakePort,
  type PortCases,
} from './trial.ts';

const entry = (value: string, lifetime = 60_000, owner?: string): ResultEntry => ({ value, lifetime, owner });

const CASES: PortCases<ResultStore> = {
  async 'gives back what was put, the last of what was put under one key'({ port, second }) {
    assert.equal(await port.get('a'), undefined);
    await port.put('a', entry('first'));
    for (let read = 0; read < 2; read += 1) assert.equal(await (await second()).get('a'), 'first');
    await port.put('a', entry('second'));
    assert.equal(await (await second()).get('a'), 'second');
  },
  async 'forgets a result when its lifetime is over, and not before'(trial) {
    await expectLifetime(trial, {
      begin: (key, lifetime) => trial.port.put(key, entry('first', lifetime)),
      isThere: async (key) => (await trial.port.get(key)) !== undefined,
    });
  },
  async 'has the lifetime of what was put last'(trial) {
    await expectLifetime(trial, {
      begin: async (key, lifetime) => {
        await trial.port.put(key, entry('first', lifetime / 10));
        await trial.port.put(key, entry('second', lifetime));
      },
      isThere: async (key) => (await trial.port.get(key)) !== undefined,
    });
    await expectLifetime(trial, {
      begin: async (key, lifetime) => {
        await trial.port.put(`long ${key}`, entry('first', lifetime * 1000));
        await trial.port.put(`long ${key}`, entry('second', lifetime));
      },
      isThere: async (key) => (await trial.port.get(`long ${key}`)) !== undefined,
    });
  },
  async 'begins no lifetime again when a result is read'(trial) {
    await expectLifetime(trial, {
      begin: async (key, lifetime) => {
        await trial.port.put(key, entry('first', lifetime + 50));
        await trial.pass(50);
        await trial.port.get(key);
      },
      isThere: async (key) => (await trial.port.get(key)) !== undefined,
    });
  },
  async 'has one result for a key, of any owner'({ port }) {
    await port.put('a', entry('first', 60_000, 'ann'));
    await port.put('a', entry('second', 60_000, 'bob'));
    assert.equal(await port.get('a'), 'second');
  },
  async 'keeps keys apart'({ port }) {
    await expectApart(
      (key, value) => port.put(key, entry(value)),
      (key) => port.get(key),
    );
  },
  async 'gives back any text as it was'({ port }) {
    await expectTexts(
      (key, value) => port.put(key, entry(value)),
      (key) => port.get(key),
    );
  },
  async 'forgets what belongs to one owner, and nothing else'(trial) {
    await expectForgotten(
      trial,
      (key) => trial.port.put(key, entry(key, 60_000, key.slice(0, 22))),
      async (key) => (await trial.port.get(key)) === key,
    );
  },
};

/**
 * What every {@link ResultStore} has to do, as cases for any test runner.
 *
 * @example
 * for (const { name, run } of resultStoreConformance(() => ({ port: new InMemoryResultStore() }))) test(name, run);
 */
export function resultStoreConformance(make: MakePort<ResultStore>): readonly ConformanceCase[] {
  return portConformance(CASES, make);
}
