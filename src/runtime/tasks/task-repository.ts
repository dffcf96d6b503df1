import { finishTask, type TaskChange } from './task-changes.ts';
import type { TaskClock, TaskLimits, TaskPage, TaskStore } from './task-store.ts';
import { RUNNER_GONE } from './task-protocol.ts';
import { isExpired, isTerminal, LEASE, type TaskRecord } from './task-record.ts';

// Conflicts are normal; this many in a row mean that the store is broken.
const ATTEMPTS = 100;

/** A task store, as one process uses it: it retries conflicting changes, and watches the changes of others. */
export class TaskRepository {
  readonly #store: TaskStore;
  readonly #clock: TaskClock;
  readonly #runner: () => string;
  readonly #pollInterval: number;
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #unsubscribe: (() => void) | undefined;

  /** @param runner the name of this process, whose own tasks never count as lost */
  constructor(store: TaskStore, clock: TaskClock, runner: () => string, pollInterval: number) {
    this.#store = store;
    this.#clock = clock;
    this.#runner = runner;
    this.#pollInterval = pollInterval;
    this.#unsubscribe = store.onChange?.((taskId) => this.#tell(taskId));
  }

  /** @returns false when there are too many tasks */
  create(task: TaskRecord, limits: TaskLimits): Promise<boolean> {
    return this.#store.create(task, limits);
  }

  /** The task, unless it has expired; as failed, if the process that ran it is gone. */
  async get(taskId: string): Promise<TaskRecord | undefined> {
    const task = await this.#read(taskId);
    return task !== undefined && this.#isLost(task) ? this.change(taskId, () => undefined) : task;
  }

  /** @returns the task afterwards, changed or not; undefined when it is gone */
  async change(taskId: string, change: TaskChange): Promise<TaskRecord | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const task = await this.#read(taskId);
      if (task === undefined) return undefined;
      const fail = finishTask({ kind: 'error', error: RUNNER_GONE }, this.#clock.now());
      const changed = this.#isLost(task) ? fail(task) : change(task);
      if (changed === undefined) return task;
      const next = { ...changed, version: task.version + 1 };
      if (!(await this.#store.update(next))) continue;
      if (this.#unsubscribe === undefined) this.#tell(taskId);
      return next;
    }
    throw new Error(`The store refused ${String(ATTEMPTS)} changes of a task in a row`);
  }

  async list(subject: string, page: TaskPage): Promise<readonly TaskRecord[]> {
    const tasks = await this.#store.list(subject, page);
    const now = this.#clock.now();
    return tasks.filter((task) => !isExpired(task, now));
  }

  /** Yields the task now and after each change, undefined when it is gone; ends when the signal is aborted. */
  async *watch(taskId: string, signal: AbortSignal): AsyncGenerator<TaskRecord | undefined> {
    while (!signal.aborted) {
      // Subscribed before the read, so that no change is missed.
      const change = this.#nextChange(taskId, signal);
      try {
        yield await this.get(taskId);
        await change.happened;
      } finally {
        change.forget();
      }
    }
  }

  close(): void {
    this.#unsubscribe?.();
  }

  async #read(taskId: string): Promise<TaskRecord | undefined> {
    const task = await this.#store.get(taskId);
    if (task === undefined || !isExpired(task, this.#clock.now())) return task;
    await this.#store.delete(taskId);
    return undefined;
  }

  #isLost(task: TaskRecord): boolean {
    return task.runner !== this.#runner() && !isTerminal(task) && this.#clock.now() > task.leaseUntil;
  }

  /** Polls, too: leases and lifetimes end without a change, and not every store reports changes. */
  #nextChange(
    taskId: string,
    signal: AbortSignal,
  ): { readonly happened: Promise<void>; readonly forget: () => void } {
    const waiting = this.#waiting.get(taskId) ?? new Set();
    this.#waiting.set(taskId, waiting);
    let happen = (): void => undefined;
    const happened = new Promise<void>((resolve) => {
      happen = resolve;
    });
    const pause = this.#unsubscribe === undefined ? this.#pollInterval : LEASE / 3;
    const stopTimer = this.#clock.after(pause, happen);
    waiting.add(happen);
    signal.addEventListener('abort', happen);
    const forget = (): void => {
      stopTimer();
      signal.removeEventListener('abort', happen);
      waiting.delete(happen);
      if (waiting.size === 0 && this.#waiting.get(taskId) === waiting) this.#waiting.delete(taskId);
    };
    return { happened, forget };
  }

  #tell(taskId: string): void {
    for (const happen of [...(this.#waiting.get(taskId) ?? [])]) happen();
  }
}
