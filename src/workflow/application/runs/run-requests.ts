import type { WorkflowContext } from '../../domain/conditions/condition.ts';
import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import { isObject } from '../../../shared/json.ts';

/** Arguments of `RunService.start()`. */
export interface StartRequest {
  /** The id of the workflow to start. */
  readonly workflowId: string;
  /** What the run is to achieve, for people. Default: none. */
  readonly goal?: string;
  /** The variables that conditions read. Default: none. */
  readonly context?: WorkflowContext;
  /** A repeat with the same key returns the same run; without a key, every start creates a new run. */
  readonly idempotencyKey?: string;
}

/** The view that a change answers: its token, or the run and its seq. */
export interface ViewRef {
  /** The token of the view; it takes the place of the other two. */
  readonly token?: string;
  /** The id of the run. */
  readonly runId?: string;
  /** The seq of the view; a run that has moved on refuses the request. */
  readonly expectedSeq?: number;
}

/** Arguments of `RunService.continue()`. */
export interface ContinueRequest extends ViewRef {
  /** The output of the open step. Default: none. */
  readonly output?: string;
  /** Variables to set or replace. Default: none. */
  readonly context?: WorkflowContext;
  /** Makes a repeat of the request return the same view. Default: none. */
  readonly idempotencyKey?: string;
}

/** Arguments of `RunService.checkpoint()`. */
export interface CheckpointRequest extends ViewRef {
  /** Notes for the agent that goes on with the run. */
  readonly notes: string;
  /** Makes a repeat of the request return the same view. Default: none. */
  readonly idempotencyKey?: string;
}

/** Arguments of `RunService.cancel()`. */
export interface CancelRequest {
  /** The id of the run. */
  readonly runId: string;
  /** Why, for the history of the run. Default: none. */
  readonly reason?: string;
  /** Makes a repeat of the request return the same view. Default: none. */
  readonly idempotencyKey?: string;
}

/** Arguments of `RunService.search()`. */
export interface ResumeRequest {
  /** The id of the run, if it is known. Default: any run. */
  readonly runId?: string;
  /** Words of the goal or of the workflow id. Default: any run. */
  readonly query?: string;
  /** 1 to 10. */
  readonly limit?: number;
}

/** A user's decision on a step that awaits confirmation. */
export interface Decision {
  /** Whether the user approves. */
  readonly approved: boolean;
  /** What the user says about it. Default: none. */
  readonly comment?: string;
  /** The seq of the view that the user saw, so that the decision cannot answer a later question. */
  readonly expectedSeq?: number;
}

/** The identity behind a call. A run is visible only to its own tenant and principal. */
export interface RunCaller {
  /** The organization or customer behind the call. */
  readonly tenant: string;
  /** The person or agent behind the call. */
  readonly principal: string;
}

/** The form of an idempotency key. */
const KEY_PATTERN = /^[A-Za-z0-9_.:-]{1,200}$/;
/** Of the goal of a run, in characters. */
export const LONGEST_GOAL = 2000;
/** Of one note, in characters. */
export const LONGEST_NOTES = 10_000;
/** How many runs one search finds. */
export const MOST_RUNS = 10;
/** Members that nest deep take more bytes than values. */
const MOST_VALUES = 1_000_000;

interface TextBounds {
  readonly min?: number;
  readonly max?: number;
}

/** @throws WorkflowError `INVALID_PARAMS` unless it is a string within the bounds (in code points) without U+0000. */
export function checkText(
  field: string,
  text: unknown,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: TextBounds = {},
): string {
  if (typeof text !== 'string') throw invalid(field, 'It is not a string.');
  const length = lengthOf(text, max);
  if (length < min || length > max)
    throw invalid(field, `It has ${length} characters, which should be ${min} to ${max}.`);
  if (hasNul(text)) throw invalid(field, 'It has U+0000.');
  return text;
}

/** In code points, as JSON Schema counts; skips the count if the text cannot be too long. */
function lengthOf(text: string, max: number): number {
  return text.length <= max ? text.length : Array.from(text).length;
}

export function checkOptionalText(field: string, text: unknown, bounds?: TextBounds): string | undefined {
  return text === undefined ? undefined : checkText(field, text, bounds);
}

export function checkKey(key: unknown): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key === 'string' && KEY_PATTERN.test(key)) return key;
  throw invalid('idempotencyKey', `It does not match ${KEY_PATTERN.source}.`);
}

export function checkInteger(field: string, value: unknown, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw invalid(field, `It is not a whole number from ${min} to ${max}.`);
}

export function checkSeq(seq: unknown): number {
  return checkInteger('expectedSeq', seq, 0, Number.MAX_SAFE_INTEGER);
}

/** A private copy of the context; undefined if it is empty. */
export function checkContext(context: unknown): WorkflowContext | undefined {
  if (context === undefined) return undefined;
  if (!isObject(context)) throw invalid('context', 'It is not an object.');
  const fault = jsonFault(context, MOST_VALUES);
  if (fault !== undefined) throw invalid('context', fault);
  return Object.keys(context).length === 0
    ? undefined
    : (JSON.parse(JSON.stringify(context)) as WorkflowContext);
}

/** The error for an invalid parameter. */
export function invalid(field: string, fault: string): WorkflowError {
  return new WorkflowError('INVALID_PARAMS', {
    where: field,
    message: `${field} cannot be taken: ${fault}`,
    details: { field, details: fault },
  });
}

/** Deeper than any reasonable context, and far from the depth at which engines overflow the stack. */
const DEEPEST = 200;

/** Why a value cannot be a context in JSON, as a sentence; undefined if it can. Not recursive. */
function jsonFault(root: unknown, limit: number): string | undefined {
  const left: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  // Every value takes at least one byte of JSON
  for (let seen = 0; seen <= limit; seen += 1) {
    const next = left.pop();
    if (next === undefined) return undefined;
    const { value, depth } = next;
    const fault = depth > DEEPEST ? `It is nested deeper than ${DEEPEST} levels.` : valueFault(value);
    if (fault !== undefined) return fault;
    if (typeof value !== 'object' || value === null) continue;
    for (const member of Object.values(value)) left.push({ value: member, depth: depth + 1 });
  }
  return `It has more than ${limit} values.`;
}

function valueFault(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return hasNul(value) ? 'It has U+0000.' : undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : `${value} is not JSON.`;
    case 'boolean':
      return undefined;
    case 'object':
      return value === null || Array.isArray(value) ? undefined : objectFault(value);
    default:
      return `A value of the type ${typeof value} is not JSON.`;
  }
}

function objectFault(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return 'An instance of a class is not JSON.';
  const names = Object.keys(value);
  if (names.includes('__proto__')) return 'A member must not be named __proto__.';
  return names.some(hasNul) ? 'The name of a member has U+0000.' : undefined;
}

/** Stores cannot keep U+0000 in text. */
function hasNul(text: string): boolean {
  return text.includes('\0');
}
