import { randomUUID } from 'node:crypto';
import type { Logger } from '../../call/logger.ts';
import { RunningTask, type TaskOrigin } from './running-task.ts';
import { answerInput, cancelTask } from './task-changes.ts';
import { readTaskOptions, type TaskOptions } from './task-options.ts';
import { systemClock, type TaskClock, type TaskPage } from './task-store.ts';
import { unknownTask } from './task-protocol.ts';
import { TaskRepository } from './task-repository.ts';
import type { TaskOwner, TaskAnswer, TaskRecord } from './task-record.ts';
import type { LiveTask, TaskEnvironment } from './follow-task.ts';

/** How long a store may take to hear of a shutdown, in milliseconds. */
const STORING = 2000;

/** The tasks of one application: those that it runs itself, and those of others in the same store. */
export class Tasks {
  readonly #clock: TaskClock;
  readonly #repository: TaskRepository;
  readonly #environment: TaskEnvironment;
  readonly #running = new Set<LiveTask>();

  constructor(options: TaskOptions, logger: Logger, clock: TaskClock = systemClock) {
    const settings = readTaskOptions(options, clock);
    let runner: string | undefined;
    // Not before the first task: workers give no random values while they load
    const nameOfRunner = (): string => (runner ??= randomUUID());
    const repository = new TaskRepository(settings.store, clock, nameOfRunner, settings.pollInterval);
    this.#clock = clock;
    this.#repository = repository;
    this.#environment = {
      ...{ repository, settings, clock, logger },
      runner: nameOfRunner,
      onStart: (task) => this.#running.add(task),
      onEnd: (task) => this.#running.delete(task),
    };
  }

  /** A call that may become a task. */
  begin(origin: TaskOrigin): RunningTask {
    return new RunningTask(origin, this.#environment);
  }

  /** @throws ProtocolError for a task that does not exist or belongs to somebody else. */
  async find(taskId: string, subject: TaskOwner): Promise<TaskRecord> {
    return visible(await this.#repository.get(taskId), subject);
  }

  /** Hands answers to a task; those to nothing that it asks are ignored. */
  async answer(
    taskId: string,
    subject: TaskOwner,
    answers: Readonly<Record<string, TaskAnswer>>,
  ): Promise<void> {
    await this.find(taskId, subject);
    await this.#repository.change(taskId, answerInput(answers, this.#clock.now()));
  }

  /** Cancels a task. It gives the task as it is afterwards: one that was over stays as it was. */
  async cancel(taskId: string, subject: TaskOwner): Promise<TaskRecord> {
    await this.find(taskId, subject);
    const change = cancelTask('The task was cancelled by request', this.#clock.now());
    return visible(await this.#repository.change(taskId, change), subject);
  }

  /** The tasks of a subject, the oldest first. */
  list(subject: string, page: TaskPage): Promise<readonly TaskRecord[]> {
    return this.#repository.list(subject, page);
  }

  /** Gives a task now and after each change, until it is gone or the signal is aborted. */
  async *watch(taskId: string, subject: TaskOwner, signal: AbortSignal): AsyncGenerator<TaskRecord> {
    for await (const task of this.#repository.watch(taskId, signal)) yield visible(task, subject);
  }

  /** Resolves when nothing runs here any more, and every outcome is stored. */
  async whenIdle(): Promise<void> {
    await Promise.all([...this.#running].map((task) => task.ended));
  }

  /** Cancels what still runs here. A store that does not answer keeps no handler from being told. */
  async close(): Promise<void> {
    const change = cancelTask('The server was shut down', this.#clock.now());
    const closing = [...this.#running].map(async (task) => {
      const late = this.#pause(STORING);
      try {
        await Promise.race([this.#repository.change(task.taskId, change), late.over]);
      } finally {
        late.stop();
        task.abort(new Error('The server was shut down'));
      }
    });
    await Promise.allSettled(closing);
    this.#repository.close();
  }

  #pause(milliseconds: number): { readonly over: Promise<void>; readonly stop: () => void } {
    let stop = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      stop = this.#clock.after(milliseconds, resolve);
    });
    return { over, stop };
  }
}

function visible(task: TaskRecord | undefined, subject: TaskOwner): TaskRecord {
  if (task === undefined) throw unknownTask();
  if (task.subject !== undefined && task.subject !== subject) throw unknownTask();
  return task;
}
