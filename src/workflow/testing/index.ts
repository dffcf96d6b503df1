export type { ConformanceCase, MakeStore, StoreUnderTest } from './conformance-case.ts';
export { runStoreConformance } from './run-store-conformance.ts';
