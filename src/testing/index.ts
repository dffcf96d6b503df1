import 'reflect-metadata';

export {
  FakeToolContext,
  type AskedQuestion,
  type ClientScript,
  type FakeContextOptions,
  type LoggedMessage,
  type ReportedProgress,
  type ScriptedAnswer,
  type ScriptedSample,
} from './fake-context.ts';
export {
  createTestApplication,
  TestApplication,
  type TestApplicationOptions,
  type SamplingAnswer,
  type TestClientOptions,
} from './test-application.ts';
export { json, matchers, text, type Matched, type ReadableResult, type ToolMatchers } from './read-result.ts';
export type { ConformanceCase } from '../shared/conformance-case.ts';
export type { MakePort, PortUnderTest, TestClock } from './conformance/trial.ts';
export { auditStoreConformance } from './conformance/audit-store-cases.ts';
export { busConformance } from './conformance/bus-cases.ts';
export { eventStoreConformance } from './conformance/event-store-cases.ts';
export { limitArithmeticConformance, limitStoreConformance } from './conformance/limit-store-cases.ts';
export { slotStoreConformance } from './conformance/slot-store-cases.ts';
export { storeConformance } from './conformance/store-cases.ts';
export { taskStoreConformance } from './conformance/task-store-cases.ts';
export { workQueueConformance } from './conformance/work-queue-cases.ts';
export { countToolTokens, type SurfaceTokens, type TokenParts, type ToolTokens } from '../tokens/index.ts';
