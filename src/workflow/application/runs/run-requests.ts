import type { WorkflowContext } from '../../domain/conditions/condition.ts';
import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import { isObject } from '../../../shared/json.ts';

/** Arguments of `RunService.start()`. */
export interface StartRequest {
  readonly workflowId: string;
  readonly goal?: string;
  readonly context?: WorkflowContext;
  /** A repeat with the same key gives the same run; without one every start makes a new run. */
  readonly idempotencyKey?: string;
}

/** Which view of which run a change answers: its token, or the run and its seq. */
export interface ViewRef {
  readonly token?: string;
  readonly runId?: string;
  readonly expectedSeq?: number;
}

/** Arguments of `RunService.continue()`. */
export interface ContinueRequest extends ViewRef {
  readonly output?: string;
  readonly context?: WorkflowContext;
  readonly idempotencyKey?: string;
}

/** Arguments of `RunService.checkpoint()`. */
export interface CheckpointRequest extends ViewRef {
  readonly notes: string;
  readonly idempotencyKey?: string;
}

/** Arguments of `RunService.cancel()`. */
export interface CancelRequest {
  readonly runId: string;
  readonly reason?: string;
  readonly idempotencyKey?: string;
}

/** Arguments of `RunService.search()`. */
export interface ResumeRequest {
  readonly runId?: string;
  readonly query?: string;
  /** 1 to 10. */
  readonly limit?: number;
}

/** What a user decided on a step that waits for it. */
export interface Decision {
  readonly approved: boolean;
  readonly comment?: string;
  /** The seq of the view that the user was shown: what was asked then is not what is asked now. */
  readonly expectedSeq?: number;
}

/** On whose behalf something is done. A run is visible to its tenant and principal only. */
export interface RunCaller {
  readonly tenant: string;
  readonly principal: string;
}

const KEY_PATTERN = /^[A-Za-z0-9_.:-]{1,200}$/;
/** Members that nest deep take more bytes than values. */
const MOST_VALUES = 1_000_000;

interface TextBounds {
  readonly min?: number;
  readonly max?: number;
}

/** @throws WorkflowError `INVALID_PARAMS` for what is not a text, is out of bounds (in code points), or has U+0000. */
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

/** In code points, as JSON Schema counts; nothing is counted where there cannot be too many. */
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

/** A copy that nobody else holds; undefined for an empty one, which says nothing. */
export function checkContext(context: unknown): WorkflowContext | undefined {
  if (context === undefined) return undefined;
  if (!isObject(context)) throw invalid('context', 'It is not an object.');
  const fault = jsonFault(context, MOST_VALUES);
  if (fault !== undefined) throw invalid('context', fault);
  return Object.keys(context).length === 0
    ? undefined
    : (JSON.parse(JSON.stringify(context)) as WorkflowContext);
}

/** A parameter that cannot be taken as it is. */
export function invalid(field: string, fault: string): WorkflowError {
  return new WorkflowError('INVALID_PARAMS', {
    where: field,
    message: `${field} cannot be taken: ${fault}`,
    details: { field, details: fault },
  });
}

/** Deeper than anything that is meant; engines end somewhere far beyond. */
const DEEPEST = 200;

/** Why something cannot be a context as JSON, as a sentence; undefined if it can. Looks without recursion. */
function jsonFault(root: unknown, limit: number): string | undefined {
  const left: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  // Every value has a byte of JSON at least
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

/** No store keeps U+0000 in texts. */
function hasNul(text: string): boolean {
  return text.includes('\0');
}
