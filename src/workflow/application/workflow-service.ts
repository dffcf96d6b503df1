import type { LogFunction, Logger } from '../../index.ts';
import { aFunction, required, type OptionRules } from '../../shared/option-rules.ts';
import type { NextStep } from '../domain/guidance/next-step.ts';
import { validateWorkflowJson } from '../domain/document/load-workflow.ts';
import type { WorkflowDocument } from '../domain/document/workflow-document.ts';
import { refuseWorkflowOptions, loggerRule, storageRule, tracerRule, validatorRule } from './options.ts';
import type { OutputValidator, ValidationResult } from '../domain/validation/output-validator.ts';
import { ValidationEngine } from '../domain/validation/validation-engine.ts';
import {
  DefinitionCache,
  getNextStep,
  getWorkflow,
  listWorkflows,
  validateStepOutput,
  type WorkflowPorts,
  type GetWorkflowRequest,
  type ListedWorkflows,
  type NextStepRequest,
  type ValidateStepRequest,
} from './use-cases.ts';
import {
  loggerOf,
  observeCall,
  type Observers,
  type Clock,
  type SpanAttributes,
  type WorkflowTracer,
} from './observe-call.ts';
import type { WorkflowStorage } from './ports/workflow-storage.ts';

/** Options of `new WorkflowService()`. */
export interface WorkflowServiceOptions {
  readonly storage: WorkflowStorage;
  /** Default: a ValidationEngine. */
  readonly validator?: OutputValidator;
  /** Receives one record per call. Default: warnings and errors on stderr. */
  readonly logger?: Logger | LogFunction;
  readonly tracer?: WorkflowTracer | undefined;
  /** Measures how long calls take. */
  readonly clock?: Clock;
}

export const SERVICE_RULES: OptionRules<WorkflowServiceOptions> = {
  storage: required(storageRule),
  validator: validatorRule,
  logger: loggerRule,
  tracer: tracerRule,
  clock: aFunction,
};

/**
 * The use cases of the classic tools. All are stateless; a refused request rejects with a WorkflowError.
 *
 * @example
 * const service = new WorkflowService({ storage: createWorkflowStorage({ sources: ['./workflows'] }) });
 * const { step, guidance } = await service.getNextStep({ workflowId: 'release', completedSteps: [] });
 * console.error(step?.title, guidance.prompt);
 */
export class WorkflowService {
  readonly #ports: WorkflowPorts;
  readonly #observers: Observers;

  /** @throws WorkflowError `TW_WORKFLOW_OPTION` */
  constructor(options: WorkflowServiceOptions) {
    refuseWorkflowOptions('new WorkflowService()', options, SERVICE_RULES);
    const { storage, validator, logger, tracer, clock = Date.now } = options;
    const { load } = new DefinitionCache();
    this.#ports = { storage, validator: validator ?? new ValidationEngine(), load };
    this.#observers = { logger: loggerOf(logger), tracer, clock };
  }

  /** The logger that receives its records. */
  get logger(): Logger {
    return this.#observers.logger;
  }

  /**
   * A service for the same workflows that logs to another logger.
   *
   * @example
   * function quiet(service: WorkflowService): WorkflowService {
   *   return service.withLogger((record) => record.level === 'error' && console.error(record.message));
   * }
   */
  withLogger(logger: Logger | LogFunction): WorkflowService {
    const { storage, validator } = this.#ports;
    return new WorkflowService({ storage, validator, ...this.#observers, logger });
  }

  /** All workflows, sorted by id. */
  listWorkflows(): Promise<ListedWorkflows> {
    return this.#observe('list', {}, () => listWorkflows(this.#ports));
  }

  /** The complete document of a workflow. */
  getWorkflow(request: GetWorkflowRequest): Promise<WorkflowDocument> {
    return this.#observe('get', request, () => getWorkflow(this.#ports, request));
  }

  /** The first uncompleted step with a condition that holds. */
  getNextStep(request: NextStepRequest): Promise<NextStep> {
    return this.#observe('next', request, () => getNextStep(this.#ports, request));
  }

  /** Validates the output of a step. */
  validateStepOutput(request: ValidateStepRequest): Promise<ValidationResult> {
    return this.#observe('validate', request, () => validateStepOutput(this.#ports, request));
  }

  /** Lists every fault of a document, given as JSON text. Never rejects. */
  validateWorkflowJson(workflowJson: unknown): Promise<ValidationResult> {
    return this.#observe('validate_json', {}, async () => validateWorkflowJson(workflowJson));
  }

  #observe<Result>(operation: string, request: object, run: () => Promise<Result>): Promise<Result> {
    return observeCall(this.#observers, operation, subjectOf(request), run);
  }
}

/** The ids in a request that has not been checked yet. */
function subjectOf(request: object): SpanAttributes {
  const ids = Object.entries(request).filter(
    ([name, value]) => (name === 'workflowId' || name === 'stepId') && typeof value === 'string',
  );
  return Object.fromEntries(ids.map(([name, value]) => [name, (value as string).slice(0, 64)]));
}
