import type { LogFunction, Logger } from '../../index.ts';
import { aFunction, loggerRule, required, type OptionRules } from '../../shared/option-rules.ts';
import { validateWorkflowJson } from '../domain/document/load-workflow.ts';
import { findStep, type WorkflowDocument } from '../domain/document/workflow-document.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';
import { nextStep, type NextStep } from '../domain/guidance/next-step.ts';
import type { OutputValidator, ValidationResult } from '../domain/validation/output-validator.ts';
import { ValidationEngine } from '../domain/validation/validation-engine.ts';
import {
  loggerOf,
  observeCall,
  type Clock,
  type Observers,
  type SpanAttributes,
  type WorkflowTracer,
} from './observe-call.ts';
import { refuseWorkflowOptions, storageRule, tracerRule, validatorRule } from './options.ts';
import type { WorkflowStorage } from './ports/workflow-storage.ts';
import { StoredDefinitions } from './stored-definitions.ts';
import {
  checkRequest,
  getShape,
  nextShape,
  validateShape,
  type GetWorkflowRequest,
  type ListedWorkflows,
  type NextStepRequest,
  type ValidateStepRequest,
} from './workflow-requests.ts';

/** Options of `new WorkflowService()`. */
export interface WorkflowServiceOptions {
  /** Where workflows are stored. */
  readonly storage: WorkflowStorage;
  /** Default: a ValidationEngine. */
  readonly validator?: OutputValidator;
  /** Receives one record per call. Default: warnings and errors on stderr. */
  readonly logger?: Logger | LogFunction;
  /** Gets a span for each operation. Default: none. */
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
  readonly #storage: WorkflowStorage;
  readonly #definitions: StoredDefinitions;
  readonly #validator: OutputValidator;
  readonly #observers: Observers;

  /** @throws WorkflowError `TW_WORKFLOW_OPTION` */
  constructor(options: WorkflowServiceOptions) {
    refuseWorkflowOptions('new WorkflowService()', options, SERVICE_RULES);
    const { storage, validator, logger, tracer, clock = Date.now } = options;
    this.#storage = storage;
    this.#definitions = new StoredDefinitions(storage);
    this.#validator = validator ?? new ValidationEngine();
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
    const ports = { storage: this.#storage, validator: this.#validator };
    return new WorkflowService({ ...ports, ...this.#observers, logger });
  }

  /** All workflows, sorted by id. */
  listWorkflows(): Promise<ListedWorkflows> {
    return this.#observe('list', {}, async () => ({ workflows: await this.#storage.listSummaries() }));
  }

  /**
   * The complete document of a workflow.
   * @throws WorkflowError `INVALID_PARAMS`, `WORKFLOW_NOT_FOUND`, `INVALID_WORKFLOW`
   */
  getWorkflow(request: GetWorkflowRequest): Promise<WorkflowDocument> {
    return this.#observe('get', request, async () => {
      checkRequest(request, getShape);
      return (await this.#definitions.find(request.workflowId)).document;
    });
  }

  /**
   * The first uncompleted step with a condition that holds.
   * @throws WorkflowError `INVALID_PARAMS`, `WORKFLOW_NOT_FOUND`, `INVALID_WORKFLOW`
   */
  getNextStep(request: NextStepRequest): Promise<NextStep> {
    return this.#observe('next', request, async () => {
      checkRequest(request, nextShape);
      const { workflowId, completedSteps, context = {} } = request;
      return nextStep(await this.#definitions.getDefinition(workflowId), completedSteps ?? [], context);
    });
  }

  /**
   * Validates the output of a step, with the context.
   * @throws WorkflowError `INVALID_PARAMS`, `WORKFLOW_NOT_FOUND`, `INVALID_WORKFLOW`, `STEP_NOT_FOUND`
   */
  validateStepOutput(request: ValidateStepRequest): Promise<ValidationResult> {
    return this.#observe('validate', request, async () => {
      checkRequest(request, validateShape);
      const { workflowId, stepId, output, context = {} } = request;
      const step = findStep(await this.#definitions.getDefinition(workflowId), stepId);
      if (step === undefined) throw stepNotFound(workflowId, stepId);
      const criteria = step.type === 'loop' ? undefined : step.validationCriteria;
      return this.#validator.validate(output, criteria, context);
    });
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

function stepNotFound(workflowId: string, stepId: string): WorkflowError {
  return new WorkflowError('STEP_NOT_FOUND', {
    where: `step "${stepId}"`,
    message: `The workflow "${workflowId}" has no step "${stepId}".`,
    details: { stepId, workflowId },
  });
}
