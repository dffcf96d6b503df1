import 'reflect-metadata';

export { workflowErrorResult } from './module/answer-errors.ts';
export { Step, Workflow, type StepOptions, type WorkflowOptions } from './module/workflow-classes.ts';
export {
  CONDITION_EVALUATOR,
  OUTPUT_VALIDATOR,
  RUN_STORE,
  WORKFLOW_STORAGE,
  type ConditionEvaluator,
  type WorkflowModuleOptions,
} from './module/workflow-module-options.ts';
export { WorkflowModule } from './module/workflow-module.ts';

export { validateCondition } from './domain/conditions/condition-check.ts';
export type { Condition, WorkflowContext } from './domain/conditions/condition.ts';
export { evaluateCondition } from './domain/conditions/evaluate-condition.ts';
export { loadWorkflow, validateWorkflowJson } from './domain/document/load-workflow.ts';
export type {
  Loop,
  LoopStep,
  PlainStep,
  WorkflowDefinition,
  WorkflowDocument,
  WorkflowStep,
  WorkflowSummary,
} from './domain/document/workflow-document.ts';
export { workflowSchema } from './domain/document/workflow-schema.ts';
export {
  InvalidConditionError,
  InvalidCriteriaError,
  WorkflowError,
  type WorkflowCode,
  type WorkflowErrorRecord,
} from './domain/errors/workflow-error.ts';
export type { NextStep, OfferedStep, StepGuidance } from './domain/guidance/next-step.ts';
export type { Actor, RunEvent, RunEventType, RunStatus } from './domain/run/run-state.ts';
export type {
  OutputValidator,
  ValidationComposition,
  ValidationCriteria,
  ValidationDetail,
  ValidationResult,
  ValidationRule,
} from './domain/validation/output-validator.ts';
export { ValidationEngine, type ValidationEngineOptions } from './domain/validation/validation-engine.ts';

export type { SpanAttributes, WorkflowSpan, WorkflowTracer } from './application/observe-call.ts';
export type {
  AppendRequest,
  AppendResult,
  ExportedRun,
  RecordedResponse,
  RunPage,
  RunQuery,
  RunSnapshot,
  RunStore,
  RunSummary,
} from './application/ports/run-store.ts';
export type {
  StorageDiagnostic,
  WorkflowDefinitions,
  WorkflowStorage,
} from './application/ports/workflow-storage.ts';
export type { PendingStep, UserActor } from './application/runs/confirmations.ts';
export type { RunLimitOptions, RunLimits, RunPorts } from './application/runs/run-dependencies.ts';
export type {
  CancelRequest,
  CheckpointRequest,
  ContinueRequest,
  Decision,
  ResumeRequest,
  RunCaller,
  StartRequest,
} from './application/runs/run-requests.ts';
export { ConfirmationService, RunService } from './application/runs/run-service.ts';
export type { SigningKey } from './application/runs/run-token.ts';
export type {
  RunHistoryEntry,
  RunProgress,
  RunStatusView,
  RunStepView,
  RunView,
} from './application/runs/run-view.ts';
export type {
  GetWorkflowRequest,
  ListedWorkflows,
  NextStepRequest,
  ValidateStepRequest,
} from './application/workflow-requests.ts';
export { WorkflowService, type WorkflowServiceOptions } from './application/workflow-service.ts';

export {
  CachingWorkflowStorage,
  type CacheStats,
  type CachingOptions,
} from './storage/caching-workflow-storage.ts';
export { CompositeWorkflowStorage } from './storage/composite-workflow-storage.ts';
export {
  createWorkflowStorage,
  type WorkflowSource,
  type WorkflowStorageOptions,
} from './storage/create-workflow-storage.ts';
export {
  FileWorkflowStorage,
  type FileWorkflowStorageOptions,
} from './storage/files/file-workflow-storage.ts';
export { InMemoryWorkflowStorage } from './storage/in-memory-workflow-storage.ts';
export { SchemaValidatingWorkflowStorage } from './storage/schema-validating-workflow-storage.ts';
export {
  InMemoryWorkflowCache,
  type WorkflowCache,
  type WorkflowSnapshot,
} from './storage/workflow-cache.ts';

export {
  InMemoryRunStore,
  InMemoryRunStore as MemoryRunStore,
  type InMemoryRunData,
  type InMemoryRunStoreOptions,
} from './run-stores/memory-run-store.ts';
export { PostgresRunStore, type PostgresRunStoreOptions } from './run-stores/postgres/postgres-run-store.ts';
export type { PostgresClient, PostgresPool } from '../shared/postgres-pool.ts';
export type { CheckedRunStore } from './run-stores/checked-run-store.ts';
export { SqliteRunStore, type SqliteRunStoreOptions } from './run-stores/sqlite/sqlite-run-store.ts';

export { WorkflowRpcServer, type WorkflowRpcOptions } from './rpc/workflow-rpc-server.ts';
export type { Clock as WorkflowClock } from './application/observe-call.ts';
export type { CommandLimits } from './domain/run/run-command.ts';
export type { InMemoryWorkflowCacheOptions } from './storage/workflow-cache.ts';
export type { LoopVariables } from './domain/document/workflow-document.ts';
export type { RuleBase } from './domain/validation/output-validator.ts';
export type {
  RunEventData,
  RunEventOf,
  RunOrigin,
  RunReason,
  StepRef,
  TerminalStatus,
} from './domain/run/run-state.ts';
export type { RunReport } from './application/runs/run-view.ts';
export type { ServerInfo } from './rpc/rpc-methods.ts';
export type { ViewRef } from './application/runs/run-requests.ts';
export type { WorkflowErrorFacts } from './domain/errors/workflow-error.ts';
