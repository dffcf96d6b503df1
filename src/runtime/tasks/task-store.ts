import type { TaskRecord } from './task-record.ts';

/** How many tasks a store may keep, those that are over among them. */
export interface TaskLimits {
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
  readonly limit: number;
}

/**
 * Where tasks are kept. An implementation over Redis or SQL lets several processes serve the same tasks:
 * records are plain JSON, and a version number takes the place of transactions.
 *
 * @example
 * const store: TaskStore = new InMemoryTaskStore();
 * const app = await McpApplication.create(AppModule, { tasks: { store } });
 */
export interface TaskStore {
  /**
   * Adds a task; false when there are too many. It resolves when {@link get} would find the task, in every process.
   * A store may forget what has outlived its `ttl`; before that, only what is done, the oldest first, for a new task
   * that has no room. It takes it from the same subject, or from the one with the most.
   */
  create(task: TaskRecord, limits: TaskLimits): Promise<boolean>;
  get(taskId: string): Promise<TaskRecord | undefined>;
  /** Replaces a task whose stored version is `task.version - 1`; false when it is another, or the task is gone. */
  update(task: TaskRecord): Promise<boolean>;
  /** The tasks of a subject by `createdAt`, then `taskId`. */
  list(subject: string, page: TaskPage): Promise<readonly TaskRecord[]>;
  delete(taskId: string): Promise<void>;
  /**
   * Calls the listener with every task that changes, in whichever process; the returned function ends that.
   * Without it, running tasks are read again in every poll interval.
   */
  onChange?(listener: (taskId: string) => void): () => void;
}
