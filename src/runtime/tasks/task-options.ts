import { objectWith, wholeNumber, type OptionRules } from '../../shared/option-rules.ts';
import type { WorkQueue } from './work-queue.ts';
import { LEASE } from './task-record.ts';
import { InMemoryTaskStore, type TaskClock, type TaskLimits, type TaskStore } from './task-store.ts';

/** How an application keeps the tasks that actions become. */
export interface TaskOptions {
  /** Milliseconds from its creation until a task is forgotten; clients may ask for less. Default one hour. */
  readonly ttl?: number;
  /** Milliseconds that clients should wait between two polls. Default 1,000. */
  readonly pollInterval?: number;
  /** How many tasks are kept at once; those that were done first make room for new ones. Default 10,000. */
  readonly maxTasks?: number;
  /** How many of them may belong to one client: a principal or, without one, a session. Default 1,000. */
  readonly maxTasksPerOwner?: number;
  /** How many may belong to nobody, as those of clients of 2026 without a principal. Default: half of `maxTasks`. */
  readonly maxTasksWithoutOwner?: number;
  /**
   * Milliseconds that a process may be silent before its tasks count as lost; it reports three times as often. Those of a
   * queue are taken over by another process then. All processes need the same. Default 60,000.
   */
  readonly lease?: number;
  /**
   * Hands the tasks of `@Action({ task: { queue } })` to the processes that work on them; these need the same `backplane`
   * and `secrets`. Default: that of the backplane, and without one such tasks run in the process that is called.
   */
  readonly queues?: WorkQueue;
}

/** The options with every default in place. */
export interface TaskSettings {
  readonly store: TaskStore;
  readonly ttl: number;
  readonly pollInterval: number;
  readonly limits: TaskLimits;
  readonly lease: number;
  readonly queues: WorkQueue | undefined;
}

export const TASK_RULES: OptionRules<TaskOptions> = {
  ttl: wholeNumber(1),
  pollInterval: wholeNumber(1),
  maxTasks: wholeNumber(1),
  maxTasksPerOwner: wholeNumber(1),
  maxTasksWithoutOwner: wholeNumber(1),
  lease: wholeNumber(1),
  queues: objectWith('a work queue', 'add', 'work'),
};

/** Fills in the defaults of options that were checked. */
export function readTaskOptions(
  options: TaskOptions & { readonly store?: TaskStore | undefined },
  clock: TaskClock,
): TaskSettings {
  const {
    store = new InMemoryTaskStore(clock),
    ttl = 3_600_000,
    pollInterval = 1000,
    maxTasks = 10_000,
    maxTasksPerOwner = 1000,
    maxTasksWithoutOwner = Math.ceil(maxTasks / 2),
    lease = LEASE,
    queues,
  } = options;
  return Object.freeze({
    store,
    ttl,
    pollInterval,
    lease,
    queues,
    limits: Object.freeze({
      total: maxTasks,
      perSubject: maxTasksPerOwner,
      withoutSubject: maxTasksWithoutOwner,
    }),
  });
}
