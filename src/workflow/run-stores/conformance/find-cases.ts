import assert from 'node:assert/strict';
import type { RunQuery, RunStore } from '../../application/ports/run-store.ts';
import type { CaseBody } from './conformance-case.ts';
import { rejectsWith } from './reject-with.ts';
import { EARLY, startRuns } from './sample-run.ts';

async function ids(store: RunStore, query: Partial<RunQuery>): Promise<readonly string[]> {
  const { runs } = await store.find({ tenant: 'acme', limit: 100, ...query });
  return runs.map(({ runId }) => runId);
}

/** Page after page; the bound ends a store whose cursor does not move. */
async function pages(store: RunStore, limit: number): Promise<readonly (readonly string[])[]> {
  const found: string[][] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 50; page += 1) {
    const { runs, nextCursor } = await store.find({ tenant: 'acme', limit, ...(cursor && { cursor }) });
    found.push(runs.map(({ runId }) => runId));
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  return found;
}

/** Runs are found by their tenant and by what a query says. */
export const findCases: readonly CaseBody[] = [
  {
    name: 'shows the runs of one tenant, and of one principal if asked',
    async check({ store }) {
      await startRuns(
        store,
        { runId: 'a' },
        { runId: 'b', principal: 'ben' },
        { runId: 'c', tenant: 'other' },
        { runId: 'd', tenant: 'ACME' },
      );
      assert.deepEqual(await ids(store, {}), ['a', 'b']);
      assert.deepEqual(await ids(store, { principal: 'ben' }), ['b']);
      assert.deepEqual(await ids(store, { tenant: 'other' }), ['c']);
      assert.deepEqual(await ids(store, { tenant: '', principal: 'ann' }), []);
    },
  },
  {
    name: 'filters by status, workflow and time of the last change',
    async check({ store }) {
      await startRuns(
        store,
        { runId: 'a', status: 'blocked' },
        { runId: 'b', workflowId: 'review' },
        { runId: 'c', updatedAt: '2026-01-01T00:00:00.001Z' },
      );
      assert.deepEqual(await ids(store, { status: 'blocked' }), ['a']);
      assert.deepEqual(await ids(store, { workflowId: 'review', status: 'running' }), ['b']);
      assert.deepEqual(await ids(store, { updatedAfter: EARLY }), ['c']);
      assert.deepEqual(await ids(store, { updatedAfter: '2026-01-01T01:00:00+01:00' }), ['c']);
      assert.deepEqual(await ids(store, { updatedAfter: '2025-12-31T23:59:59Z' }), ['c', 'a', 'b']);
    },
  },
  {
    name: 'finds text in goal and workflow, whatever its letter case, and takes no sign as a pattern',
    async check({ store }) {
      await startRuns(
        store,
        { runId: 'a', goal: 'Ship 100% of ÜBER_notes' },
        { runId: 'b', goal: 'ship 1000 of uber-notes', workflowId: 'notes-flow' },
        { runId: 'c', workflowId: 'notes-flow' },
        { runId: 'd', goal: "O'Brien \\ [x] *" },
      );
      const found: Readonly<Record<string, readonly string[]>> = {
        sHIP: ['a', 'b'],
        über: ['a'],
        '100%': ['a'],
        '%': ['a'],
        _: ['a'],
        NOTES: ['a', 'b', 'c'],
        'notes-FLOW': ['b', 'c'],
        "o'b": ['d'],
        '\\': ['d'],
        '*': ['d'],
        undefined: [],
        '': ['a', 'b', 'c', 'd'],
      };
      for (const [text, expected] of Object.entries(found)) {
        assert.deepEqual(await ids(store, { text }), expected, `the text ${JSON.stringify(text)}`);
      }
    },
  },
  {
    name: 'shows the latest change first, then by id, page by page',
    async check({ store }) {
      const times = ['2026-01-02', '2026-01-03', '2026-01-01'].map((day) => `${day}T00:00:00.000Z`);
      const runs = ['B', 'a', 'C', 'b', 'A', 'c', 'd'].map((runId, index) => ({
        runId,
        updatedAt: times[index % times.length] ?? EARLY,
      }));
      await startRuns(store, ...runs);
      const expected = ['A', 'a', 'B', 'b', 'd', 'C', 'c'];
      for (const limit of [1, 2, 3, 6, 7, 100]) {
        const found = await pages(store, limit);
        assert.deepEqual(found.flat(), expected);
        assert.equal(found.length, Math.ceil(expected.length / limit));
      }
    },
  },
  {
    name: 'goes on after a page although the run that ended it has changed or is gone',
    async check({ store }) {
      await startRuns(store, { runId: 'a' }, { runId: 'b', status: 'completed' }, { runId: 'c' });
      const { nextCursor } = await store.find({ tenant: 'acme', limit: 2 });
      assert.ok(nextCursor !== undefined);
      assert.equal(await store.purge({ before: '2026-01-02T00:00:00.000Z' }), 1);
      assert.deepEqual(await ids(store, { cursor: nextCursor }), ['c']);
    },
  },
  {
    name: 'refuses a limit, a time and a cursor that are none',
    async check({ store }) {
      for (const limit of [0, -1, 101, 1.5, Number.NaN]) {
        await rejectsWith('INVALID_PARAMS', () => store.find({ tenant: 'acme', limit }));
      }
      for (const cursor of ['', 'x', 'bnVsbA', 'WzEsMl0', 'WyJub3ciLCJhIl0']) {
        await rejectsWith('INVALID_PARAMS', () => store.find({ tenant: 'acme', limit: 1, cursor }));
      }
      await rejectsWith('INVALID_PARAMS', () =>
        store.find({ tenant: 'acme', limit: 1, updatedAfter: 'soon' }),
      );
    },
  },
];
