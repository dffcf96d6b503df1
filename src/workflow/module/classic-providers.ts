import { Logger, type Provider } from '../../index.ts';
import type { WorkflowStorage } from '../application/ports/workflow-storage.ts';
import { WorkflowService } from '../application/workflow-service.ts';
import type { OutputValidator } from '../domain/validation/output-validator.ts';
import { ValidationEngine } from '../domain/validation/validation-engine.ts';
import { createWorkflowStorage } from '../storage/create-workflow-storage.ts';
import { FeatureWorkflows } from './feature-workflows.ts';
import { StorageReport } from './storage-report.ts';
import { OUTPUT_VALIDATOR, WORKFLOW_OPTIONS, WORKFLOW_STORAGE } from './tokens.ts';
import type { WorkflowModuleOptions } from './workflow-module-options.ts';

/** What finds, shows and judges, and keeps nothing. */
export const classicProviders: readonly Provider[] = [
  { provide: FeatureWorkflows, useFactory: () => new FeatureWorkflows() },
  { provide: OUTPUT_VALIDATOR, useFactory: () => new ValidationEngine() },
  {
    provide: WORKFLOW_STORAGE,
    inject: [WORKFLOW_OPTIONS, FeatureWorkflows],
    useFactory: ({ sources = [], cacheTtl, clock }: WorkflowModuleOptions, features: FeatureWorkflows) =>
      createWorkflowStorage({
        sources: [...sources, features],
        ...(cacheTtl === undefined ? {} : { ttlMs: cacheTtl }),
        ...(clock === undefined ? {} : { clock }),
      }),
  },
  {
    provide: WorkflowService,
    inject: [WORKFLOW_STORAGE, OUTPUT_VALIDATOR, Logger, WORKFLOW_OPTIONS],
    useFactory: (
      storage: WorkflowStorage,
      validator: OutputValidator,
      logger: Logger,
      { clock, tracer }: WorkflowModuleOptions,
    ) =>
      new WorkflowService({
        storage,
        validator,
        logger,
        ...(clock === undefined ? {} : { clock }),
        ...(tracer === undefined ? {} : { tracer }),
      }),
  },
  StorageReport,
];
