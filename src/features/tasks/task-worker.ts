import type { TaskEnvironment } from './follow-task.ts';
import type { QueueGauges } from './queue-gauges.ts';
import { takeWork } from './task-changes.ts';
import { isTerminal, type TaskRecord } from '../../runtime/tasks/task-record.ts';
import { WorkedTask, type ServeWork, type WorkEnd } from './worked-task.ts';
import { taskStoreFailures } from '../../runtime/tasks/task-protocol.ts';

/** How a process works on queues. */
export interface TaskWorkerOptions {
  readonly queues: readonly string[];
  /** How many tasks of each queue it runs at the same time. */
  readonly concurrency: number;
}

/** The part of this process in the work on queues. */
export class TaskWorker {
  readonly #environment: TaskEnvironment;
  readonly #serve: ServeWork;
  /** What others shall go on with, by task. */
  readonly #left = new Map<string, { readonly queue: string; readonly taken: number }>();
  readonly #gauges: Pick<QueueGauges, 'work'>;
  #stops: readonly (() => Promise<void>)[] = [];
  #heartbeats: readonly (() => void)[] = [];
  #stopping: Promise<void> | undefined;

  constructor(environment: TaskEnvironment, serve: ServeWork, gauges: Pick<QueueGauges, 'work'>) {
    this.#gauges = gauges;
    this.#environment = environment;
    this.#serve = serve;
  }

  async start({ queues: names, concurrency }: TaskWorkerOptions): Promise<void> {
    const { settings } = this.#environment;
    const { queues, lease } = settings;
    if (queues === undefined) return;
    this.#stops = await Promise.all(
      names.map((name) => queues.work(name, (taskId) => this.#run(name, taskId), { concurrency, lease })),
    );
    this.#heartbeats = names.map((name) => this.#gauges.work(name));
  }

  /** Takes no further tasks. It resolves when those that run have ended, or were left to others. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const { queues } = this.#environment.settings;
    for (const end of this.#heartbeats) end();
    await Promise.all(this.#stops.map((stop) => stop()));
    // Not before: while it runs here, it is on the queue already
    for (const [taskId, { queue, taken }] of this.#left) await queues?.add(queue, taskId, taken);
  }

  async #run(queue: string, taskId: string): Promise<void> {
    let end: WorkEnd | undefined;
    let taken = 0;
    while (end === undefined || end === 'again') {
      const task = await this.#take(taskId).catch((cause: unknown) => this.#failed(taskId, cause));
      if (task === 'over') return;
      if (task === 'later') {
        if (await this.#pause(this.#environment.settings.pollInterval)) continue;
        end = 'left';
      } else {
        taken = task.work?.fence ?? 0;
        end = await new WorkedTask(task, this.#environment).run(this.#serve);
      }
      if (end === 'again') await this.#pause(this.#environment.settings.pollInterval);
    }
    if (end === 'left') this.#left.set(taskId, { queue, taken });
  }

  /** `later` while another process has the task: it may be gone, and nobody knows that before its lease is over. */
  async #take(taskId: string): Promise<TaskRecord | 'over' | 'later'> {
    const { repository, runner, clock, settings } = this.#environment;
    let taken: TaskRecord | undefined;
    const found = await repository.take(taskId, (task) => {
      taken = takeWork(runner(), clock.now(), settings.lease)(task);
      return taken;
    });
    if (found === undefined || isTerminal(found) || found.work === undefined) return 'over';
    return taken === undefined ? 'later' : found;
  }

  #failed(taskId: string, cause: unknown): 'later' {
    taskStoreFailures(taskId).failed(cause, this.#environment.logger);
    return 'later';
  }

  /** @returns false when it need not wait any longer, because no more tasks are taken */
  async #pause(milliseconds: number): Promise<boolean> {
    if (this.#stopping !== undefined) return false;
    await new Promise<void>((resolve) => {
      this.#environment.clock.after(milliseconds, resolve);
    });
    return true;
  }
}
