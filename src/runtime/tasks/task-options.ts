import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { nearestName } from '../../shared/did-you-mean.ts';
import { InMemoryTaskStore } from './in-memory-task-store.ts';
import type { TaskClock } from './task-clock.ts';
import type { TaskLimits, TaskStore } from './task-store.ts';

/** How an application keeps the tasks that actions become. */
export interface TaskOptions {
  /** Default: a store in the memory of the process. */
  readonly store?: TaskStore;
  /** Milliseconds from its creation until a task is forgotten; clients may ask for less. Default one hour. */
  readonly ttl?: number;
  /** Milliseconds that clients should wait between two polls. Default 1,000. */
  readonly pollInterval?: number;
  /** How many tasks are kept at once, those that are over among them. Default 10,000. */
  readonly maximum?: number;
  /** How many of them may belong to one client: a principal or, without one, a session. Default 1,000. */
  readonly maximumPerClient?: number;
}

/** The options with every default in place. */
export interface TaskSettings {
  readonly store: TaskStore;
  readonly ttl: number;
  readonly pollInterval: number;
  readonly limits: TaskLimits;
}

const STORE_METHODS = ['create', 'get', 'update', 'list', 'delete'] as const;

const DEFAULTS = { ttl: 3_600_000, pollInterval: 1000, maximum: 10_000, maximumPerClient: 1000 };

/** @throws ToolwrightError TW_TASK_OPTION */
export function readTaskOptions(options: TaskOptions, clock: TaskClock): TaskSettings {
  const known = ['store', ...Object.keys(DEFAULTS)];
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw unknownOption(name, known);
  }
  const { store = new InMemoryTaskStore(clock) } = options;
  for (const method of STORE_METHODS) {
    if (typeof (store as Partial<TaskStore>)[method] !== 'function') throw notAStore(method);
  }
  const numbers = { ...DEFAULTS, ...withoutUndefined(options) };
  for (const name of Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]) checkNumber(name, numbers[name]);
  const { ttl, pollInterval, maximum, maximumPerClient } = numbers;
  return Object.freeze({
    store,
    ttl,
    pollInterval,
    limits: Object.freeze({ total: maximum, perSubject: maximumPerClient }),
  });
}

function withoutUndefined(options: TaskOptions): Partial<typeof DEFAULTS> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function checkNumber(name: string, value: unknown): void {
  if (Number.isSafeInteger(value) && (value as number) > 0) return;
  throw optionError(`has the value ${String(value)} for ${name}`, `let ${name} be a whole number above 0`);
}

function notAStore(method: string): ToolwrightError {
  return optionError(
    `was given a store without the method ${method}()`,
    'implement every method of TaskStore',
  );
}

function unknownOption(name: string, known: readonly string[]): ToolwrightError {
  const nearest = nearestName(name, known);
  return optionError(
    `has the option "${name}", which does not exist`,
    nearest === undefined ? `remove it; known are ${known.join(', ')}` : `did you mean "${nearest}"?`,
  );
}

function optionError(what: string, fix: string): ToolwrightError {
  return new ToolwrightError('TW_TASK_OPTION', { where: 'tasks', what, fix });
}
