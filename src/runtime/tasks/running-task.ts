import { randomUUID } from 'node:crypto';
import type { LogLevel, QuestionOptions } from '../../call/call-exchange.ts';
import { ProtocolError } from '../../call/protocol-error.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { Call, CallTask } from '../call.ts';
import type { Outcome } from '../outcome.ts';
import { LatestWrite } from './latest-write.ts';
import { askInput, finishTask, reportStatus } from './task-changes.ts';
import { taskIsOver, tooManyTasks } from './task-errors.ts';
import { followTask } from './follow-task.ts';
import { TaskInbox } from './task-inbox.ts';
import { isTerminal, newTask, type TaskOutcome, type TaskRecord } from './task-record.ts';
import { brokenOutcome, plainCopy, taskOutcomeOf } from './task-outcome.ts';
import type { LiveTask, TaskSurroundings } from './task-surroundings.ts';
import type { TaskVoice } from './task-voice.ts';

/** How often a question is asked again because its answer is refused; one more is left to the handler. */
const MOST_REFUSALS = 3;

/** The call that may become a task, and what its client expects of tasks. */
export interface TaskOrigin {
  readonly call: Call;
  /** Who may see the task; undefined lets everybody who knows its id. */
  readonly subject: string | undefined;
  /** Milliseconds; undefined takes the application's, which is also the most. */
  readonly ttl: number | undefined;
  readonly voice: (taskId: string) => TaskVoice;
  /** Whether an answer that is not accepted is asked for anew. */
  readonly asksAgain: boolean;
  /** What answers the request when the call has become a task. */
  readonly answer: (task: TaskRecord) => object;
}

/** One call: an ordinary one until it is started as a task, from where on it outlives its request. */
export class RunningTask implements LiveTask, CallTask {
  readonly taskId = randomUUID();
  readonly ended: Promise<void>;
  readonly #origin: TaskOrigin;
  readonly #voice: TaskVoice;
  readonly #around: TaskSurroundings;
  readonly #inbox = new TaskInbox();
  /** Ends the watch where no final record will. */
  readonly #over = new AbortController();
  readonly #messages: LatestWrite<string>;
  #tellEnded: () => void = () => undefined;
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
    origin.call.mayDetach(this);
  }

  /** Runs the call to its end, as whatever it becomes. */
  async run(work: () => MaybePromise<Outcome>): Promise<Outcome> {
    try {
      this.#origin.call.followRequest();
      const outcome = await work();
      // A handler may be done before the task that it started exists.
      await this.#starting?.catch(() => undefined);
      if (this.#isStarted) await this.#settle(taskOutcomeOf(outcome));
      return outcome;
    } catch (thrown) {
      if (this.#isStarted) await this.#settleBroken(thrown);
      throw thrown;
    } finally {
      this.#around.onEnd(this);
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
    return this.#voice.notify(method, params);
  }

  log(level: LogLevel, data: unknown, logger: string | undefined): Promise<void> {
    return this.#voice.log(level, data, logger);
  }

  abort(reason: unknown): void {
    this.#origin.call.cancel(reason);
  }

  /** Puts a question into the task, for the client to find it there. */
  async request(method: string, params: PlainObject, options: QuestionOptions = {}): Promise<unknown> {
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
    this.#origin.call.detach(this, this.#origin.answer(task));
    return task;
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
