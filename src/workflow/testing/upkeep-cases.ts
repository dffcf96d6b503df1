import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunStore } from '../application/ports/run-store.ts';
import {
  type Cases,
  rejectsWith,
  EARLY,
  keyedRequest,
  sampleEvents,
  sampleRequest,
  startRuns,
  LATE,
  ok,
  duplicate,
  lookups,
} from './conformance-case.ts';

function everything(store: RunStore): readonly (() => Promise<unknown>)[] {
  return [
    () => store.init(),
    () => store.append(sampleRequest()),
    () => store.findExpired(EARLY, 1),
    () => store.pinDefinition('sha256:0', '{}'),
    () => store.keep('name', 'value'),
    () => store.purge({ before: EARLY }),
    ...lookups(store, 'run-1'),
  ];
}

/** A store is opened, used and closed. */
export const lifetimeCases: Cases = {
  async 'has everything again after it was closed and reopened'({ store, reopen }) {
    await store.append(keyedRequest({ count: 3 }));
    await store.pinDefinition('sha256:0', '{}');
    await store.keep('name', 'value');
    const fence = await store.acquireLease('run-1', 'a', 60_000);
    await store.close();
    const again = await reopen();
    assert.deepEqual(await again.load('run-1'), sampleEvents(1, 3));
    assert.deepEqual(await again.append(keyedRequest()), duplicate);
    assert.deepEqual(await again.append(sampleRequest({ expectedSeq: 3 })), ok(4));
    assert.equal(await again.getDefinition('sha256:0'), '{}');
    assert.equal(await again.keep('name', 'other'), 'value');
    assert.equal(await again.acquireLease('run-1', 'b', 60_000), null);
    assert.ok(((await again.acquireLease('run-1', 'a', 60_000)) ?? 0) > (fence ?? 0));
  },
  async 'can be opened more than once, also at the same time'({ store, second }) {
    await store.append(sampleRequest());
    await Promise.all([store.init(), store.init(), second(), second()]);
    assert.deepEqual(await store.load('run-1'), sampleEvents(1, 1));
  },
  async 'refuses everything after it was closed, except to be closed again'({ store }) {
    await store.close();
    for (const use of everything(store)) await rejectsWith('STORAGE_ERROR', use);
    await store.close();
  },
  async 'ends what was begun before it is closed'({ store, reopen }) {
    const begun = store.append(sampleRequest({ count: 50 }));
    await store.close();
    const result = await begun;
    const again = await reopen();
    assert.deepEqual(result, ok(50));
    assert.deepEqual(await again.load('run-1'), sampleEvents(1, 50));
  },
};

/** What is kept once stays as it is. */
export const definitionCases: Cases = {
  async 'keeps a definition once per hash and never changes it'({ store, second }) {
    const other = await second();
    await store.pinDefinition('sha256:1', '{"id":"first"}');
    await other.pinDefinition('sha256:1', '{"id":"second"}');
    await other.pinDefinition('sha256:2', '{"id":"third"}');
    assert.equal(await other.getDefinition('sha256:1'), '{"id":"first"}');
    assert.equal(await store.getDefinition('sha256:2'), '{"id":"third"}');
    assert.equal(await store.getDefinition('sha256:3'), null);
  },
  async 'keeps the first value under a name and gives it to everybody'({ store, second }) {
    const other = await second();
    const values = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? store : other).keep('key', `value ${index}`),
      ),
    );
    assert.equal(new Set(values).size, 1);
    assert.equal(await store.keep('schema_version', 'mine'), 'mine');
    assert.equal(await other.keep('other', 'mine'), 'mine');
  },
};

const AFTER = '2026-01-02T00:00:00.000Z';

/** Expired runs are found, and terminal runs are purged on demand. */
export const cleanupCases: Cases = {
  async 'finds runs that should have ended, the oldest first, and no terminal ones'({ store }) {
    const at = (second: number) => ({ expiresAt: `2026-01-01T00:00:0${second}.000Z` });
    await startRuns(
      store,
      { runId: 'a', status: 'blocked', ...at(3) },
      { runId: 'b', status: 'awaiting_confirmation', ...at(1) },
      { runId: 'c', ...at(2), tenant: 'other' },
      { runId: 'd', ...at(5) },
      { runId: 'e', ...at(1), status: 'expired' },
      { runId: 'f', ...at(1), status: 'cancelled' },
      { runId: 'g', ...at(1), status: 'completed' },
    );
    assert.deepEqual(await store.findExpired('2026-01-01T00:00:05.000Z', 10), ['b', 'c', 'a']);
    assert.deepEqual(await store.findExpired('2026-01-01T00:00:05Z', 2), ['b', 'c']);
    assert.deepEqual(await store.findExpired('2026-01-01T00:00:01.000Z', 10), []);
    await rejectsWith('INVALID_PARAMS', () => store.findExpired(EARLY, 0));
    await rejectsWith('INVALID_PARAMS', () => store.findExpired('soon', 1));
  },
  async 'takes a time after the year 9999 for a late one'({ store }) {
    await startRuns(store, { runId: 'a', expiresAt: '+010000-01-01T00:00:00.000Z' }, { runId: 'b' });
    assert.deepEqual(await store.findExpired('2027-01-01T00:00:00.000Z', 10), ['b']);
    assert.equal((await store.getSummary('a'))?.expiresAt, '+010000-01-01T00:00:00.000Z');
  },
  async 'purges terminal runs of before a time with all that is theirs, and no other run'({ store }) {
    for (const status of ['completed', 'cancelled', 'expired', 'running', 'blocked'] as const) {
      await store.append(
        keyedRequest({ runId: status, summary: { status }, snapshot: { seq: 1, state: '{}' } }),
      );
    }
    await startRuns(store, { runId: 'late', status: 'completed', updatedAt: AFTER });
    assert.equal(await store.purge({ before: EARLY }), 0);
    assert.equal(await store.purge({ before: AFTER }), 3);
    assert.equal(await store.purge({ before: AFTER }), 0);
    const { runs } = await store.find({ tenant: 'acme', limit: 100 });
    assert.deepEqual(
      runs.map(({ runId }) => runId),
      ['late', 'blocked', 'running'],
    );
    assert.deepEqual(await store.load('completed'), []);
    assert.equal(await store.getSummary('completed'), null);
    assert.equal(await store.getSnapshot('completed'), null);
    assert.equal(await store.getRecorded('completed', 'key-1'), null);
    assert.equal((await store.load('running')).length, 1);
    assert.equal((await store.getRecorded('running', 'key-1'))?.response, 'response-1');
  },
  async 'purges any number of runs and leaves the definitions'({ store }) {
    await store.pinDefinition('sha256:0', '{}');
    const runs = Array.from({ length: 450 }, (_, index) => ({
      runId: `run-${index}`,
      status: 'completed' as const,
    }));
    await startRuns(store, ...runs);
    assert.equal(await store.purge({ before: AFTER }), 450);
    assert.deepEqual(await store.find({ tenant: 'acme', limit: 1 }), { runs: [] });
    assert.equal(await store.getDefinition('sha256:0'), '{}');
  },
};

const LONG = 60_000;
const SHORT = 5;

/** The bound is far beyond the end of a short lease. */
async function acquireSoon(store: RunStore, owner: string): Promise<number | null> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const fence = await store.acquireLease('run-1', owner, LONG);
    if (fence !== null) return fence;
    await sleep(SHORT);
  }
  return null;
}

/** One owner at a time, with a rising number for each lease. */
export const leaseCases: Cases = {
  async 'gives a lease to one owner at a time, also over two stores'({ store, second }) {
    const other = await second();
    assert.equal(typeof (await store.acquireLease('run-1', 'a', LONG)), 'number');
    assert.equal(await other.acquireLease('run-1', 'b', LONG), null);
    assert.equal(typeof (await other.acquireLease('run-2', 'b', LONG)), 'number');
  },
  async 'gives one of twenty owners the lease'({ store, second }) {
    const other = await second();
    const fences = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? store : other).acquireLease('run-1', `owner ${index}`, LONG),
      ),
    );
    assert.equal(fences.filter((fence) => fence !== null).length, 1);
  },
  async 'gives a higher number with every lease, released, ended or renewed'({ store }) {
    const fences: (number | null)[] = [await store.acquireLease('run-1', 'a', LONG)];
    await store.releaseLease('run-1', 'a');
    fences.push(await store.acquireLease('run-1', 'b', LONG));
    fences.push(await store.acquireLease('run-1', 'b', SHORT));
    fences.push(await acquireSoon(store, 'c'));
    const numbers = fences.filter((fence) => fence !== null);
    assert.equal(numbers.length, 4);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((left, right) => left - right),
    );
  },
  async 'goes on with its numbers after the run was purged'({ store }) {
    await startRuns(store, { runId: 'run-1', status: 'completed' });
    const before = await store.acquireLease('run-1', 'a', LONG);
    await store.releaseLease('run-1', 'a');
    assert.equal(await store.purge({ before: LATE }), 1);
    assert.ok(((await store.acquireLease('run-1', 'b', LONG)) ?? 0) > (before ?? 0));
  },
  async 'refuses a time that no lease can last'({ store }) {
    for (const ttl of [Number.NaN, Number.POSITIVE_INFINITY, 0, -1, 1e300]) {
      await rejectsWith('INVALID_PARAMS', () => store.acquireLease('run-1', 'a', ttl));
    }
    assert.equal(typeof (await store.acquireLease('run-1', 'b', 2 ** 52)), 'number');
    assert.equal(await store.acquireLease('run-1', 'a', 0.5), null);
  },
  async 'lets nobody release the lease of another owner'({ store }) {
    await store.acquireLease('run-1', 'a', LONG);
    await store.releaseLease('run-1', 'b');
    await store.releaseLease('run-2', 'b');
    assert.equal(await store.acquireLease('run-1', 'b', LONG), null);
  },
};
