import { bodyCases } from './body-cases.ts';
import { cleanupCases } from './cleanup-cases.ts';
import { concurrencyCases } from './concurrency-cases.ts';
import type { ConformanceCase, MakeStore } from './conformance-case.ts';
import { definitionCases } from './definition-cases.ts';
import { findCases } from './find-cases.ts';
import { idempotencyCases } from './idempotency-cases.ts';
import { leaseCases } from './lease-cases.ts';
import { lifetimeCases } from './lifetime-cases.ts';
import { moveCases } from './move-cases.ts';
import { nameCases } from './name-cases.ts';
import { orderCases } from './order-cases.ts';

/**
 * What every run store has to do, as cases for any test runner. Each case gets a store of its own.
 *
 * @example
 * const makeStore = async () => {
 *   const data = new MemoryRunData();
 *   const open = async () => {
 *     const store = new MemoryRunStore({ data });
 *     await store.init();
 *     return store;
 *   };
 *   return { store: await open(), reopen: open, second: open, dispose: async () => {} };
 * };
 * for (const { run } of runStoreConformance(makeStore)) await run();
 */
export function runStoreConformance(makeStore: MakeStore): readonly ConformanceCase[] {
  const cases = [
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
  ];
  return cases.map(({ name, check }) => ({
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
