import 'reflect-metadata';

export {
  FakeToolContext,
  type FakeContextOptions,
  type LoggedMessage,
  type ReportedProgress,
} from './fake-context.ts';
export { createTestApplication, TestApplication } from './test-application.ts';
