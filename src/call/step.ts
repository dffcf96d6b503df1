import { AsyncLocalStorage } from 'node:async_hooks';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { describeValue } from '../shared/describe-value.ts';
import { isPlainObject } from '../shared/json.ts';
import { hasBrand } from '../shared/error-shape.ts';

// Symbol.for: a second installed copy of the package sees the same steps.
const RUNNING = Symbol.for('toolwright:running-step');

const holder: { [RUNNING]?: AsyncLocalStorage<object> | undefined } = globalThis as object;

/** The context whose step is running; a call that a step makes to another tool has one of its own. */
const running = (holder[RUNNING] ??= new AsyncLocalStorage<object>());

/**
 * Runs a step and gives its value as JSON carries it, because a later run gets no other one.
 * @throws ToolwrightError TW_STEP_RESULT for a value that JSON does not carry.
 */
export async function runStep<T>(context: object, name: string, run: () => T | Promise<T>): Promise<T> {
  const value = await running.run(context, run);
  if (value === undefined) return value;
  const fault = jsonFault(value);
  if (fault !== undefined) throw notJson(name, fault.path, fault.found);
  return JSON.parse(JSON.stringify(value)) as T;
}

/** @throws ToolwrightError TW_STEP_NESTED within a step of the same call. */
export function refuseInStep(context: object, what: string): void {
  if (running.getStore() !== context) return;
  throw new ToolwrightError('TW_STEP_NESTED', {
    where: what,
    what: 'was called by the function of a step.',
    why: 'a step is done once and kept as a whole, so nothing in it can wait for an answer or be kept alone.',
    fix: 'ask before the step and let its function use the answer; write two steps one after the other',
  });
}

/** @throws ToolwrightError TW_QUESTION_NAME */
export function checkName(where: string, name: unknown): void {
  if (typeof name === 'string' && name !== '') return;
  throw new ToolwrightError('TW_QUESTION_NAME', {
    where,
    what: `was given ${name === '' ? 'an empty text' : typeof name} as the name.`,
    why: 'steps and questions are known again by their names when the handler runs again.',
    fix: `give it a text that says what it is: 'charge'`,
  });
}

function notJson(name: string, path: string, found: string): ToolwrightError {
  return new ToolwrightError('TW_STEP_RESULT', {
    where: `step "${name}"`,
    what: `gave a value that has ${found} ${path === '' ? 'as a whole' : `at "${path}"`}.`,
    why: 'a later run of the handler gets what JSON keeps of the value, which would be something else.',
    fix: 'return texts, finite numbers, booleans, null, plain objects and arrays; of a Date, toISOString()',
  });
}

/** Where a value is none that JSON carries unchanged, and what stands there instead. */
export interface JsonFault {
  /** Names joined with dots, array indices as numbers; empty for the whole value. */
  readonly path: string;
  readonly found: string;
}

/** The first thing in a value that JSON would lose or change; members that are undefined are left out by it. */
export function jsonFault(value: unknown): JsonFault | undefined {
  return faultAt(value, [], new Set());
}

type Path = readonly (string | number)[];

function faultAt(value: unknown, path: Path, above: ReadonlySet<unknown>): JsonFault | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return undefined;
  if (above.has(value)) return { path: path.join('.'), found: 'a cycle' };
  const around = new Set([...above, value]);
  if (Array.isArray(value)) return firstFault([...value.entries()], path, around);
  if (!isPlainObject(value) || typeof value['toJSON'] === 'function') {
    return { path: path.join('.'), found: describe(value) };
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return firstFault(members, path, around);
}

function firstFault(
  members: readonly (readonly [string | number, unknown])[],
  path: Path,
  above: ReadonlySet<unknown>,
): JsonFault | undefined {
  for (const [name, member] of members) {
    const fault = faultAt(member, [...path, name], above);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function describe(value: unknown): string {
  const words = describeValue(value);
  return words === 'an object' ? 'an object with toJSON()' : words;
}

const BRAND = Symbol.for('toolwright:suspension');
const DEEPEST_CAUSE = 16;

/**
 * Thrown by a question to suspend its handler, where the client answers by calling again: the call is answered with
 * the question, and the handler runs again with the answer. It is not a failure: let it pass.
 */
export class Suspension extends Error {
  protected readonly [BRAND] = true;

  constructor() {
    super('This run of the handler ends here, because the call waits for its client. Let this error pass.');
    this.name = 'Suspension';
  }
}

/**
 * True for what a question throws while its answer is outstanding, and for errors that have it as a cause.
 * A middleware or handler that deals with errors lets it pass.
 *
 * @example
 * let failures = 0;
 * const countFailures: MiddlewareFunction = async (_call, next) => {
 *   try {
 *     return await next();
 *   } catch (error) {
 *     if (!isSuspension(error)) failures += 1;
 *     throw error;
 *   }
 * };
 */
export function isSuspension(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < DEEPEST_CAUSE; depth += 1) {
    if (typeof current !== 'object' || current === null) return false;
    if (hasBrand(current, BRAND)) return true;
    current = causeOf(current);
  }
  return false;
}

/** Undefined, too, where a getter or a proxy throws. */
function causeOf(error: object): unknown {
  try {
    return (error as { readonly cause?: unknown }).cause;
  } catch {
    return undefined;
  }
}
