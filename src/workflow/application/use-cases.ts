import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  type WorkflowDefinition,
  type WorkflowDocument,
  type WorkflowSummary,
  findStep,
  type WorkflowStep,
} from '../domain/document/workflow-document.ts';
import type {
  OutputValidator,
  ValidationCriteria,
  ValidationResult,
} from '../domain/validation/output-validator.ts';
import type { WorkflowStorage } from './ports/workflow-storage.ts';
import type { WorkflowContext } from '../domain/conditions/condition.ts';
import { checkRequest, getShape, nextShape, validateShape } from './check-request.ts';
import { nextStep, type NextStep } from '../domain/guidance/next-step.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';
import { loadWorkflow } from '../domain/document/load-workflow.ts';

/** The ports of the use cases behind the classic tools. */
export interface WorkflowPorts {
  readonly storage: WorkflowStorage;
  readonly validator: OutputValidator;
  /** Checks a document. Default: `loadWorkflow`. */
  readonly load?: (document: WorkflowDocument) => WorkflowDefinition;
}

/** The result of `WorkflowService.listWorkflows()`. */
export interface ListedWorkflows {
  /** All workflows, sorted by id. */
  readonly workflows: readonly WorkflowSummary[];
}

/** Arguments of `WorkflowService.getWorkflow()`. */
export interface GetWorkflowRequest {
  /** The id of the workflow. */
  readonly workflowId: string;
}

/** Arguments of `WorkflowService.getNextStep()`. */
export interface NextStepRequest {
  /** The id of the workflow. */
  readonly workflowId: string;
  /** In any order; body steps of loops as `<id>@<iteration>`. Null means none. */
  readonly completedSteps?: readonly string[] | null;
  /** The variables that conditions read. Default: none. */
  readonly context?: WorkflowContext;
}

/** Arguments of `WorkflowService.validateStepOutput()`. */
export interface ValidateStepRequest {
  /** The id of the workflow. */
  readonly workflowId: string;
  /** The id of the step. */
  readonly stepId: string;
  /** The output to validate. */
  readonly output: string;
  /** The variables that conditions read. Default: none. */
  readonly context?: WorkflowContext;
}

/** The result of workflow_list: all workflows, sorted by id. */
export async function listWorkflows({ storage }: Pick<WorkflowPorts, 'storage'>): Promise<ListedWorkflows> {
  return { workflows: await storage.listSummaries() };
}

/**
 * The result of workflow_get: the complete document of a workflow.
 * @throws WorkflowError `INVALID_PARAMS`, `WORKFLOW_NOT_FOUND`, `INVALID_WORKFLOW`
 */
export async function getWorkflow(
  ports: WorkflowPorts,
  request: GetWorkflowRequest,
): Promise<WorkflowDocument> {
  checkRequest(request, getShape);
  return (await findWorkflow(ports, request.workflowId)).document;
}

/**
 * The result of workflow_next: the first uncompleted step with a condition that holds.
 * @throws WorkflowError `INVALID_PARAMS`, `WORKFLOW_NOT_FOUND`, `INVALID_WORKFLOW`
 */
export async function getNextStep(ports: WorkflowPorts, request: NextStepRequest): Promise<NextStep> {
  checkRequest(request, nextShape);
  const { workflowId, completedSteps, context = {} } = request;
  const { definition } = await findWorkflow(ports, workflowId);
  return nextStep(definition, completedSteps ?? [], context);
}

/**
 * The result of workflow_validate: validates the output of a step with the context.
 * @throws WorkflowError `INVALID_PARAMS`, `WORKFLOW_NOT_FOUND`, `INVALID_WORKFLOW`, `STEP_NOT_FOUND`
 */
export async function validateStepOutput(
  ports: WorkflowPorts,
  request: ValidateStepRequest,
): Promise<ValidationResult> {
  checkRequest(request, validateShape);
  const { workflowId, stepId, output, context = {} } = request;
  const { definition } = await findWorkflow(ports, workflowId);
  const step = findStep(definition, stepId);
  if (step === undefined) throw stepNotFound(workflowId, stepId);
  return ports.validator.validate(output, criteriaOf(step), context);
}

function criteriaOf(step: WorkflowStep): ValidationCriteria | undefined {
  return step.type === 'loop' ? undefined : step.validationCriteria;
}

function stepNotFound(workflowId: string, stepId: string): WorkflowError {
  return new WorkflowError('STEP_NOT_FOUND', {
    where: `step "${stepId}"`,
    message: `The workflow "${workflowId}" has no step "${stepId}".`,
    details: { stepId, workflowId },
  });
}

interface FoundWorkflow {
  /** As stored. */
  readonly document: WorkflowDocument;
  readonly definition: WorkflowDefinition;
}

/** @throws WorkflowError `WORKFLOW_NOT_FOUND`, `INVALID_WORKFLOW`, or an error of the storage */
export async function findWorkflow(
  { storage, load = loadWorkflow }: WorkflowPorts,
  workflowId: string,
): Promise<FoundWorkflow> {
  const document = await storage.getById(workflowId);
  if (document === null) {
    throw new WorkflowError('WORKFLOW_NOT_FOUND', {
      where: `workflow "${workflowId}"`,
      message: `The workflow "${workflowId}" does not exist.`,
      details: { workflowId },
    });
  }
  return { document, definition: load(document) };
}

const MOST_DEFINITIONS = 200;

/**
 * Checks every document once. Storages return a new copy each time, so documents are identified by their JSON; the
 * cache keeps only the digest, because a document can have a megabyte.
 */
export class DefinitionCache {
  readonly #definitions = new LRUCache<string, WorkflowDefinition>({ max: MOST_DEFINITIONS });

  /** @throws WorkflowError `INVALID_WORKFLOW` */
  readonly load = (document: WorkflowDocument): WorkflowDefinition => {
    const digest = createHash('sha256').update(JSON.stringify(document)).digest('base64');
    const known = this.#definitions.get(digest);
    if (known !== undefined) return known;
    const definition = loadWorkflow(document);
    this.#definitions.set(digest, definition);
    return definition;
  };
}
