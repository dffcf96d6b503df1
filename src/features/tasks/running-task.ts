import { randomUUID } from 'node:crypto';
import type { LogLevel, QuestionOptions } from '../../call/request-context.ts';
import { ProtocolError, INTERNAL_ERROR } from '../../call/protocol-error.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { Call } from '../../kernel/call/call.ts';
import { withoutChallenge, type Outcome } from '../../kernel/call/outcome.ts';
import type { CallTask } from '../../kernel/call/service-request.ts';
import { cancelTask, finishTask, reportStatus, takeAnswers, type TaskChange } from './task-changes.ts';
import { askInTask, PendingInputs, plainCopy } from './task-questions.ts';
import { tooManyTasks, storeIsDown } from '../../runtime/tasks/task-protocol.ts';
import { followTask, type LiveTask, type TaskEnvironment } from './follow-task.ts';
import { askPatiently } from './patient-store.ts';
import { endOfLife, newTask, type TaskOutcome, type TaskRecord } from '../../runtime/tasks/task-record.ts';
import type { TaskNotifier } from '../../runtime/tasks/task-port.ts';

/** The call that may become a task, and what its client expects of tasks. */
export interface TaskOrigin {
  readonly call: Call;
  /** Who may see the task; undefined lets everybody who knows its id. */
  readonly subject: string | undefined;
  /** Milliseconds; undefined takes the application's, which is also the most. */
  readonly ttl: number | undefined;
  readonly notifier: (taskId: string) => TaskNotifier;
  /** Whether a refused answer is asked for again. */
  readonly asksAgain: boolean;
  /** What answers the request when the call has become a task. */
  readonly answer: (task: TaskRecord) => object;
}

/** One call: an ordinary one until it is started as a task, from where on it outlives its request. */
export class RunningTask implements LiveTask, CallTask {
  readonly taskId = randomUUID();
  readonly ended: Promise<void>;
  readonly #origin: TaskOrigin;
  readonly #notifier: TaskNotifier;
  readonly #environment: TaskEnvironment;
  readonly #pending = new PendingInputs();
  /** Ends the watch where no final record will. */
  readonly #over = new AbortController();
  readonly #messages: LatestWrite<string>;
  #tellEnded: () => void = () => undefined;
  #starting: Promise<TaskRecord> | undefined;
  /** When the task may be forgotten, in milliseconds since the epoch. */
  #end = 0;
  #isStarted = false;

  constructor(origin: TaskOrigin, environment: TaskEnvironment) {
    this.#origin = origin;
    this.#notifier = origin.notifier(this.taskId);
    this.#environment = environment;
    const { repository, clock, logger } = environment;
    const { taskId } = this;
    this.#messages = new LatestWrite(
      (message) => repository.change(taskId, reportStatus(message, clock.now())),
      (cause) => {
        const message = 'The status message of a task could not be stored.';
        logger.log({ level: 'warning', event: 'task.store-failed', message, taskId, cause });
      },
    );
    this.ended = new Promise((resolve) => {
      this.#tellEnded = resolve;
    });
    origin.call.mayDetach(this);
  }

  /** Runs the call to its end, as whatever it becomes. */
  async run(work: () => MaybePromise<Outcome>): Promise<Outcome> {
    try {
      this.#origin.call.followRequest();
      const outcome = await work();
      // A handler may be done before the task that it started exists.
      await this.#starting?.catch(() => undefined);
      const { origin } = this.#origin.call;
      if (this.#isStarted) await this.#settle(readTaskOutcome(withoutChallenge(outcome, origin)));
      return outcome;
    } catch (thrown) {
      if (this.#isStarted) await this.#settleBroken(thrown);
      throw thrown;
    } finally {
      this.#environment.onEnd(this);
      this.#tellEnded();
    }
  }

  /**
   * Makes the call a task, which it then stays; later calls only change the status message.
   * @throws ToolError TASK_LIMIT
   */
  async start(message?: string): Promise<void> {
    const isFirst = this.#starting === undefined;
    this.#starting ??= this.#create(message);
    await this.#starting;
    if (!isFirst && message !== undefined) await this.#messages.put(message);
  }

  async report(message: string): Promise<void> {
    await this.#messages.put(message);
  }

  notify(method: string, params: PlainObject): Promise<void> {
    return this.#notifier.notify(method, params);
  }

  log(level: LogLevel, data: unknown, logger: string | undefined): Promise<void> {
    return this.#notifier.log(level, data, logger);
  }

  abort(reason: unknown): void {
    this.#origin.call.cancel(reason);
  }

  request(method: string, params: PlainObject, options?: QuestionOptions): Promise<unknown> {
    const { clock } = this.#environment;
    const asking = {
      pending: this.#pending,
      asksAgain: this.#origin.asksAgain,
      now: () => clock.now(),
      change: (change: TaskChange) => this.#store(change, this.#end),
    };
    return askInTask(asking, method, params, options);
  }

  leave(): Promise<unknown> {
    return this.#change(cancelTask('The server was shut down', this.#environment.clock.now()));
  }

  #change(change: TaskChange): Promise<TaskRecord | undefined> {
    return this.#environment.repository.change(this.taskId, change);
  }

  async #create(statusMessage: string | undefined): Promise<TaskRecord> {
    const { settings, clock, runner } = this.#environment;
    const { subject, ttl = settings.ttl } = this.#origin;
    const facts = { taskId: this.taskId, subject, statusMessage, runner: runner() };
    const times = { ttl: Math.min(ttl, settings.ttl), pollInterval: settings.pollInterval };
    await clock.known();
    const task = newTask(facts, times, clock.now(), settings.lease);
    await storeTask(this.#environment, task);
    this.#end = endOfLife(task);
    this.#isStarted = true;
    this.#environment.onStart(this);
    void followTask(this.#environment, {
      taskId: this.taskId,
      over: this.#over.signal,
      pending: this.#pending,
      notifier: this.#notifier,
      change: (change) => this.#change(change),
      take: (_task, keys) => takeAnswers(keys),
      abort: (reason) => {
        this.abort(reason);
      },
    });
    this.#origin.call.detach(this, this.#origin.answer(task), this.ended);
    return task;
  }

  async #settleBroken(cause: unknown): Promise<void> {
    const { taskId } = this;
    const { logger } = this.#environment;
    if (!ProtocolError.is(cause)) {
      logger.log({ level: 'error', event: 'task.escaped', message: 'A task broke.', taskId, cause });
    }
    await this.#settle(brokenOutcome(cause));
  }

  async #settle(outcome: TaskOutcome): Promise<void> {
    const { clock, settings, logger } = this.#environment;
    const { taskId } = this;
    // After that, others may take the task for lost
    const until = Math.min(this.#end, clock.now() + settings.lease);
    try {
      await this.#store(finishTask(outcome, clock.now()), until);
    } catch (cause) {
      const message = 'The outcome of a task could not be stored.';
      logger.log({ level: 'error', event: 'task.lost', message, taskId, cause });
      this.#over.abort();
    }
  }

  #store(change: TaskChange, until: number): Promise<TaskRecord | undefined> {
    return askPatiently(this.#environment, { taskId: this.taskId, until }, () => this.#change(change));
  }
}

/** @throws ToolError TASK_LIMIT, or TRY_AGAIN_LATER when the store fails */
export async function storeTask(
  { repository, settings, logger }: TaskEnvironment,
  task: TaskRecord,
): Promise<void> {
  const isStored = await repository.create(task, settings.limits).catch((cause: unknown) => {
    const message = 'The store of tasks does not answer; a task was refused.';
    logger.log({ level: 'warning', event: 'task.store-failed', message, taskId: task.taskId, cause });
    throw storeIsDown(cause);
  });
  if (!isStored) throw tooManyTasks();
}

/** A result with `isError` is a result; only what ends a call as a JSON-RPC error makes a task fail. */
export function readTaskOutcome(outcome: Outcome): TaskOutcome {
  if (outcome.kind === 'failure') return brokenOutcome(outcome.error);
  const { value } = outcome;
  const isQuestion = 'resultType' in value && value.resultType === 'input_required';
  return isQuestion ? brokenOutcome(askedTooEarly()) : { kind: 'result', result: plainCopy({ ...value }) };
}

/** Errors that are not meant for clients are masked. */
function brokenOutcome(thrown: unknown): TaskOutcome {
  const failure = ProtocolError.is(thrown) ? thrown : hidden();
  const { code, message } = failure;
  return { kind: 'error', error: { code, message, ...plainData(failure) } };
}

/** Data that JSON does not carry, such as a bigint, is left out: without an outcome the task would never end. */
function plainData({ data }: ProtocolError): { readonly data?: PlainObject } {
  if (data === undefined) return {};
  try {
    return { data: plainCopy(data) };
  } catch {
    return {};
  }
}

function hidden(): ProtocolError {
  return new ProtocolError(INTERNAL_ERROR, 'The server failed in this task');
}

/** A question of the call itself cannot be answered any more: the call was answered with the task. */
function askedTooEarly(): ProtocolError {
  const message = 'The handler became a task while it still waited for an answer to its call';
  return new ProtocolError(INTERNAL_ERROR, message);
}

/** Writes values one after the other, and of those that come in the meantime only the latest. */
export class LatestWrite<Value> {
  readonly #write: (value: Value) => Promise<unknown>;
  readonly #onFailure: (cause: unknown) => void;
  #hasFailed = false;
  #next: { readonly value: Value } | undefined;
  #writing: Promise<void> | undefined;

  /** @param onFailure told of the first that cannot be written; a later value takes its place */
  constructor(write: (value: Value) => Promise<unknown>, onFailure: (cause: unknown) => void) {
    this.#write = write;
    this.#onFailure = onFailure;
  }

  /** Resolves when the value is written, or a later one is. */
  put(value: Value): Promise<void> {
    this.#next = { value };
    this.#writing ??= this.#writeAll();
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#next !== undefined) {
      const { value } = this.#next;
      this.#next = undefined;
      await this.#write(value).catch((cause: unknown) => {
        if (!this.#hasFailed) this.#onFailure(cause);
        this.#hasFailed = true;
      });
    }
    this.#writing = undefined;
  }
}
