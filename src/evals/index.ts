export {
  defineEvals,
  type EvalCase,
  type EvalSuite,
  type ExpectedCall,
  type ScriptedCall,
} from './eval-case.ts';
export type { EvalCall, EvalChecks } from './compare-calls.ts';
export type { EvalFinding } from './lint-tools.ts';
export { liveModel } from './live-model.ts';
export type { EvalShare } from './metrics.ts';
export type { EvalModel, ModelFormat, ModelUsage } from './model.ts';
export { recordedModel, recordModel } from './recording.ts';
export type { CaseRanks, EvalRetrieval } from './retrieval.ts';
export type { EvalRun } from './run-case.ts';
export { runEvals, type EvalMetrics, type EvalOptions, type EvalReport } from './run-evals.ts';
