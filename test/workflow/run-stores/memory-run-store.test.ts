import { describe, test, expect } from '@jest/globals';
import { MemoryRunStore } from 'toolwright/workflow';
import { InMemoryRunData, InMemoryRunStore } from '../../../src/workflow/run-stores/memory-run-store.ts';
import { runStoreConformance } from '../../../src/workflow/testing/index.ts';
import { sampleRequest, keyedRequest, sampleEvents } from '../../../src/workflow/testing/conformance-case.ts';
import type { RunStore } from '../../../src/workflow/application/ports/run-store.ts';
import { makeSqliteStore } from './make-sqlite-store.ts';
import { tries } from '../../support/thorough.ts';

async function makeStore() {
  const data = new InMemoryRunData();
  const another = async () => {
    const store = new InMemoryRunStore({ data });
    await store.init();
    return store;
  };
  return { store: await another(), reopen: another, second: another, dispose: async () => {} };
}

describe('a run store in memory', () => {
  for (const { name, run } of runStoreConformance(makeStore)) test(name, run);
});

test('takes more events at once than a function takes arguments', async () => {
  const { store } = await makeStore();
  expect(await store.append(sampleRequest({ count: 300_000 }))).toEqual({ ok: true, seq: 300_000 });
  expect(await store.load('run-1')).toHaveLength(300_000);
});

test('is also known as MemoryRunStore', () => {
  expect(MemoryRunStore).toBe(InMemoryRunStore);
});

const RUNS = tries(100, 1000);
const TURNS = 2;
const EVENTS = 2;

/** Sends every change twice at once, as an impatient client does; one is recorded, the other answered from it. */
async function driveRun(store: RunStore, runId: string): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    const expectedSeq = turn * EVENTS;
    const events = sampleEvents(expectedSeq + 1, EVENTS, (seq) => `${runId}, event ${seq}`);
    const key = { idempotencyKey: `turn-${turn}`, response: `${runId}, turn ${turn}` };
    const request = keyedRequest({ runId, expectedSeq, count: EVENTS, events, ...key });
    const results = await Promise.all([store.append(request), store.append(request)]);
    expect(results).toContainEqual({ ok: true, seq: expectedSeq + EVENTS });
    expect(results).toContainEqual({ duplicate: true, response: key.response });
  }
}

async function expectEveryEventOnce(store: RunStore): Promise<void> {
  const ids = Array.from({ length: RUNS }, (_, index) => `run-${index}`);
  await Promise.all(ids.map((runId) => driveRun(store, runId)));
  for (const runId of ids) {
    const events = sampleEvents(1, TURNS * EVENTS, (seq) => `${runId}, event ${seq}`);
    expect(await store.load(runId)).toEqual(events);
  }
}

describe('a thousand runs at once on one process', () => {
  test('lose and double nothing in memory', async () => {
    const store = new InMemoryRunStore();
    await store.init();
    await expectEveryEventOnce(store);
  });

  test('lose and double nothing in SQLite', async () => {
    const { store, dispose } = await makeSqliteStore();
    try {
      await expectEveryEventOnce(store);
    } finally {
      await dispose();
    }
  });
});
