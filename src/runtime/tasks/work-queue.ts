import type { Logger } from '../../call/logger.ts';
import { StderrLogger } from '../../call/stderr-logger.ts';

/** How a worker takes tasks from a queue. */
export interface WorkOptions {
  /** How many tasks it runs at the same time. */
  readonly concurrency: number;
  /** After how many milliseconds without a word a process counts as gone. Default: the queue's own. */
  readonly lease?: number;
}

/** What waits on a queue. */
export interface QueueDepth {
  /** How many tasks no worker has taken. */
  readonly waiting: number;
  /** For how many milliseconds the oldest of them waits; 0 where none does. */
  readonly oldest: number;
}

/**
 * Hands tasks to the processes that work on them. It carries ids only: what a task is, and how far it has come, is in
 * the store of tasks. Tasks are given in the order in which they were added. Names and ids are any text of well-formed
 * Unicode without U+0000. `workQueueConformance` of `toolwright/testing` checks a queue of your own.
 */
export interface WorkQueue {
  /**
   * Puts a task on a queue. It resolves when the task is stored; a task that is on it already stays where it is.
   * @param taken how often a worker took the task before: it comes again where its worker is gone, and a queue that waits
   * for that worker may take it as another one
   */
  add(queue: string, taskId: string, taken?: number): Promise<void>;
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
  /** What waits on a queue, for metrics. Without it, there are no metrics of queues. */
  depth?(queue: string): Promise<QueueDepth>;
}

/** One queue. */
interface Line {
  /** In the order in which they were added, and when. */
  readonly waiting: Map<string, number>;
  readonly running: Set<string>;
  readonly workers: Set<Worker>;
}

interface Worker {
  readonly run: (taskId: string) => Promise<void>;
  readonly concurrency: number;
  readonly running: Set<Promise<void>>;
}

/** The {@link WorkQueue} of one process: what waits ends with it. */
export class InMemoryWorkQueue implements WorkQueue {
  readonly #lines = new Map<string, Line>();
  readonly #logger: Logger;

  /**
   * Creates a queue without tasks.
   * @param logger for tasks whose `run` rejects. Default: stderr.
   */
  constructor(logger: Logger = new StderrLogger()) {
    this.#logger = logger;
  }

  async add(queue: string, taskId: string): Promise<void> {
    const line = this.#line(queue);
    if (line.running.has(taskId)) return;
    if (!line.waiting.has(taskId)) line.waiting.set(taskId, performance.now());
    // A later turn, as with any queue: nothing runs in the middle of the call that adds it
    await Promise.resolve();
    this.#advance(queue, line);
  }

  async work(
    queue: string,
    run: (taskId: string) => Promise<void>,
    { concurrency }: WorkOptions,
  ): Promise<() => Promise<void>> {
    const line = this.#line(queue);
    const worker: Worker = { run, concurrency, running: new Set() };
    line.workers.add(worker);
    await Promise.resolve();
    this.#advance(queue, line);
    return async () => {
      line.workers.delete(worker);
      await Promise.all(worker.running);
      this.#advance(queue, line);
    };
  }

  async depth(queue: string): Promise<QueueDepth> {
    const { waiting } = this.#lines.get(queue) ?? { waiting: new Map<string, number>() };
    const [since] = waiting.values();
    return { waiting: waiting.size, oldest: since === undefined ? 0 : performance.now() - since };
  }

  #line(queue: string): Line {
    const known = this.#lines.get(queue);
    if (known !== undefined) return known;
    const made: Line = { waiting: new Map(), running: new Set(), workers: new Set() };
    this.#lines.set(queue, made);
    return made;
  }

  /** Starts what can run. A queue that nobody uses is forgotten. */
  #advance(queue: string, line: Line): void {
    for (const worker of line.workers) {
      for (const taskId of line.waiting.keys()) {
        if (worker.running.size >= worker.concurrency) break;
        line.waiting.delete(taskId);
        line.running.add(taskId);
        const running = this.#run(taskId, worker).finally(() => {
          line.running.delete(taskId);
          worker.running.delete(running);
          this.#advance(queue, line);
        });
        worker.running.add(running);
      }
    }
    const isUsed = line.waiting.size + line.running.size + line.workers.size > 0;
    if (!isUsed && this.#lines.get(queue) === line) this.#lines.delete(queue);
  }

  async #run(taskId: string, { run }: Worker): Promise<void> {
    try {
      await run(taskId);
    } catch (cause) {
      this.#logger.log({ level: 'error', event: 'task.escaped', message: 'A task broke.', taskId, cause });
    }
  }
}
