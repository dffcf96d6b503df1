import 'reflect-metadata';

export {
  FakeToolContext,
  type AskedQuestion,
  type FakeContextOptions,
  type LoggedMessage,
  type ReportedProgress,
} from './fake-context.ts';
export type { ClientScript, ScriptedAnswer, ScriptedSample } from './scripted-client.ts';
export { createTestApplication, TestApplication } from './test-application.ts';
export type { SamplingAnswer, TestClientOptions } from './test-client.ts';
