import assert from 'node:assert/strict';
import type { CaseBody } from './conformance-case.ts';
import { rejectsWith } from './reject-with.ts';
import { EARLY, keyedRequest, startRuns } from './sample-run.ts';

const AFTER = '2026-01-02T00:00:00.000Z';

/** What is over is found, and forgotten on demand. */
export const cleanupCases: readonly CaseBody[] = [
  {
    name: 'finds runs that should have ended, the oldest first, and no terminal ones',
    async check({ store }) {
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
  },
  {
    name: 'takes a time after the year 9999 for a late one',
    async check({ store }) {
      await startRuns(store, { runId: 'a', expiresAt: '+010000-01-01T00:00:00.000Z' }, { runId: 'b' });
      assert.deepEqual(await store.findExpired('2027-01-01T00:00:00.000Z', 10), ['b']);
      assert.equal((await store.getSummary('a'))?.expiresAt, '+010000-01-01T00:00:00.000Z');
    },
  },
  {
    name: 'purges terminal runs of before a time with all that is theirs, and no other run',
    async check({ store }) {
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
  },
  {
    name: 'purges any number of runs and leaves the definitions',
    async check({ store }) {
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
  },
];
