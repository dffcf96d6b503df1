import assert from 'node:assert/strict';
import { bodyCases, findCases, nameCases } from './lookup-cases.ts';
import { cleanupCases, definitionCases, leaseCases, lifetimeCases } from './upkeep-cases.ts';
import { concurrencyCases, idempotencyCases, orderCases } from './history-cases.ts';
import type { RunStore, ExportedRun } from '../application/ports/run-store.ts';
import { hashOfDocument, type WorkflowDocument } from '../domain/document/workflow-document.ts';
import { InMemoryRunStore } from '../run-stores/memory-run-store.ts';
import {
  keyedRequest,
  rejectsWith,
  sampleEvents,
  sampleRequest,
  type Cases,
  type ConformanceCase,
  type MakeStore,
  ok,
  conflict,
  duplicate,
} from './conformance-case.ts';

export { WORKFLOW_CLOCK, WORKFLOW_TRACER } from '../module/workflow-module-options.ts';
export { documentOfClass } from '../module/workflow-classes.ts';
export { InMemoryRunData } from '../run-stores/memory-run-store.ts';
export type { ConformanceCase, MakeStore, StoreUnderTest } from './conformance-case.ts';

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
  const cases = [
    orderCases,
    idempotencyCases,
    concurrencyCases,
    bodyCases,
    nameCases,
    findCases,
    leaseCases,
    definitionCases,
    cleanupCases,
    moveCases,
    lifetimeCases,
  ];
  return cases
    .flatMap((group) => Object.entries(group))
    .map(([name, check]) => ({
      name,
      async run() {
        const under = await makeStore();
        try {
          await check(under);
        } finally {
          await under.dispose();
        }
      },
    }));
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
const moveCases: Cases = {
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
