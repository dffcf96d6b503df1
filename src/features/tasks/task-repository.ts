import type { MaybePromise } from '../../shared/maybe-promise.ts';
import { leaveWork, type TaskChange } from './task-changes.ts';
import type { TaskSeal } from './task-seal.ts';
import { StoreOutage, type StoreClock } from '../../runtime/store/store-clock.ts';
import type { TaskLimits, TaskPage, TaskStore } from '../../runtime/tasks/task-store.ts';
import { isTerminal, type TaskRecord } from '../../runtime/tasks/task-record.ts';

// Conflicts are normal; this many in a row mean that the store is broken.
const ATTEMPTS = 100;

/**
 * Milliseconds after which a task that waits on a queue is put on it once more, when a caller asks for it: first after the
 * shorter time, then after as long as it has waited up to then. What waits because there is much to do must not make more of it.
 */
const FORGOTTEN = { least: 5000, most: 60_000 };

export interface TaskRepositorySettings {
  readonly store: TaskStore;
  readonly clock: StoreClock;
  readonly seal: TaskSeal;
  /** The name of this process, whose own tasks never count as lost. */
  readonly runner: () => string;
  readonly pollInterval: number;
  readonly lease: number;
  /** Puts a task on its queue, where it may be already. It never rejects. */
  readonly enqueue: (queue: string, taskId: string, taken: number) => Promise<void>;
  /** Told of each status that a task comes to here. */
  readonly onStatus?: (status: TaskRecord['status']) => void;
}

/** A task store, as one process uses it: it retries conflicting changes, and watches the changes of others. */
export class TaskRepository {
  readonly #settings: TaskRepositorySettings;
  /** What waits here for changes, where the store reports none. */
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #outage: StoreOutage;

  constructor(settings: TaskRepositorySettings) {
    this.#settings = settings;
    this.#outage = new StoreOutage(() => settings.clock.now(), settings.lease);
  }

  /** @returns false when there are too many tasks */
  async create(task: TaskRecord, limits: TaskLimits): Promise<boolean> {
    const { store, seal, onStatus } = this.#settings;
    const isCreated = await store.create(seal.close(this.#form(task)), limits);
    if (isCreated) onStatus?.(task.status);
    return isCreated;
  }

  /** Takes a task back that was created. */
  delete(taskId: string): Promise<void> {
    return this.#settings.store.delete(taskId);
  }

  /** The task, unless it has expired; as {@link leaveWork} leaves it, if the process that ran it is gone. */
  async get(taskId: string): Promise<TaskRecord | undefined> {
    const task = await this.#read(taskId);
    return task !== undefined && (await this.#isLost(task)) ? this.change(taskId, () => undefined) : task;
  }

  /**
   * @param known the task as the caller has left it, which is read only if others have changed it since
   * @returns the task afterwards, changed or not; undefined when it is gone
   */
  change(taskId: string, change: TaskChange, known?: TaskRecord): Promise<TaskRecord | undefined> {
    const { clock } = this.#settings;
    return this.#update(
      taskId,
      async (task) => ((await this.#isLost(task)) ? leaveWork(clock.now())(task) : change(task)),
      known && withoutJournalBeside(known),
    );
  }

  /** Changes a task and gives it with its journal, also for a task whose process is gone, at the time that the store says. */
  async take(taskId: string, change: TaskChange): Promise<TaskRecord | undefined> {
    const { store, seal } = this.#settings;
    const task = await this.#update(taskId, async (found) => {
      await this.#settings.clock.ask();
      return change({ ...found, leaseUntil: this.#leaseEnd(found) });
    });
    if (task === undefined || !hasJournalBeside(task) || store.journal === undefined) return task;
    // Who takes it first finds no steps of others
    if (task.work?.fence === 1) return { ...task, journal: [] };
    const texts = await this.#outage.watch(async () => store.journal?.(taskId));
    return { ...task, journal: (texts ?? []).map((text) => seal.openEntry(text)) };
  }

  async list(subject: string, page: TaskPage): Promise<readonly TaskRecord[]> {
    const { store, seal } = this.#settings;
    return (await this.#outage.watch(() => store.list(subject, page))).map((task) => seal.open(task));
  }

  async #update(
    taskId: string,
    change: (task: TaskRecord) => MaybePromise<TaskRecord | undefined>,
    known?: TaskRecord,
  ): Promise<TaskRecord | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const task = (attempt === 0 ? known : undefined) ?? (await this.#read(taskId));
      if (task === undefined) return undefined;
      const changed = await change(task);
      if (changed === undefined) {
        // Only the store says that there is nothing to change
        if (task === known) continue;
        return task;
      }
      const next = { ...changed, version: task.version + 1 };
      if (!(await this.#outage.watch(() => this.#store(next, task)))) continue;
      await this.#follow(next, task);
      return next;
    }
    throw new Error(`The store refused ${String(ATTEMPTS)} changes of a task in a row`);
  }

  /** What a change that is stored has as its consequence. */
  async #follow(task: TaskRecord, before: TaskRecord): Promise<void> {
    const { store, enqueue, onStatus } = this.#settings;
    const { taskId, work, status } = task;
    if (store.watch === undefined) this.#tell(taskId);
    if (work?.is === 'queued' && work.queuedAt !== before.work?.queuedAt)
      await enqueue(work.queue, taskId, work.fence);
    if (status !== before.status) onStatus?.(status);
  }

  /** Yields the task now and after each change, undefined when it is gone; ends when the signal is aborted. */
  async *watch(taskId: string, signal: AbortSignal): AsyncGenerator<TaskRecord | undefined> {
    // Before the first read, so that no change is missed.
    const stop = await this.#settings.store.watch?.(taskId, () => this.#tell(taskId));
    try {
      while (!signal.aborted) {
        const change = this.#nextChange(taskId, signal);
        try {
          yield await this.get(taskId);
          await change.happened;
        } finally {
          change.forget();
        }
      }
    } finally {
      stop?.();
    }
  }

  /** A task of a queue in a store with journals keeps its own beside the record, where other releases do not look for it. */
  #form(task: TaskRecord): TaskRecord {
    if (this.#settings.store.journal === undefined || task.work === undefined) return task;
    const { journal: _empty, ...others } = task;
    return { ...others, v: 2 };
  }

  /** What was read has no journal where that stands beside it, so that a change has its new entries alone. */
  #store(next: TaskRecord, before: TaskRecord): Promise<boolean> {
    const { store, seal } = this.#settings;
    if (!hasJournalBeside(next)) return store.update(seal.close(next, before));
    const { journal = [], ...record } = next;
    const entries = journal.map((entry) => seal.closeEntry(entry));
    return store.update(seal.close(record, before), entries);
  }

  async #read(taskId: string): Promise<TaskRecord | undefined> {
    const { store, seal } = this.#settings;
    const task = await this.#outage.watch(() => store.get(taskId));
    return task && seal.open(task);
  }

  /** The store decides: the clock of this process may be wrong, and the process that runs the task may be at work. */
  async #isLost(task: TaskRecord): Promise<boolean> {
    const { clock } = this.#settings;
    return this.#isLate(task, clock.now()) && this.#isLate(task, await clock.ask());
  }

  /** A queued task has no process yet; one that nobody took for a while may be missing on its queue. */
  #isLate(task: TaskRecord, now: number): boolean {
    const { lease, runner } = this.#settings;
    if (isTerminal(task)) return false;
    const { work, createdAt } = task;
    if (work?.is === 'queued') {
      const { least, most } = FORGOTTEN;
      const waited = Math.min(most, work.queuedAt - createdAt);
      return now > work.queuedAt + Math.max(Math.min(least, lease), waited);
    }
    return task.runner !== runner() && now > this.#leaseEnd(task);
  }

  #leaseEnd({ leaseUntil }: TaskRecord): number {
    return this.#outage.endOf(leaseUntil);
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
    const { store, clock, lease, pollInterval } = this.#settings;
    const pause = store.watch === undefined ? Math.min(pollInterval, lease / 3) : lease / 3;
    const stopTimer = clock.after(pause, happen);
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

/** What a change adds to the journal is in the task that it gives, and must not be added again. */
function withoutJournalBeside(task: TaskRecord): TaskRecord {
  if (!hasJournalBeside(task)) return task;
  const { journal: _added, ...record } = task;
  return record;
}

function hasJournalBeside({ v }: TaskRecord): boolean {
  return v === 2;
}
