import type { LogLevel, QuestionOptions } from '../../call/request-context.ts';
import { cancelledError } from '../../call/request-client.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import { failureFactsOf, withoutChallenge, type Outcome } from '../../kernel/call/outcome.ts';
import { NO_CLIENT } from '../../runtime/clients/served-clients.ts';
import type { Origin, WorkerTask } from '../../kernel/call/service-request.ts';
import { followTask, type LiveTask, type TaskEnvironment } from './follow-task.ts';
import type { RestartRule } from '../../kernel/call/service-request.ts';
import { QueuedOrigin } from './queued-call.ts';
import { LatestWrite, readTaskOutcome } from './running-task.ts';
import {
  addToJournal,
  finishTask,
  whileHeld,
  isHeldBy,
  leaveWork,
  markWork,
  renewLease,
  reportProgress,
  reportStatus,
  takeAnswers,
  type TaskChange,
} from './task-changes.ts';
import { silentNotifier } from '../../runtime/tasks/task-port.ts';
import { askInTask, PendingInputs } from './task-questions.ts';
import { askPatiently } from './patient-store.ts';
import { endOfLife, isTerminal, type TaskRecord } from '../../runtime/tasks/task-record.ts';
import { taskStoreFailures } from '../../runtime/tasks/task-protocol.ts';

/** Serves the call of a task. It never rejects. */
export type ServeWork = (request: Origin) => MaybePromise<Outcome>;

/**
 * - `done`: there is nothing left to do, here at least.
 * - `again`: the same call still runs elsewhere, and its result is wanted.
 * - `left`: this process ends, and another one goes on.
 */
export type WorkEnd = 'done' | 'again' | 'left';

/** The steps of the framework itself; they do not say that a handler is made of steps. */
const OWN_STEP = 'toolwright/';

/** The task of a queue in the process of its worker. It writes as long as no other worker has taken the task over. */
export class WorkedTask implements LiveTask, WorkerTask {
  readonly taskId: string;
  readonly ended: Promise<void>;
  readonly #task: TaskRecord;
  readonly #fence: number | undefined;
  readonly #environment: TaskEnvironment;
  readonly #request: QueuedOrigin;
  readonly #pending: PendingInputs;
  readonly #over = new AbortController();
  readonly #messages: LatestWrite<TaskChange>;
  /** The steps that earlier workers did, by name. */
  readonly #done: ReadonlyMap<string, { readonly value?: unknown }>;
  readonly #stepNames = new Set<string>();
  /** The task as this process has left it. */
  #known: TaskRecord;
  #leaseUntil: number;
  #rule: RestartRule = 'again';
  #isStepwise: boolean;
  #isEntered = false;
  #isLeft = false;
  #tellEnded: () => void = () => undefined;
  #tellLeft: (end: 'left') => void = () => undefined;

  /** @param task as this process has taken it */
  constructor(task: TaskRecord, environment: TaskEnvironment) {
    const { journal = [], call, work, taskId, leaseUntil } = task;
    if (call === undefined) throw new TypeError('A task of a queue has a call');
    this.taskId = taskId;
    this.#task = task;
    this.#known = task;
    this.#fence = work?.fence;
    this.#environment = environment;
    this.#request = new QueuedOrigin(call);
    this.#pending = new PendingInputs(journal);
    const steps = journal.filter((entry) => entry.kind === 'step');
    this.#done = new Map(steps.map((step) => [step.name, step]));
    this.#isStepwise = steps.some(({ name }) => !name.startsWith(OWN_STEP));
    this.#leaseUntil = leaseUntil;
    this.#messages = new LatestWrite(
      (change) => this.#change(change),
      (cause) => this.#warn(cause),
    );
    this.ended = new Promise((resolve) => {
      this.#tellEnded = resolve;
    });
  }

  async run(serve: ServeWork): Promise<WorkEnd> {
    const left = new Promise<'left'>((resolve) => {
      this.#tellLeft = resolve;
    });
    this.#environment.onStart(this);
    void followTask(this.#environment, {
      taskId: this.taskId,
      over: this.#over.signal,
      pending: this.#pending,
      notifier: silentNotifier,
      fence: this.#fence,
      change: (change) => this.#change(change),
      take: (task, keys) => this.#heard(task, keys),
      abort: (reason) => {
        this.abort(reason);
      },
    });
    try {
      return await Promise.race([this.#serve(serve), left]);
    } finally {
      this.#over.abort();
      this.#environment.onEnd(this);
      this.#tellEnded();
    }
  }

  enter(): void {
    this.#isEntered = true;
  }

  /** Puts down that from now on the handler may have effects. @throws ToolError CANCELLED if that must not be */
  async begin(rule: RestartRule): Promise<void> {
    this.#rule = rule;
    await this.#hold(markWork(rule === 'steps' && this.#isStepwise ? 'stepwise' : 'begun'));
  }

  /** The value of a step that was done before; else it is done, and put down before the handler goes on. */
  async step<T>(name: string, run: () => T | Promise<T>): Promise<T> {
    const key = this.#freeName(name);
    const done = this.#done.get(key);
    if (done !== undefined) return structuredClone(done.value) as T;
    const { clock, settings } = this.#environment;
    const isFirst = this.#rule === 'steps' && !this.#isStepwise && !name.startsWith(OWN_STEP);
    if (isFirst) {
      await this.#hold(markWork('stepwise'));
      this.#isStepwise = true;
    }
    // A process that was paused may have lost its task without knowing it
    if (clock.now() >= this.#leaseUntil) {
      await clock.refresh();
      await this.#hold(renewLease(clock.now() + settings.lease));
    }
    const value = await run();
    await this.#hold(addToJournal([{ kind: 'step', name: key, value }]));
    return value;
  }

  request(method: string, params: PlainObject, options?: QuestionOptions): Promise<unknown> {
    const { clock } = this.#environment;
    const asking = {
      pending: this.#pending,
      asksAgain: this.#task.call?.protocol === '2026',
      now: () => clock.now(),
      change: (change: TaskChange) => this.#write(change),
    };
    return askInTask(asking, method, params, options);
  }

  async start(message?: string): Promise<void> {
    if (message !== undefined) await this.#report(message);
  }

  /** Where the client wants progress, {@link notify} says the same and more. */
  async report(message: string): Promise<void> {
    if (this.#request.meta['progressToken'] === undefined) await this.#report(message);
  }

  async notify(method: string, params: PlainObject): Promise<void> {
    if (method !== 'notifications/progress') return;
    const { progressToken: _token, ...progress } = params;
    const { message } = progress;
    const counted = [progress['progress'], progress['total']].filter((count) => typeof count === 'number');
    const text = typeof message === 'string' ? message : counted.join(' of ');
    await this.#messages.put(reportProgress(text, progress, this.#environment.clock.now()));
  }

  async log(_level: LogLevel, _data: unknown, _logger: string | undefined): Promise<void> {
    await Promise.resolve();
  }

  abort(reason: unknown): void {
    this.#request.cancellation.cancel(reason);
    if (this.#isLeft) this.#tellLeft('left');
  }

  async leave(): Promise<void> {
    this.#isLeft = true;
    await this.#write(leaveWork(this.#environment.clock.now()));
  }

  async #serve(serve: ServeWork): Promise<WorkEnd> {
    const { params = {} } = this.#task.call ?? {};
    const { cancellation } = this.#request;
    const request: Origin = {
      ...{ method: 'tools/call', params, cancellation },
      ...{ context: this.#request, served: NO_CLIENT, task: this },
    };
    const outcome = withoutChallenge(await serve(request), request);
    if (this.#isLeft) return 'left';
    const isBusy = failureFactsOf(outcome)?.['code'] === 'IDEMPOTENCY_IN_PROGRESS';
    if (isBusy || !this.#isEntered) {
      await this.#write(leaveWork(this.#environment.clock.now()));
      if (!isBusy) this.#tellUnknown();
      return isBusy ? 'again' : 'done';
    }
    await this.#write(finishTask(readTaskOutcome(outcome), this.#environment.clock.now()));
    return 'done';
  }

  /** A worker of another release knows the action; it is on the queue again when its client polls. */
  #tellUnknown(): void {
    const { taskId } = this;
    const message = 'A task was left to other workers: this one does not have its action.';
    this.#environment.logger.log({ level: 'warning', event: 'task.unknown-action', message, taskId });
  }

  #report(message: string): Promise<void> {
    return this.#messages.put(reportStatus(message, this.#environment.clock.now()));
  }

  /** Answers that the handler gets are put down for the one that goes on, if this one is lost. */
  #heard({ answers }: TaskRecord, keys: readonly string[]): TaskChange {
    const heard = keys.flatMap((key) => {
      const answer = answers[key];
      const print = this.#pending.printOf(key);
      return answer === undefined ? [] : [{ kind: 'answer', key, print, answer } as const];
    });
    return addToJournal(heard, takeAnswers(keys));
  }

  async #change(change: TaskChange): Promise<TaskRecord | undefined> {
    const { repository } = this.#environment;
    const task = await repository.change(this.taskId, whileHeld(this.#fence, change), this.#known);
    if (task !== undefined && task.version > this.#known.version) this.#known = task;
    if (task !== undefined && isHeldBy(task, this.#fence)) this.#leaseUntil = task.leaseUntil;
    return task;
  }

  /** Changes the task, for what may only be done as long as this process has it. @throws ToolError CANCELLED */
  async #hold(change: TaskChange): Promise<void> {
    const task = await this.#write(change);
    if (task !== undefined && !isTerminal(task) && isHeldBy(task, this.#fence)) return;
    this.abort(new Error('Another process has taken the task over, or it is over'));
    throw cancelledError(this.#request.signal);
  }

  /** Tries until the store has it: a task that runs goes on while its store is down. */
  async #write(change: TaskChange): Promise<TaskRecord | undefined> {
    const { taskId } = this;
    const until = endOfLife(this.#task);
    return askPatiently(this.#environment, { taskId, until }, () => this.#change(change)).catch(
      () => undefined,
    );
  }

  #warn(cause: unknown): void {
    taskStoreFailures(this.taskId).failed(cause, this.#environment.logger);
  }

  #freeName(name: string): string {
    let free = name;
    for (let number = 2; this.#stepNames.has(free); number += 1) free = `${name}-${String(number)}`;
    this.#stepNames.add(free);
    return free;
  }
}
