export { WORKFLOW_CLOCK, WORKFLOW_TRACER } from '../module/workflow-module-options.ts';
export { documentOfClass } from '../module/workflow-classes.ts';
export { InMemoryRunData } from '../run-stores/memory-run-store.ts';
export type { ConformanceCase, MakeStore, StoreUnderTest } from './conformance-case.ts';
export { runStoreConformance } from './run-store-conformance.ts';
