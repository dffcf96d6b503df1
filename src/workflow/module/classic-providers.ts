import { Logger, type Provider } from '../../index.ts';
import type { Clock, WorkflowTracer } from '../application/ports/environment.ts';
import type { WorkflowStorage } from '../application/ports/workflow-storage.ts';
import { WorkflowService } from '../application/workflow-service.ts';
import { evaluateCondition } from '../domain/conditions/evaluate-condition.ts';
import { validateCondition } from '../domain/conditions/condition-check.ts';
import type { OutputValidator } from '../domain/validation/output-validator.ts';
import { ValidationEngine } from '../domain/validation/validation-engine.ts';
import { createWorkflowStorage } from '../storage/create-workflow-storage.ts';
import { logBehindTools } from './answer-errors.ts';
import { FeatureWorkflows } from './feature-workflows.ts';
import { StorageReport } from './storage-report.ts';
import {
  CONDITION_EVALUATOR,
  OUTPUT_VALIDATOR,
  WORKFLOW_CLOCK,
  WORKFLOW_OPTIONS,
  WORKFLOW_STORAGE,
  WORKFLOW_TRACER,
} from './tokens.ts';
import type { WorkflowModuleOptions } from './workflow-module-options.ts';

const noTracer: WorkflowTracer = { startSpan: () => ({ end: () => undefined }) };

/** What finds, shows and judges, and keeps nothing. */
export const classicProviders: readonly Provider[] = [
  {
    provide: WORKFLOW_CLOCK,
    inject: [WORKFLOW_OPTIONS],
    useFactory: ({ clock = Date.now }: WorkflowModuleOptions) => clock,
  },
  {
    provide: WORKFLOW_TRACER,
    inject: [WORKFLOW_OPTIONS],
    useFactory: ({ tracer = noTracer }: WorkflowModuleOptions) => tracer,
  },
  { provide: CONDITION_EVALUATOR, useValue: { evaluate: evaluateCondition, validate: validateCondition } },
  { provide: FeatureWorkflows, useFactory: () => new FeatureWorkflows() },
  { provide: OUTPUT_VALIDATOR, useFactory: () => new ValidationEngine() },
  {
    provide: WORKFLOW_STORAGE,
    inject: [WORKFLOW_OPTIONS, WORKFLOW_CLOCK, FeatureWorkflows],
    useFactory: (
      { sources = [], cacheTtl: ttlMs = 300_000 }: WorkflowModuleOptions,
      clock: Clock,
      features: FeatureWorkflows,
    ) => createWorkflowStorage({ sources: [...sources, features], ttlMs, clock }),
  },
  {
    provide: WorkflowService,
    inject: [WORKFLOW_STORAGE, OUTPUT_VALIDATOR, Logger, WORKFLOW_CLOCK, WORKFLOW_TRACER],
    useFactory: (
      storage: WorkflowStorage,
      validator: OutputValidator,
      logger: Logger,
      clock: Clock,
      tracer: WorkflowTracer,
    ) => new WorkflowService({ storage, validator, logger: logBehindTools(logger), clock, tracer }),
  },
  StorageReport,
];
