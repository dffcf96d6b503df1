import assert from 'node:assert/strict';
import { bodyCases, definitionCases, findCases, nameCases } from './lookup-cases.ts';
import { concurrencyCases, idempotencyCases, leaseCases, orderCases } from './history-cases.ts';
import { conformanceCases, type ConformanceCase } from '../../shared/conformance-case.ts';
import type { RunStore, ExportedRun } from '../application/ports/run-store.ts';
import { hashOfDocument, type WorkflowDocument } from '../domain/document/workflow-document.ts';
import { InMemoryRunStore } from '../run-stores/memory-run-store.ts';
import {
  EARLY,
  keyedRequest,
  lookups,
  startRuns,
  rejectsWith,
  sampleEvents,
  sampleRequest,
  type RunStoreCases,
  type MakeStore,
  ok,
  conflict,
  duplicate,
} from './conformance-case.ts';

export { WORKFLOW_CLOCK, WORKFLOW_TRACER } from '../module/workflow-module-options.ts';
export { documentOfClass } from '../module/workflow-classes.ts';
export { InMemoryRunData } from '../run-stores/memory-run-store.ts';
export type { ConformanceCase } from '../../shared/conformance-case.ts';
export type { MakeStore, StoreUnderTest } from './conformance-case.ts';

/**
 * What every run store has to do, as cases for any test runner. Each case gets a store of its own.
 *
 * @example
 * const makeStore = async () => {
 *   const data = new InMemoryRunData();
 *   const open = async () => {
 *     const store = new InMemoryRunStore({ data });
 *     await store.init();
 *     return store;
 *   };
 *   return { store: await open(), reopen: open, second: open, dispose: async () => {} };
 * };
 * for (const { run } of runStoreConformance(makeStore)) await run();
 */
export function runStoreConformance(makeStore: MakeStore): readonly ConformanceCase[] {
  return conformanceCases(CASES, makeStore, (under) => under.dispose());
}

const DEFINITION = ' {"id":"release \u2028 😀"}\n';
const HASH = hashOfDocument(JSON.parse(DEFINITION) as WorkflowDocument);

async function fill(store: RunStore): Promise<void> {
  await store.pinDefinition(HASH, DEFINITION);
  const summary = { definitionHash: HASH };
  const snapshot = { seq: 1, state: '{}' };
  await store.append(keyedRequest({ idempotencyScope: 'starts', summary, snapshot }));
  const events = sampleEvents(2, 3, (seq) => `\u2028 😀 \ud800 \0 ${seq}`);
  await store.append(
    keyedRequest({ expectedSeq: 1, events, summary: { ...summary, seq: 4, goal: 'moved' } }),
  );
}

/** As a store of another kind exports it. */
async function sampleExport(): Promise<ExportedRun> {
  const origin = new InMemoryRunStore();
  await origin.init();
  await fill(origin);
  return exported(origin);
}

async function exported(store: RunStore): Promise<ExportedRun> {
  const run = await store.exportRun('run-1');
  assert.ok(run);
  return run;
}

/** A run moves between stores of any kind. */
const moveCases: RunStoreCases = {
  async 'moves a run out to another store and in from another store without a change'({ store }) {
    const copy = new InMemoryRunStore();
    await copy.init();
    const run = await sampleExport();
    assert.equal(run.definition?.json, DEFINITION);
    await store.importRun(run);
    assert.deepEqual(await exported(store), run);
    await copy.importRun(JSON.parse(JSON.stringify(await exported(store))) as ExportedRun);
    assert.deepEqual(await exported(copy), run);
  },
  async 'goes on with a moved run where it stood'({ store }) {
    await store.importRun(await sampleExport());
    assert.deepEqual(await store.append(keyedRequest({ idempotencyScope: 'starts' })), duplicate);
    assert.deepEqual(await store.append(sampleRequest()), conflict(4));
    assert.deepEqual(await store.append(sampleRequest({ expectedSeq: 4 })), ok(5));
    assert.equal(await store.getDefinition(HASH), DEFINITION);
    assert.deepEqual(
      (await store.load('run-1')).map(({ seq }) => seq),
      [1, 2, 3, 4, 5],
    );
  },
  async 'refuses a run or a key that it has already, and changes nothing'({ store }) {
    await fill(store);
    const run = await exported(store);
    await rejectsWith('STATE_ERROR', () => store.importRun(run));
    const renamed = { ...run, summary: { ...run.summary, runId: 'run-2' } };
    await rejectsWith('STATE_ERROR', () => store.importRun(renamed));
    assert.equal(await store.getSummary('run-2'), null);
    assert.deepEqual(await store.load('run-2'), []);
    assert.deepEqual(await exported(store), run);
  },
  async 'refuses a definition that is not the one of the run, and a key that comes twice'({ store }) {
    const run = await sampleExport();
    const deep = `{"id":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    for (const json of ['{"id":"other"}', '{', 'null', deep]) {
      await rejectsWith('STATE_ERROR', () => store.importRun({ ...run, definition: { hash: HASH, json } }));
    }
    const summary = { ...run.summary, definitionHash: 'sha256:0' };
    await rejectsWith('STATE_ERROR', () => store.importRun({ ...run, summary }));
    const idempotency = [...run.idempotency, ...run.idempotency.slice(0, 1)];
    await rejectsWith('STATE_ERROR', () => store.importRun({ ...run, idempotency }));
    assert.equal(await store.getSummary('run-1'), null);
    assert.equal(await store.getDefinition(HASH), null);
  },
  async 'refuses a run with a gap'({ store }) {
    const summary = sampleRequest({ count: 2 }).summary;
    const run = { summary, idempotency: [], definition: null };
    const events = [...sampleEvents(1, 1), ...sampleEvents(3, 1)];
    await rejectsWith('STATE_ERROR', () => store.importRun({ ...run, events }));
    await rejectsWith('STATE_ERROR', () => store.importRun({ ...run, events: [] }));
    assert.equal(await store.getSummary('run-1'), null);
  },
};

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
const lifetimeCases: RunStoreCases = {
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

const AFTER = '2026-01-02T00:00:00.000Z';

/** Expired runs are found, and terminal runs are purged on demand. */
const cleanupCases: RunStoreCases = {
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

const CASES: RunStoreCases = {
  ...orderCases,
  ...idempotencyCases,
  ...concurrencyCases,
  ...bodyCases,
  ...nameCases,
  ...findCases,
  ...leaseCases,
  ...definitionCases,
  ...cleanupCases,
  ...moveCases,
  ...lifetimeCases,
};
