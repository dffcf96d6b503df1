import { unref } from '../../shared/platform.ts';
import { LONGEST_TIMER } from '../../shared/option-rules.ts';
import { type TaskRecord, isExpired, isTerminal } from './task-record.ts';
import { isOwnedBy } from '../../shared/owners/owned-key.ts';
import { OwnerShares } from '../../shared/owners/owner-shares.ts';

/** How many tasks a store may keep, those that are over among them. */
export interface TaskLimits {
  /** Of all subjects together. */
  readonly total: number;
  /** Of one subject. */
  readonly perSubject: number;
  /** Of all that have none. */
  readonly withoutSubject: number;
}

/** Which part of a list is wanted. */
export interface TaskPage {
  /** The last task of the page before. */
  readonly after?: { readonly createdAt: number; readonly taskId: string };
  /** The largest number of tasks in the page. */
  readonly limit: number;
}

/**
 * Where tasks are kept. An implementation over Redis or SQL lets several processes serve the same tasks:
 * records are plain JSON with all characters that it can carry, and a version number takes the place of transactions. Ids
 * and subjects are well-formed Unicode without U+0000. `taskStoreConformance` of `toolwright/testing` checks a store of
 * your own.
 *
 * @example
 * const store: TaskStore = new InMemoryTaskStore();
 * const app = await McpApplication.create(AppModule, { backplane: { tasks: store } });
 */
export interface TaskStore {
  /**
   * Adds a task; false when there are too many. It resolves when {@link get} would find the task, in every process.
   * A store may forget what has outlived its `ttl`; before that, only what is done, the oldest first, for a new task
   * that has no room. It takes it from the same subject, or from the one with the most.
   */
  create(task: TaskRecord, limits: TaskLimits): Promise<boolean>;
  /** The task; undefined when there is none of that id, or it is expired. */
  get(taskId: string): Promise<TaskRecord | undefined>;
  /**
   * Replaces a task whose stored version is `task.version - 1`; false when it is another, or the task is gone.
   * @param entries what is added to its {@link journal} in the same step; empty for a store without one
   */
  update(task: TaskRecord, entries?: readonly string[]): Promise<boolean>;
  /**
   * The journal of a task: texts in the order in which they were added, as long as it runs. With it, a change writes what it
   * adds and not all steps before; without it, steps are part of the record.
   */
  journal?(taskId: string): Promise<readonly string[]>;
  /** The tasks of a subject by `createdAt`, then `taskId`. */
  list(subject: string, page: TaskPage): Promise<readonly TaskRecord[]>;
  /** Deletes the task, if it is there. */
  delete(taskId: string): Promise<void>;
  /**
   * Milliseconds since the epoch, by the clock of the store, which is the same for every process. Leases and lifetimes go
   * by it. Without it they go by the clocks of the processes, which have to agree then.
   */
  now?(): Promise<number>;
  /**
   * Calls the listener with every change of one task, in whichever process, from the moment that the promise resolves; the
   * returned function ends that. Processes in which nobody watches a task should hear nothing of it. It resolves also
   * where the store cannot be reached, and listens as soon as it can. Without it, running tasks are read again in every
   * poll interval.
   */
  watch?(taskId: string, listener: () => void): Promise<() => void>;
  /**
   * Deletes every task of an owner: those whose subject begins with its name and a dot. Names have 22 letters, digits, `-`
   * and `_`. Without this method, `app.forget` reports that the store kept what it has.
   * @returns how many there were
   */
  forget?(owner: string): Promise<number>;
}

/** Milliseconds between two looks at all tasks for those that are expired. */
const SWEEP_INTERVAL = 1000;

/** Keeps tasks in the process; they end with it. Applications in one process may share one. */
export class InMemoryTaskStore implements TaskStore {
  readonly #clock: TaskClock;
  readonly #tasks = new Map<string, TaskRecord>();
  /** Of the number of tasks; offered are those that are done. */
  readonly #shares = new OwnerShares<TaskRecord['taskId']>();
  readonly #listeners = new Map<string, Set<() => void>>();
  #sweptAt = -Infinity;
  /** When the timer sweeps; it is always the only one. */
  #sweepsAt = Infinity;
  #stopTimer: () => void = () => undefined;

  /** @param clock for tests; default is the clock of the system. */
  constructor(clock: TaskClock = systemClock) {
    this.#clock = clock;
  }

  async create(task: TaskRecord, limits: TaskLimits): Promise<boolean> {
    const hasRoom = this.#hasRoom(task, limits) || (this.#sweepAgain() && this.#hasRoom(task, limits));
    if (!hasRoom) return false;
    this.#shares.add(task.subject, 1);
    this.#put(task);
    this.#sweepAt(task.createdAt + task.ttl);
    return true;
  }

  async get(taskId: string): Promise<TaskRecord | undefined> {
    return this.#find(taskId);
  }

  async now(): Promise<number> {
    return this.#clock.now();
  }

  async update(task: TaskRecord): Promise<boolean> {
    if (this.#find(task.taskId)?.version !== task.version - 1) return false;
    this.#put(task);
    return true;
  }

  async list(subject: string, { after, limit }: TaskPage): Promise<readonly TaskRecord[]> {
    const now = this.#clock.now();
    const all = [...this.#tasks.values()]
      .filter((task) => task.subject === subject && !isExpired(task, now))
      .sort(byAge);
    const rest = after === undefined ? all : all.filter((task) => byAge(task, after) > 0);
    return rest.slice(0, limit);
  }

  async delete(taskId: string): Promise<void> {
    const task = this.#tasks.get(taskId);
    if (task === undefined) return;
    this.#tasks.delete(taskId);
    this.#shares.withdraw(task.subject, taskId);
    this.#shares.remove(task.subject, 1);
    this.#tell(taskId);
  }

  async forget(owner: string): Promise<number> {
    this.#sweep();
    const owned = [...this.#tasks.values()].filter(({ subject }) => isOwnedBy(subject, owner));
    for (const { taskId } of owned) await this.delete(taskId);
    return owned.length;
  }

  async watch(taskId: string, listener: () => void): Promise<() => void> {
    const listeners = this.#listeners.get(taskId) ?? new Set();
    this.#listeners.set(taskId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(taskId) === listeners) this.#listeners.delete(taskId);
    };
  }

  /** What is expired stays until it is swept. */
  #find(taskId: string): TaskRecord | undefined {
    const task = this.#tasks.get(taskId);
    return task === undefined || isExpired(task, this.#clock.now()) ? undefined : task;
  }

  /** Those that were done first make room, those of the same owner or of the one with the most. */
  #hasRoom({ subject }: TaskRecord, { total, perSubject, withoutSubject }: TaskLimits): boolean {
    const perOwner = subject === undefined ? withoutSubject : perSubject;
    return this.#shares.makeRoom(subject, 1, { total, perOwner }, (taskId) => void this.delete(taskId));
  }

  #put(task: TaskRecord): void {
    this.#tasks.set(task.taskId, Object.freeze(task));
    if (isTerminal(task)) this.#shares.offer(task.subject, task.taskId);
    this.#tell(task.taskId);
  }

  /** False shortly after the last time: repeated refusals must not scan the whole store each time. */
  #sweepAgain(): boolean {
    if (this.#clock.now() - this.#sweptAt < SWEEP_INTERVAL) return false;
    this.#sweep();
    return true;
  }

  #sweep(): void {
    const now = (this.#sweptAt = this.#clock.now());
    for (const task of this.#tasks.values()) if (isExpired(task, now)) void this.delete(task.taskId);
  }

  /** Results must not stay in memory when nobody calls any more. */
  #sweepAt(time: number): void {
    if (time >= this.#sweepsAt) return;
    this.#stopTimer();
    this.#sweepsAt = time;
    const pause = Math.max(time - this.#clock.now(), SWEEP_INTERVAL);
    this.#stopTimer = this.#clock.after(pause, () => {
      this.#sweepsAt = Infinity;
      this.#sweep();
      const ends = [...this.#tasks.values()].map(({ createdAt, ttl }) => createdAt + ttl);
      if (ends.length > 0) this.#sweepAt(ends.reduce((first, end) => Math.min(first, end)));
    });
  }

  #tell(taskId: string): void {
    for (const listener of [...(this.#listeners.get(taskId) ?? [])]) listener();
  }
}

type Position = Pick<TaskRecord, 'createdAt' | 'taskId'>;

function byAge(left: Position, right: Position): number {
  if (left.createdAt !== right.createdAt) return left.createdAt - right.createdAt;
  return left.taskId < right.taskId ? -1 : Number(left.taskId > right.taskId);
}

/** The time, and how to wait for it. */
export interface TaskClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after some milliseconds; the returned function prevents that. */
  after(milliseconds: number, run: () => void): () => void;
}

/** Its timers do not keep the process alive: what is worth waiting for does so by itself. */
export const systemClock: TaskClock = Object.freeze({
  now: () => Date.now(),
  after: (milliseconds: number, run: () => void) => {
    const timer = setTimeout(run, Math.min(milliseconds, LONGEST_TIMER));
    unref(timer);
    return () => {
      clearTimeout(timer);
    };
  },
});
