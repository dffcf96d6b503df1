import { defaultRunLimits } from '../application/runs/run-limits.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';
import type { WorkflowModuleOptions } from './workflow-module-options.ts';

type Check = (value: unknown) => string | undefined;

/** Milliseconds that a timer of Node can wait. */
const MOST_INTERVAL = 2 ** 31 - 1;
/** A hundred years in milliseconds: later than that, dates have an end. */
const MOST_TIME = 100 * 366 * 24 * 3_600_000;

const OPTIONS: Readonly<Record<keyof WorkflowModuleOptions, Check>> = {
  sources: kind('a list of sources', Array.isArray),
  store: kind('a path, a URL or a store', (value) => typeof value === 'string' || isObject(value)),
  signingKeys: kind('a list of keys', Array.isArray),
  tools: kind("'classic', 'durable' or 'both'", (value) =>
    ['classic', 'durable', 'both'].includes(String(value)),
  ),
  limits: kind('an object', isObject),
  cacheTtl: wholeNumber(0, MOST_TIME),
  sweepInterval: wholeNumber(0, MOST_INTERVAL),
  identify: kind('a function', isFunction),
  clock: kind('a function', isFunction),
  tracer: kind(
    'a tracer',
    (value) => isObject(value) && isFunction((value as { startSpan?: unknown }).startSpan),
  ),
};

const LIMITS: Readonly<Record<string, Check>> = Object.fromEntries(
  Object.keys(defaultRunLimits).map((name) => [name, wholeNumber(1, MOST_TIME)]),
);

/** Refuses options that nobody could mean. @throws WorkflowError `TW_WORKFLOW_OPTION` */
export function checkModuleOptions(options: WorkflowModuleOptions): void {
  checkMembers('', options, OPTIONS);
  checkMembers('limits.', options.limits ?? {}, LIMITS);
}

function checkMembers(prefix: string, given: object, checks: Readonly<Record<string, Check>>): void {
  for (const [name, value] of Object.entries(given)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) {
      throw wrong(`${prefix}${name}`, 'is unknown', `use one of ${Object.keys(checks).join(', ')}`);
    }
    const expected = value === undefined ? undefined : check(value);
    if (expected !== undefined) throw wrong(`${prefix}${name}`, `is not ${expected}`, expected);
  }
}

function kind(expected: string, isRight: (value: unknown) => boolean): Check {
  return (value) => (isRight(value) ? undefined : expected);
}

function wholeNumber(least: number, most: number): Check {
  return kind(
    `a whole number from ${String(least)} to ${String(most)}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function wrong(name: string, what: string, fix: string): WorkflowError {
  return new WorkflowError('TW_WORKFLOW_OPTION', {
    where: `WorkflowModule.forRoot, option ${name}`,
    message: `The option ${name} ${what}.`,
    suggestions: [fix],
  });
}
