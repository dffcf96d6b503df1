import { describe, test } from '@jest/globals';
import { MemoryRunData } from '../../../src/workflow/run-stores/memory/memory-run-data.ts';
import { MemoryRunStore } from '../../../src/workflow/run-stores/memory/memory-run-store.ts';
import { runStoreConformance } from '../../../src/workflow/testing/run-store-conformance.ts';

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
