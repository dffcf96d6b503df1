import { systemClock, type TaskClock } from './task-clock.ts';
import { isExpired, type TaskRecord } from './task-record.ts';
import type { TaskLimits, TaskPage, TaskStore } from './task-store.ts';

/** Keeps tasks in the process; they end with it. Applications in one process may share one. */
export class InMemoryTaskStore implements TaskStore {
  readonly #clock: TaskClock;
  readonly #tasks = new Map<string, TaskRecord>();
  readonly #listeners = new Set<(taskId: string) => void>();
  #isSweeping = false;

  /** @param clock for tests; default is the clock of the system. */
  constructor(clock: TaskClock = systemClock) {
    this.#clock = clock;
  }

  async create(task: TaskRecord, { total, perSubject }: TaskLimits): Promise<boolean> {
    this.#sweep();
    if (this.#tasks.size >= total) return false;
    if (task.subject !== undefined && this.#of(task.subject).length >= perSubject) return false;
    this.#tasks.set(task.taskId, Object.freeze(task));
    this.#sweepLater();
    this.#tell(task.taskId);
    return true;
  }

  async get(taskId: string): Promise<TaskRecord | undefined> {
    return this.#tasks.get(taskId);
  }

  async update(task: TaskRecord): Promise<boolean> {
    if (this.#tasks.get(task.taskId)?.version !== task.version - 1) return false;
    this.#tasks.set(task.taskId, Object.freeze(task));
    this.#tell(task.taskId);
    return true;
  }

  async list(subject: string, { after, limit }: TaskPage): Promise<readonly TaskRecord[]> {
    const all = this.#of(subject).sort(byAge);
    const rest = after === undefined ? all : all.filter((task) => byAge(task, after) > 0);
    return rest.slice(0, limit);
  }

  async delete(taskId: string): Promise<void> {
    if (this.#tasks.delete(taskId)) this.#tell(taskId);
  }

  onChange(listener: (taskId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #of(subject: string): TaskRecord[] {
    const now = this.#clock.now();
    return [...this.#tasks.values()].filter((task) => task.subject === subject && !isExpired(task, now));
  }

  #sweep(): void {
    const now = this.#clock.now();
    for (const task of this.#tasks.values()) {
      if (!isExpired(task, now)) continue;
      this.#tasks.delete(task.taskId);
      this.#tell(task.taskId);
    }
  }

  /** One timer for all: results must not stay in memory when nobody calls any more. */
  #sweepLater(): void {
    if (this.#isSweeping || this.#tasks.size === 0) return;
    this.#isSweeping = true;
    const ends = [...this.#tasks.values()].map(({ createdAt, ttl }) => createdAt + ttl);
    const next = ends.reduce((first, end) => Math.min(first, end));
    this.#clock.after(Math.max(next - this.#clock.now(), 1000), () => {
      this.#isSweeping = false;
      this.#sweep();
      this.#sweepLater();
    });
  }

  #tell(taskId: string): void {
    for (const listener of this.#listeners) listener(taskId);
  }
}

type Position = Pick<TaskRecord, 'createdAt' | 'taskId'>;

function byAge(left: Position, right: Position): number {
  if (left.createdAt !== right.createdAt) return left.createdAt - right.createdAt;
  return left.taskId < right.taskId ? -1 : Number(left.taskId > right.taskId);
}
