import 'reflect-metadata';

export { Step, type StepOptions } from './code-first/step.ts';
export { Workflow, type WorkflowOptions } from './code-first/workflow.ts';
export { documentOfClass } from './code-first/document-of-class.ts';

export { WorkflowModule } from './module/workflow-module.ts';
export type { WorkflowModuleOptions } from './module/workflow-module-options.ts';
export {
  CONDITION_EVALUATOR,
  OUTPUT_VALIDATOR,
  RUN_STORE,
  WORKFLOW_CLOCK,
  WORKFLOW_OPTIONS,
  WORKFLOW_STORAGE,
  WORKFLOW_TRACER,
  type ConditionEvaluator,
} from './module/tokens.ts';
export { workflowErrorResult } from './module/answer-errors.ts';

export type { Condition, WorkflowContext } from './domain/conditions/condition.ts';
export { evaluateCondition } from './domain/conditions/evaluate-condition.ts';
export { hashOfDocument } from './domain/document/workflow-document.ts';
export { validateCondition } from './domain/conditions/condition-check.ts';
export { loadWorkflow } from './domain/document/load-workflow.ts';
export { validateWorkflowJson } from './domain/document/load-workflow.ts';
export { workflowSchema } from './domain/document/workflow-schema.ts';
export type {
  Loop,
  LoopStep,
  PlainStep,
  WorkflowDefinition,
  WorkflowDocument,
  WorkflowStep,
  WorkflowSummary,
} from './domain/document/workflow-document.ts';
export { InvalidConditionError } from './domain/errors/workflow-error.ts';
export { InvalidCriteriaError } from './domain/errors/workflow-error.ts';
export type { WorkflowCode } from './domain/errors/workflow-error.ts';
export { WorkflowError, type WorkflowErrorRecord } from './domain/errors/workflow-error.ts';
export type { OutputValidator } from './domain/validation/output-validator.ts';
export type {
  ValidationComposition,
  ValidationCriteria,
  ValidationRule,
} from './domain/validation/output-validator.ts';
export { ValidationEngine } from './domain/validation/validation-engine.ts';
export type { ValidationDetail, ValidationResult } from './domain/validation/output-validator.ts';
export { decide } from './domain/run/decide.ts';
export { evolve } from './domain/run/evolve.ts';
export { foldEvents } from './domain/run/evolve.ts';
export type { RunCommand } from './domain/run/run-command.ts';
export type { Actor, RunEvent, RunEventType } from './domain/run/run-event.ts';
export type { RunState } from './domain/run/run-state.ts';
export type { RunStatus } from './domain/run/run-state.ts';

export type { NextStep, OfferedStep, StepGuidance } from './domain/guidance/next-step.ts';

export { getNextStep } from './application/use-cases.ts';
export { getWorkflow } from './application/use-cases.ts';
export { listWorkflows } from './application/use-cases.ts';
export { validateStepOutput } from './application/use-cases.ts';
export type { WorkflowPorts } from './application/use-cases.ts';
export type {
  GetWorkflowRequest,
  ListedWorkflows,
  NextStepRequest,
  ValidateStepRequest,
} from './application/use-cases.ts';
export { WorkflowService, type WorkflowServiceOptions } from './application/workflow-service.ts';
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
export type { WorkflowDefinitions } from './application/ports/workflow-storage.ts';
export type { StorageDiagnostic, WorkflowStorage } from './application/ports/workflow-storage.ts';
export type { SpanAttributes, WorkflowSpan, WorkflowTracer } from './application/ports/environment.ts';
export { ConfirmationService } from './application/runs/confirmations.ts';
export type { PendingStep } from './application/runs/run-view.ts';
export type { RunCaller } from './application/runs/run-requests.ts';
export { defaultRunLimits, type RunLimits } from './application/runs/run-parts.ts';
export { RunParts, type RunPorts } from './application/runs/run-parts.ts';
export type {
  CancelRequest,
  CheckpointRequest,
  ContinueRequest,
  Decision,
  DurableRuns,
  ResumeRequest,
  StartRequest,
} from './application/runs/run-requests.ts';
export type { UserActor } from './application/runs/confirmations.ts';
export { RunService } from './application/runs/run-service.ts';
export type { SigningKey } from './application/runs/run-token.ts';
export type {
  RunHistoryEntry,
  RunProgress,
  RunStatusView,
  RunStepView,
  RunView,
} from './application/runs/run-view.ts';

export {
  CachingWorkflowStorage,
  type CachingOptions,
  type CacheStats,
} from './storage/caching/caching-workflow-storage.ts';
export { MemoryWorkflowCache } from './storage/caching/memory-workflow-cache.ts';
export type { WorkflowCache, WorkflowSnapshot } from './storage/caching/workflow-cache.ts';
export { CompositeWorkflowStorage } from './storage/composite-workflow-storage.ts';
export {
  createWorkflowStorage,
  type WorkflowSource,
  type WorkflowStorageOptions,
} from './storage/create-workflow-storage.ts';
export type { FileWorkflowStorageOptions } from './storage/files/file-storage-options.ts';
export { FileWorkflowStorage } from './storage/files/file-workflow-storage.ts';
export { InMemoryWorkflowStorage } from './storage/in-memory-workflow-storage.ts';
export { SchemaValidatingWorkflowStorage } from './storage/schema-validating-workflow-storage.ts';

export {
  type ConformanceCase,
  type MakeStore,
  type StoreUnderTest,
} from './run-stores/conformance/conformance-case.ts';
export { runStoreConformance } from './run-stores/conformance/run-store-conformance.ts';
export { MemoryRunData } from './run-stores/memory/memory-run-data.ts';
export { MemoryRunStore, type MemoryRunStoreOptions } from './run-stores/memory/memory-run-store.ts';
export type { PostgresClient, PostgresPool } from './run-stores/postgres/postgres-pool.ts';
export { PostgresRunStore, type PostgresRunStoreOptions } from './run-stores/postgres/postgres-run-store.ts';
export { SqliteRunStore, type SqliteRunStoreOptions } from './run-stores/sqlite/sqlite-run-store.ts';

export { WorkflowRpcServer, type WorkflowRpcOptions } from './rpc/workflow-rpc-server.ts';
