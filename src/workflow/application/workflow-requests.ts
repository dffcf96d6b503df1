import { pointTo } from '../../schema/pointer.ts';
import { isPlainObject } from '../../shared/json.ts';
import type { WorkflowContext } from '../domain/conditions/condition.ts';
import { isLookupId, type WorkflowSummary } from '../domain/document/workflow-document.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';

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

const MOST_FAULTS = 100;
const MOST_TOLD = 10;

/** The members of a request; all others are refused. */
export interface RequestShape {
  readonly required: Readonly<Record<string, FieldCheck>>;
  readonly optional?: Readonly<Record<string, FieldCheck>>;
}

/**
 * Refuses a request with everything that is wrong with it. A member that is undefined counts as missing.
 * @throws WorkflowError `INVALID_PARAMS`
 */
export function checkRequest(request: unknown, shape: RequestShape): void {
  const faults = requestFaults(request, shape);
  if (faults.length === 0) return;
  const told = atMost(MOST_TOLD, faults).map(({ path, message }) => `${path} ${message}`.trim());
  throw new WorkflowError('INVALID_PARAMS', {
    where: 'the parameters',
    message: `The parameters are not valid: ${told.join('; ')}.`,
    details: { details: atMost(MOST_FAULTS, faults) },
  });
}

/** Keeps a request with many small faults from producing a far larger error. */
function atMost(maximum: number, faults: readonly RequestFault[]): readonly RequestFault[] {
  if (faults.length <= maximum) return faults;
  const rest = `has ${String(faults.length - maximum)} more faults`;
  return [...faults.slice(0, maximum), { path: '', message: rest }];
}

function requestFaults(request: unknown, { required, optional = {} }: RequestShape): readonly RequestFault[] {
  if (!hasNamedMembers(request)) return [{ path: '', message: 'must be an object with named members' }];
  const checks = { ...required, ...optional };
  const missing = Object.keys(required)
    .filter((name) => memberOf(request, name) === undefined)
    .map((name) => ({ path: pointTo('', name), message: 'is required' }));
  const wrong = Object.keys(request).flatMap((name) => {
    const value = memberOf(request, name);
    if (value === undefined) return [];
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    const path = pointTo('', name);
    return check === undefined ? [{ path, message: 'is not known' }] : check(value, path);
  });
  return [...missing, ...wrong];
}

function memberOf(request: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(request, name) ? request[name] : undefined;
}

/** Accepts class instances: callers may have validated their input with a DTO class. */
function hasNamedMembers(request: unknown): request is Readonly<Record<string, unknown>> {
  return typeof request === 'object' && request !== null && !Array.isArray(request);
}

interface RequestFault {
  /** An RFC 6901 pointer into the request. */
  readonly path: string;
  readonly message: string;
}

type FieldCheck = (value: unknown, path: string) => readonly RequestFault[];

/** The most characters of an output that is validated without a run. */
export const LONGEST_OUTPUT = 10_000;

export const lookupId: FieldCheck = (value, path) =>
  typeof value === 'string' && isLookupId(value)
    ? []
    : [{ path, message: 'must be a text of 1 to 64 letters, digits, "_" or "-"' }];

const completedSteps: FieldCheck = (value, path) => {
  if (value === null) return [];
  if (!Array.isArray(value)) return [{ path, message: 'must be an array of texts, or null' }];
  return value.flatMap((step: unknown, position) =>
    typeof step === 'string' ? [] : [{ path: pointTo(path, position), message: 'must be a text' }],
  );
};

export const contextObject: FieldCheck = (value, path) =>
  isPlainObject(value) ? [] : [{ path, message: 'must be an object' }];

const stepOutput: FieldCheck = (value, path) => {
  if (typeof value !== 'string') return [{ path, message: 'must be a text' }];
  if (isAtMost(value, LONGEST_OUTPUT)) return [];
  return [{ path, message: `must have at most ${String(LONGEST_OUTPUT)} characters` }];
};

export const anyText: FieldCheck = (value, path) =>
  typeof value === 'string' ? [] : [{ path, message: 'must be a text' }];

/** Characters are those of Unicode, as in `maxLength` of JSON Schema. */
function isAtMost(text: string, maximum: number): boolean {
  if (text.length <= maximum) return true;
  return text.length <= 2 * maximum && Array.from(text).length <= maximum;
}

export const getShape: RequestShape = { required: { workflowId: lookupId } };

export const nextShape: RequestShape = {
  required: { workflowId: lookupId },
  optional: { completedSteps, context: contextObject },
};

export const validateShape: RequestShape = {
  required: { workflowId: lookupId, stepId: lookupId, output: stepOutput },
  optional: { context: contextObject },
};
