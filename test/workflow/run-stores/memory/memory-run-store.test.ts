import { describe, test, expect } from '@jest/globals';
import { MemoryRunData, appendMemory } from '../../../../src/workflow/run-stores/memory/memory-run-data.ts';
import { MemoryRunStore } from '../../../../src/workflow/run-stores/memory/memory-run-store.ts';
import { runStoreConformance } from '../../../../src/workflow/testing/run-store-conformance.ts';
import { sampleRequest } from '../../../../src/workflow/testing/conformance-case.ts';

async function makeStore() {
  const data = new MemoryRunData();
  const another = async () => {
    const store = new MemoryRunStore({ data });
    await store.init();
    return store;
  };
  return { store: await another(), reopen: another, second: another, dispose: async () => {} };
}

describe('a run store in memory', () => {
  for (const { name, run } of runStoreConformance(makeStore)) test(name, run);
});

test('takes more events at once than a function takes arguments', () => {
  const data = new MemoryRunData();
  expect(appendMemory(data, sampleRequest({ count: 300_000 }))).toEqual({ ok: true, seq: 300_000 });
  expect(data.runs.get('run-1')?.events).toHaveLength(300_000);
});
