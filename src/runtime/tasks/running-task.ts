import { randomUUID } from 'node:crypto';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { CallExchange, QuestionOptions } from '../../call/call-exchange.ts';
import { deriveExchange } from '../../call/derive-exchange.ts';
import { ProtocolError } from '../../call/protocol-error.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { LatestWrite } from './latest-write.ts';
import { askInput, finishTask, reportStatus } from './task-changes.ts';
import { taskIsOver, tooManyTasks } from './task-errors.ts';
import { taskExchange, type TaskMembers } from './task-exchange.ts';
import { followTask } from './follow-task.ts';
import { TaskInbox } from './task-inbox.ts';
import { isTerminal, newTask, type TaskOutcome, type TaskRecord } from './task-record.ts';
import { brokenOutcome, outcomeOf, plainCopy } from './task-outcome.ts';
import type { LiveTask, TaskSurroundings } from './task-surroundings.ts';
import type { TaskVoice } from './task-voice.ts';

/** How often a question is asked again because its answer is refused; one more is left to the handler. */
const MOST_REFUSALS = 3;

/** The call that may become a task, and what its client expects of tasks. */
export interface TaskOrigin {
  readonly exchange: CallExchange;
  /** Who may see the task; undefined lets everybody who knows its id. */
  readonly subject: string | undefined;
  /** Milliseconds; undefined takes the application's, which is also the most. */
  readonly ttl: number | undefined;
  readonly voice: (taskId: string) => TaskVoice;
  /** Whether an answer that is not accepted is asked for anew. */
  readonly asksAgain: boolean;
}

/** What a call is answered with: its result, or the task that it has become. */
export type CallOrTask =
  { readonly kind: 'result'; readonly result: object } | { readonly kind: 'task'; readonly task: TaskRecord };

/**
 * Runs a call with the exchange of its request. The handler gets what `enter` makes of the exchange that
 * reaches it, so that whatever lies between may answer the request with a question.
 */
export type TaskWork = (
  exchange: CallExchange,
  enter: (exchange: CallExchange) => CallExchange,
) => MaybePromise<object>;

/** One call: an ordinary one until it is started as a task, from where on it outlives its request. */
export class RunningTask implements LiveTask {
  readonly taskId = randomUUID();
  readonly ended: Promise<void>;
  /** Resolves when the call has become a task, which most calls never do. */
  readonly started: Promise<TaskRecord>;
  readonly #origin: TaskOrigin;
  readonly #voice: TaskVoice;
  readonly #around: TaskSurroundings;
  readonly #inbox = new TaskInbox();
  readonly #cancelling = new AbortController();
  /** Ends the watch where no final record will. */
  readonly #over = new AbortController();
  readonly #messages: LatestWrite<string>;
  #tellEnded: () => void = () => undefined;
  #tellStarted: (task: TaskRecord) => void = () => undefined;
  #starting: Promise<TaskRecord> | undefined;
  #isStarted = false;

  constructor(origin: TaskOrigin, surroundings: TaskSurroundings) {
    this.#origin = origin;
    this.#voice = origin.voice(this.taskId);
    this.#around = surroundings;
    const { ledger, clock, logger } = surroundings;
    const { taskId } = this;
    this.#messages = new LatestWrite(
      (message) => ledger.change(taskId, reportStatus(message, clock.now())),
      (cause) => {
        const message = 'The status message of a task could not be stored.';
        logger.log({ level: 'warning', event: 'task.store-failed', message, taskId, cause });
      },
    );
    this.ended = new Promise((resolve) => {
      this.#tellEnded = resolve;
    });
    this.started = new Promise((resolve) => {
      this.#tellStarted = resolve;
    });
  }

  /** Runs the call. It gives the result, or the task as soon as the call has become one and runs on. */
  async run(work: TaskWork): Promise<CallOrTask> {
    const { exchange } = this.#origin;
    const abort = (): void => {
      if (!this.#isStarted) this.abort(exchange.signal.reason);
    };
    exchange.signal.addEventListener('abort', abort);
    if (exchange.signal.aborted) abort();
    try {
      const started = this.started.then((task) => ({ kind: 'task', task }) as const);
      return await Promise.race([started, this.#finish(work)]);
    } finally {
      exchange.signal.removeEventListener('abort', abort);
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

  abort(reason: unknown): void {
    this.#cancelling.abort(reason);
  }

  async #create(statusMessage: string | undefined): Promise<TaskRecord> {
    const { settings, clock, ledger, runner } = this.#around;
    const { subject, ttl = settings.ttl } = this.#origin;
    const facts = { taskId: this.taskId, subject, statusMessage, runner };
    const times = { ttl: Math.min(ttl, settings.ttl), pollInterval: settings.pollInterval };
    const task = newTask(facts, times, clock.now());
    if (!(await ledger.create(task, settings.limits))) throw tooManyTasks();
    this.#isStarted = true;
    this.#around.onStart(this);
    void followTask(this.#around, {
      taskId: this.taskId,
      over: this.#over.signal,
      inbox: this.#inbox,
      voice: this.#voice,
      abort: (reason) => {
        this.abort(reason);
      },
    });
    this.#tellStarted(task);
    return task;
  }

  async #finish(work: TaskWork): Promise<CallOrTask> {
    try {
      const result = await work(this.#callExchange(), (exchange) => this.#enter(exchange));
      // A handler may be done before the task that it started exists.
      await this.#starting?.catch(() => undefined);
      if (this.#isStarted) await this.#settle(outcomeOf(result));
      return { kind: 'result', result };
    } catch (thrown) {
      if (this.#isStarted) await this.#settleBroken(thrown);
      throw thrown;
    } finally {
      this.#around.onEnd(this);
      this.#tellEnded();
    }
  }

  /** A task that is started already cannot answer its request any more, not even with a question. */
  #callExchange(): CallExchange {
    const { exchange } = this.#origin;
    const { signal } = this.#cancelling;
    return deriveExchange(exchange, this.#isStarted ? { signal, retry: undefined } : { signal });
  }

  #enter(exchange: CallExchange): CallExchange {
    const members: TaskMembers = {
      notify: (method, params) => this.#voice.notify(method, params),
      log: (level, data, logger) => this.#voice.log(level, data, logger),
      startTask: (message) => this.start(message),
      report: async (message) => {
        if (this.#isStarted) await this.#messages.put(message);
      },
      request: (method, params, options) => this.#ask(method, params, options),
    };
    return taskExchange(exchange, members, () => this.#isStarted);
  }

  async #ask(method: string, params: PlainObject, options: QuestionOptions = {}): Promise<unknown> {
    const { ledger, clock } = this.#around;
    const { name = method.replace('/', '-'), accepts } = options;
    const request = { method, params: plainCopy(params) };
    for (let refusals = 0; ; refusals += 1) {
      const key = this.#inbox.keyFor(name);
      const answered = this.#inbox.wait(key);
      const task = await ledger.change(this.taskId, askInput(key, request, clock.now()));
      if (task === undefined || isTerminal(task)) throw taskIsOver(method);
      const answer = await answered;
      if (!this.#origin.asksAgain || refusals >= MOST_REFUSALS) return answer;
      if (isPlainObject(answer) && (accepts === undefined || (await accepts(answer)))) return answer;
    }
  }

  async #settleBroken(cause: unknown): Promise<void> {
    const { taskId } = this;
    const { logger } = this.#around;
    if (!ProtocolError.is(cause)) {
      logger.log({ level: 'error', event: 'task.escaped', message: 'A task broke.', taskId, cause });
    }
    await this.#settle(brokenOutcome(cause));
  }

  async #settle(outcome: TaskOutcome): Promise<void> {
    const { ledger, clock, logger } = this.#around;
    try {
      await ledger.change(this.taskId, finishTask(outcome, clock.now()));
    } catch (cause) {
      const message = 'The outcome of a task could not be stored.';
      logger.log({ level: 'error', event: 'task.lost', message, taskId: this.taskId, cause });
      this.#over.abort();
    }
  }
}
