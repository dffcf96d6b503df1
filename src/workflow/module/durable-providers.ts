import { Logger, type Provider } from '../../index.ts';
import type { Clock, WorkflowTracer } from '../application/ports/environment.ts';
import type { RunStore } from '../application/ports/run-store.ts';
import type { WorkflowStorage } from '../application/ports/workflow-storage.ts';
import { ConfirmationService } from '../application/runs/confirmations.ts';
import { RunParts } from '../application/runs/run-parts.ts';
import { RunService } from '../application/runs/run-service.ts';
import type { OutputValidator } from '../domain/validation/output-validator.ts';
import { logBehindTools } from './answer-errors.ts';
import { Callers } from './callers.ts';
import { createRunStore } from './create-run-store.ts';
import { definitionsOf } from './definitions-of.ts';
import { RunStoreLifecycle } from './run-store-lifecycle.ts';
import { RunSweeper } from './run-sweeper.ts';
import {
  OUTPUT_VALIDATOR,
  RUN_STORE,
  WORKFLOW_CLOCK,
  WORKFLOW_OPTIONS,
  WORKFLOW_STORAGE,
  WORKFLOW_TRACER,
} from './tokens.ts';
import { ConfirmationDialog } from './tools/confirmation-dialog.ts';
import type { WorkflowModuleOptions } from './workflow-module-options.ts';

/** What keeps runs and goes on with them. */
export const durableProviders: readonly Provider[] = [
  {
    provide: RUN_STORE,
    inject: [WORKFLOW_OPTIONS],
    useFactory: ({ store }: WorkflowModuleOptions) => createRunStore(store),
  },
  {
    provide: RunParts,
    inject: [
      RUN_STORE,
      WORKFLOW_STORAGE,
      OUTPUT_VALIDATOR,
      Logger,
      WORKFLOW_CLOCK,
      WORKFLOW_TRACER,
      WORKFLOW_OPTIONS,
    ],
    useFactory: (
      store: RunStore,
      storage: WorkflowStorage,
      validator: OutputValidator,
      log: Logger,
      clock: Clock,
      tracer: WorkflowTracer,
      { signingKeys: keys, limits }: WorkflowModuleOptions,
    ) => {
      const workflows = definitionsOf({ storage, validator });
      const logger = logBehindTools(log);
      return new RunParts({ store, workflows, validator, logger, clock, tracer, keys, limits });
    },
  },
  { provide: RunService, inject: [RunParts], useFactory: (parts: RunParts) => new RunService(parts) },
  {
    provide: ConfirmationService,
    inject: [RunParts],
    useFactory: (parts: RunParts) => new ConfirmationService(parts),
  },
  Callers,
  ConfirmationDialog,
  RunStoreLifecycle,
  RunSweeper,
];
