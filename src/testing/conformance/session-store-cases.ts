import assert from 'node:assert/strict';
import type { SessionRecordStore } from '../../index.ts';
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

async function valueOf(store: SessionRecordStore, key: string): Promise<string | undefined> {
  return (await store.load(key, LONG))?.value;
}

/** Adds a word to a session, as often as it takes. */
async function addWord(store: SessionRecordStore, word: string): Promise<void> {
  for (;;) {
    const { value, version } = (await store.load('a', LONG)) ?? { value: '', version: 0 };
    if (await store.save('a', `${value} ${word}`, version, LONG)) return;
  }
}

const CASES: PortCases<SessionRecordStore> = {
  async 'gives a session back with its version, which grows by one with each change'({ port, second }) {
    assert.equal(await port.load('a', LONG), undefined);
    for (const version of [0, 1, 2]) {
      const value = `value ${String(version + 1)}`;
      assert.equal(await port.save('a', value, version, LONG), true);
      assert.deepEqual(await (await second()).load('a', LONG), { value, version: version + 1 });
    }
  },
  async 'saves nothing over another version'({ port }) {
    assert.equal(await port.save('a', 'nobody', 1, LONG), false);
    assert.equal(await port.load('a', LONG), undefined);
    await port.save('a', 'first', 0, LONG);
    await port.save('a', 'second', 1, LONG);
    for (const version of [0, 1, 3]) assert.equal(await port.save('a', 'other', version, LONG), false);
    assert.deepEqual(await port.load('a', LONG), { value: 'second', version: 2 });
  },
  async 'saves one of many changes at once'(trial) {
    for (const version of [0, 1]) {
      const saved = await atOnce(trial, (store, index) =>
        store.save('a', `value ${String(index)}`, version, LONG),
      );
      assert.equal(saved.filter(Boolean).length, 1, 'of 20 changes of one version');
      const value = `value ${String(saved.indexOf(true))}`;
      assert.deepEqual(await trial.port.load('a', LONG), { value, version: version + 1 });
    }
  },
  async 'loses no change where each is made to what was loaded'(trial) {
    await atOnce(trial, (store, index) => addWord(store, String(index)));
    const { value = '', version } = (await trial.port.load('a', LONG)) ?? {};
    assert.deepEqual({ words: value.trim().split(' ').length, version }, { words: 20, version: 20 });
  },
  async 'lets no save bring back a session that was removed'({ port, second }) {
    await port.save('a', 'first', 0, LONG);
    await port.save('other', 'stays', 0, LONG);
    await port.remove('a');
    assert.equal(await (await second()).load('a', LONG), undefined);
    assert.equal(await port.save('a', 'late', 1, LONG), false);
    assert.equal(await port.load('a', LONG), undefined);
    await port.remove('a');
    assert.equal(await valueOf(port, 'other'), 'stays');
  },
  async 'forgets a session when its lifetime is over, and not before'(trial) {
    await expectLifetime(trial, {
      begin: (key, lifetime) => trial.port.save(key, 'first', 0, lifetime),
      isThere: async (key, lifetime) => (await trial.port.load(key, lifetime)) !== undefined,
    });
  },
  async 'lets no save bring back a session whose lifetime is over'(trial) {
    await expectLifetime(trial, {
      begin: (key, lifetime) => trial.port.save(key, 'first', 0, lifetime),
      isThere: (key, lifetime) => trial.port.save(key, 'second', 1, lifetime),
    });
  },
  async 'begins the lifetime again whenever a session is loaded'(trial) {
    await expectRenewal(trial, {
      begin: (key, lifetime) => trial.port.save(key, 'first', 0, lifetime),
      isThere: async (key, lifetime) => (await trial.port.load(key, lifetime)) !== undefined,
    });
  },
  async 'begins the lifetime again with each change'(trial) {
    const versions = new Map<string, number>();
    const change = async (key: string, lifetime: number): Promise<boolean> => {
      const version = versions.get(key) ?? 0;
      versions.set(key, version + 1);
      return trial.port.save(key, 'value', version, lifetime);
    };
    await expectRenewal(trial, { begin: change, isThere: change });
  },
  async 'keeps keys apart'({ port }) {
    await expectApart(
      (key, value) => port.save(key, value, 0, LONG),
      (key) => valueOf(port, key),
    );
  },
  async 'gives back any text as it was'({ port }) {
    await expectTexts(
      (key, value) => port.save(key, value, 0, LONG),
      (key) => valueOf(port, key),
    );
  },
  async 'forgets what belongs to one owner, and nothing else'(trial) {
    await expectForgotten(
      trial,
      (key) => trial.port.save(key, key, 0, LONG),
      async (key) => (await valueOf(trial.port, key)) === key,
    );
  },
};

/**
 * What every {@link SessionRecordStore} has to do, as cases for any test runner.
 *
 * @example
 * const make = () => ({ port: new InMemorySessionRecordStore() });
 * for (const { name, run } of sessionRecordStoreConformance(make)) test(name, run);
 */
export function sessionRecordStoreConformance(
  make: MakePort<SessionRecordStore>,
): readonly ConformanceCase[] {
  return portConformance(CASES, make);
}
