/** How a worker takes tasks from a queue. */
export interface WorkOptions {
  /** How many tasks it runs at the same time. */
  readonly concurrency: number;
}

/**
 * Hands tasks to the processes that work on them. It carries ids only: what a task is, and how far it has come, is in
 * the store of tasks.
 */
export interface WorkQueue {
  /** Puts a task on a queue. It resolves when the task is stored; a task that is on it already stays where it is. */
  add(queue: string, taskId: string): Promise<void>;
  /**
   * Runs the tasks of a queue. One whose process is gone before it ended is given to another process; what `run`
   * rejects with is logged, and the task does not come again.
   * @returns a function that takes no further tasks, and resolves when those that run have ended
   */
  work(
    queue: string,
    run: (taskId: string) => Promise<void>,
    options: WorkOptions,
  ): Promise<() => Promise<void>>;
}
