import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunStore } from '../../application/ports/run-store.ts';
import type { CaseBody } from './conformance-case.ts';
import { rejectsWith } from './reject-with.ts';
import { LATE, startRuns } from './sample-run.ts';

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

/** One owner at a time, told by a number that rises. */
export const leaseCases: readonly CaseBody[] = [
  {
    name: 'gives a lease to one owner at a time, also over two stores',
    async check({ store, second }) {
      const other = await second();
      assert.equal(typeof (await store.acquireLease('run-1', 'a', LONG)), 'number');
      assert.equal(await other.acquireLease('run-1', 'b', LONG), null);
      assert.equal(typeof (await other.acquireLease('run-2', 'b', LONG)), 'number');
    },
  },
  {
    name: 'gives one of twenty owners the lease',
    async check({ store, second }) {
      const other = await second();
      const fences = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? store : other).acquireLease('run-1', `owner ${index}`, LONG),
        ),
      );
      assert.equal(fences.filter((fence) => fence !== null).length, 1);
    },
  },
  {
    name: 'gives a higher number with every lease, released, ended or renewed',
    async check({ store }) {
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
  },
  {
    name: 'goes on with its numbers after the run was purged',
    async check({ store }) {
      await startRuns(store, { runId: 'run-1', status: 'completed' });
      const before = await store.acquireLease('run-1', 'a', LONG);
      await store.releaseLease('run-1', 'a');
      assert.equal(await store.purge({ before: LATE }), 1);
      assert.ok(((await store.acquireLease('run-1', 'b', LONG)) ?? 0) > (before ?? 0));
    },
  },
  {
    name: 'refuses a time that no lease can last',
    async check({ store }) {
      for (const ttl of [Number.NaN, Number.POSITIVE_INFINITY, 0, -1, 1e300]) {
        await rejectsWith('INVALID_PARAMS', () => store.acquireLease('run-1', 'a', ttl));
      }
      assert.equal(typeof (await store.acquireLease('run-1', 'b', 2 ** 52)), 'number');
      assert.equal(await store.acquireLease('run-1', 'a', 0.5), null);
    },
  },
  {
    name: 'lets nobody release the lease of another owner',
    async check({ store }) {
      await store.acquireLease('run-1', 'a', LONG);
      await store.releaseLease('run-1', 'b');
      await store.releaseLease('run-2', 'b');
      assert.equal(await store.acquireLease('run-1', 'b', LONG), null);
    },
  },
];
