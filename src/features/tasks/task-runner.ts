import { randomUUID } from 'node:crypto';
import type { Logger } from '../../call/logger.ts';
import type { Telemetry } from '../../kernel/call/telemetry.ts';
import type { Secrets } from '../../shared/sealed-text.ts';
import type { AcceptedCall } from '../../runtime/tasks/task-record.ts';
import { StoreClock } from '../../runtime/store/store-clock.ts';
import { QueueGauges } from './queue-gauges.ts';
import { RunningTask, storeTask, type TaskOrigin } from './running-task.ts';
import { answerInput, cancelTask, finishTask } from './task-changes.ts';
import { readTaskOptions, type TaskOptions } from '../../runtime/tasks/task-options.ts';
import {
  systemClock,
  type TaskClock,
  type TaskPage,
  type TaskStore,
} from '../../runtime/tasks/task-store.ts';
import { askPatiently, waitFor } from './patient-store.ts';
import {
  lostTask,
  storeIsAway,
  storeIsDown,
  unknownTask,
  taskStoreFailures,
} from '../../runtime/tasks/task-protocol.ts';
import { plainCopy } from './task-questions.ts';
import { TaskRepository } from './task-repository.ts';
import {
  endOfLife,
  newTask,
  type TaskAnswer,
  type TaskOutcome,
  type TaskOwner,
  type TaskRecord,
} from '../../runtime/tasks/task-record.ts';
import { TaskSeal } from './task-seal.ts';
import { TaskWorker, type TaskWorkerOptions } from './task-worker.ts';
import type { ServeWork } from './worked-task.ts';
import type { LiveTask, TaskEnvironment } from './follow-task.ts';

/** How long a store may take to hear of a shutdown, in milliseconds. */
const STORING = 2000;

/** Whose tasks they are. */
interface TasksOf {
  /** Default: an `InMemoryTaskStore`. */
  readonly store?: TaskStore | undefined;
  readonly clock?: TaskClock;
  /** The server's name: other servers may use the same store. */
  readonly server?: string;
  /** Records are sealed with them; without any, they are kept as they are. */
  readonly secrets?: Secrets | undefined;
  readonly telemetry?: Telemetry | undefined;
}

/** Who may see a task, and how many milliseconds it is kept at most. */
interface TaskTerms {
  readonly subject: TaskOwner;
  readonly ttl: number | undefined;
}

/** The tasks of one application: those that it runs itself, and those of others in the same store. */
export class TaskRunner {
  readonly #clock: StoreClock;
  readonly #repository: TaskRepository;
  readonly #environment: TaskEnvironment;
  readonly #running = new Set<LiveTask>();
  readonly #gauges: QueueGauges;
  /** Whether the tasks of queues are run by workers. */
  readonly isShared: boolean;

  constructor(
    options: TaskOptions,
    logger: Logger,
    { store: given, clock: own = systemClock, server = '', secrets, telemetry }: TasksOf = {},
  ) {
    const settings = readTaskOptions({ ...options, store: given }, own);
    const clock = new StoreClock(given, logger, own);
    const { store, pollInterval, lease, queues } = settings;
    let runner: string | undefined;
    // Not before the first task: workers give no random values while they load
    const nameOfRunner = (): string => (runner ??= randomUUID());
    const repository = new TaskRepository({
      ...{ store, clock, pollInterval, lease, runner: nameOfRunner },
      // What stays in the memory of the process need not be hidden
      seal: new TaskSeal(given && secrets, server),
      onStatus: (status) => telemetry?.add('toolwright.tasks', 1, { status }),
      enqueue: async (queue, taskId, taken) => {
        await queues?.add(queue, taskId, taken).catch((cause: unknown) => this.#queueFailed(taskId, cause));
      },
    });
    this.isShared = queues !== undefined;
    this.#gauges = new QueueGauges(queues, telemetry);
    this.#clock = clock;
    this.#repository = repository;
    this.#environment = {
      ...{ repository, settings, clock, logger },
      runner: nameOfRunner,
      onStart: (task) => this.#running.add(task),
      onEnd: (task) => this.#running.delete(task),
    };
  }

  /** The time of the store. */
  get clock(): StoreClock {
    return this.#clock;
  }

  get store(): TaskStore {
    return this.#environment.settings.store;
  }

  /** A call that may become a task. */
  begin(origin: TaskOrigin): RunningTask {
    return new RunningTask(origin, this.#environment);
  }

  /**
   * Puts an accepted call down, and on its queue.
   * @throws ToolError TASK_LIMIT, or TRY_AGAIN_LATER when the store or the queue fails
   */
  async enqueue(queue: string, call: AcceptedCall, { subject, ttl }: TaskTerms): Promise<TaskRecord> {
    this.#gauges.know(queue);
    await this.#clock.known();
    const now = this.#clock.now();
    const task: TaskRecord = {
      ...this.#newTask(subject, ttl),
      ...{ runner: '', leaseUntil: 0, journal: [], call: plainCopy(call) },
      work: { queue, is: 'queued', fence: 0, queuedAt: now },
    };
    await storeTask(this.#environment, task);
    try {
      await this.#environment.settings.queues?.add(queue, task.taskId);
    } catch (cause) {
      this.#queueFailed(task.taskId, cause);
      await this.#repository
        .delete(task.taskId)
        .catch((error: unknown) => this.#queueFailed(task.taskId, error));
      throw storeIsDown(cause);
    }
    return task;
  }

  /** Puts down what a call came to before it was a task, for a client that waits for one. @throws as {@link enqueue} */
  async putDown(outcome: TaskOutcome, { subject, ttl }: TaskTerms): Promise<TaskRecord> {
    await this.#clock.known();
    const begun = this.#newTask(subject, ttl);
    const task = finishTask(outcome, this.#clock.now())(begun) ?? begun;
    await storeTask(this.#environment, task);
    return task;
  }

  /** Works on queues, until it is stopped. */
  async work(serve: ServeWork, options: TaskWorkerOptions): Promise<TaskWorker> {
    const worker = new TaskWorker(this.#environment, serve, this.#gauges);
    await worker.start(options);
    return worker;
  }

  /**
   * @throws ProtocolError for a task that does not exist or belongs to somebody else
   * @throws ToolError TRY_AGAIN_LATER when the store fails, like all that asks for tasks
   */
  async find(taskId: string, subject: TaskOwner): Promise<TaskRecord> {
    return visible(await this.#reach(taskId, this.#repository.get(taskId)), subject);
  }

  /** Hands answers to a task; those to nothing that it asks are ignored. */
  async answer(
    taskId: string,
    subject: TaskOwner,
    answers: Readonly<Record<string, TaskAnswer>>,
  ): Promise<void> {
    await this.find(taskId, subject);
    await this.#reach(taskId, this.#repository.change(taskId, answerInput(answers, this.#clock.now())));
  }

  /** Cancels a task. It gives the task as it is afterwards: one that was over stays as it was. */
  async cancel(taskId: string, subject: TaskOwner): Promise<TaskRecord> {
    await this.find(taskId, subject);
    const change = cancelTask('The task was cancelled by request', this.#clock.now());
    return visible(await this.#reach(taskId, this.#repository.change(taskId, change)), subject);
  }

  /** The tasks of a subject, the oldest first. */
  list(subject: string, page: TaskPage): Promise<readonly TaskRecord[]> {
    return this.#reach('', this.#repository.list(subject, page));
  }

  /** Gives a task now and after each change, until it is gone or the signal is aborted. */
  async *watch(taskId: string, subject: TaskOwner, signal: AbortSignal): AsyncGenerator<TaskRecord> {
    for await (const task of this.follow(taskId, signal)) yield visible(task, subject);
  }

  /** Resolves when nothing runs here any more, and every outcome is stored. */
  async whenIdle(): Promise<void> {
    await Promise.all([...this.#running].map((task) => task.ended));
  }

  /**
   * The same for who began the task itself; undefined when it is gone. A store that does not answer is asked again, for as
   * long as the task may live.
   * @throws ToolError OUTCOME_UNKNOWN after that
   */
  async *follow(taskId: string, signal: AbortSignal): AsyncGenerator<TaskRecord | undefined> {
    const { settings, logger } = this.#environment;
    let until = this.#clock.now() + settings.ttl;
    const failures = taskStoreFailures(taskId);
    while (!signal.aborted) {
      try {
        for await (const task of this.#repository.watch(taskId, signal)) {
          failures.worked(logger);
          if (task !== undefined) until = endOfLife(task);
          yield task;
        }
      } catch (cause) {
        failures.failed(cause, logger);
        if (this.#clock.now() >= until) throw lostTask(cause);
        await waitFor(this.#clock, settings.pollInterval, signal);
      }
    }
  }

  /** Answers what a task asks, for who began it. */
  async answerOwn(taskId: string, answers: Readonly<Record<string, TaskAnswer>>): Promise<void> {
    const until = this.#clock.now() + this.#environment.settings.ttl;
    await askPatiently(this.#environment, { taskId, until }, () =>
      this.#repository.change(taskId, answerInput(answers, this.#clock.now())),
    );
  }

  /** Cancels a task, for who began it. It never rejects: nobody waits for its end any more. */
  async cancelOwn(taskId: string): Promise<void> {
    const change = cancelTask('The call was cancelled', this.#clock.now());
    await this.#repository.change(taskId, change).catch((cause: unknown) => this.#storeFailed(taskId, cause));
  }

  /** Lets go of what still runs here: others go on with it, or it is cancelled. A store that does not answer keeps no handler from being told. */
  async close(): Promise<void> {
    const closing = [...this.#running].map(async (task) => {
      const late = this.#pause(STORING);
      try {
        await Promise.race([task.leave(), late.over]);
      } finally {
        late.stop();
        task.abort(new Error('The server was shut down'));
      }
    });
    await Promise.allSettled(closing);
  }

  #newTask(subject: TaskOwner, asked: number | undefined): TaskRecord {
    const { settings, runner } = this.#environment;
    const facts = { taskId: randomUUID(), subject, statusMessage: undefined, runner: runner() };
    const times = { ttl: Math.min(asked ?? settings.ttl, settings.ttl), pollInterval: settings.pollInterval };
    return newTask(facts, times, this.#clock.now(), settings.lease);
  }

  /** @throws ToolError TRY_AGAIN_LATER */
  async #reach<Answer>(taskId: string, asked: Promise<Answer>): Promise<Answer> {
    try {
      return await asked;
    } catch (cause) {
      this.#storeFailed(taskId, cause);
      throw storeIsAway(cause);
    }
  }

  #storeFailed(taskId: string, cause: unknown): void {
    taskStoreFailures(taskId).failed(cause, this.#environment.logger);
  }

  #queueFailed(taskId: string, cause: unknown): void {
    const message = 'The queue of tasks does not answer.';
    this.#environment.logger.log({ level: 'warning', event: 'task.queue-failed', message, taskId, cause });
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
