import { describe, test, expect } from '@jest/globals';
import { MemoryRunStore } from 'toolwright/workflow';
import { InMemoryRunData, InMemoryRunStore } from '../../../src/workflow/run-stores/memory-run-store.ts';
import { runStoreConformance } from '../../../src/workflow/testing/index.ts';
import { sampleRequest } from '../../../src/workflow/testing/conformance-case.ts';

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
