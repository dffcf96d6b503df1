import type {
  AuthInfo,
  CallExchange,
  ClientDescription,
  LogLevel,
  QuestionOptions,
  Retry,
} from '../call/call-exchange.ts';
import { Cancellation } from '../call/call-context.ts';
import { Suspension } from '../call/suspension.ts';
import { ToolError } from '../errors/tool-error.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { PlainObject } from '../shared/json.ts';
import type { MaybePromise } from '../shared/maybe-promise.ts';
import { nextState, type CallEvent, type CallState } from './call-state.ts';
import type { CallProgress } from './conversation/journal.ts';
import { Recorder } from './conversation/recorder.ts';
import type { Outcome } from './outcome.ts';
import { ServedRequest, type Admission } from './served-request.ts';
import type { ServiceRequest } from './service-request.ts';

/** The task that a call may become; it carries the questions and messages of the call from then on. */
export interface CallTask extends Pick<CallExchange, 'notify' | 'log' | 'request'> {
  start(message?: string): Promise<void>;
  report(message: string): Promise<void>;
}

/** Answers one method of the protocol; whatever it throws beside a ProtocolError is a fault of the server. */
export type Method = (call: Call) => MaybePromise<Outcome>;

export type Methods = Readonly<Record<string, Method>>;

/** How often a run that is over may ask on before nobody waits for it any more. */
const MOST_LATE_CALLS = 100;

/**
 * One request while it is served, as its handler sees it. It has one reply and one end; a task has its reply before
 * its end. What belongs to the request ends with the reply (spec: basic/utilities/progress, Behavior Requirements).
 */
export class Call extends ServedRequest implements CallExchange {
  readonly #exchange: CallExchange;
  /** The call that this is one run of, where a handler runs again within its request. */
  readonly #whole: Call | undefined;
  #cancellation: Cancellation;
  #state: CallState = 'idle';
  #task: CallTask | 'undeclared' | undefined;
  #detached: CallTask | undefined;
  #progress: CallProgress | undefined;
  #recorder: Recorder | undefined;
  #isInterrupted = false;
  #lateCalls = 0;
  #abandon: () => void = () => undefined;
  #lastProgress = -Infinity;
  /** Called when the call has become a task. */
  onAccept: ((value: object) => void) | undefined;

  constructor(origin: ServiceRequest, admissions: readonly Admission[] = [], whole?: Call) {
    super(origin, admissions);
    this.#exchange = origin.exchange;
    this.#cancellation = origin.cancellation;
    this.#whole = whole;
  }

  get requestId(): string | number {
    return this.#exchange.requestId;
  }
  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }
  get isCancelled(): boolean {
    return this.#cancellation.isCancelled;
  }
  get sessionId(): string | undefined {
    return this.#exchange.sessionId;
  }
  get meta(): PlainObject {
    return this.#exchange.meta;
  }
  get authInfo(): AuthInfo | undefined {
    return this.#exchange.authInfo;
  }
  get retry(): Retry | undefined {
    return this.#exchange.retry;
  }
  get raw(): unknown {
    return this.#exchange.raw;
  }
  get releaseStream(): (() => void) | undefined {
    return this.#exchange.releaseStream;
  }
  get state(): CallState {
    return this.#state;
  }
  get isRunning(): boolean {
    return this.#state !== 'suspended' && this.#state !== 'done';
  }
  /** There when the handler has asked, or done a step, that has to be known when it runs again. */
  get recorder(): Recorder | undefined {
    return this.#recorder;
  }

  client(): ClientDescription {
    return this.#exchange.client();
  }

  header(name: string): string | undefined {
    return this.#exchange.header(name);
  }

  async notify(method: string, params: PlainObject): Promise<void> {
    const task = this.#runningTask;
    if (task === undefined && this.isReplied) return;
    const sendable = method === 'notifications/progress' ? this.#increased(params) : params;
    if (sendable !== undefined) await (task ?? this.#exchange).notify(method, sendable);
  }

  async log(level: LogLevel, data: unknown, logger: string | undefined): Promise<void> {
    const task = this.#runningTask;
    if (task !== undefined || !this.isReplied) await (task ?? this.#exchange).log(level, data, logger);
  }

  async request(method: string, params: PlainObject, options?: QuestionOptions): Promise<unknown> {
    const task = this.#runningTask;
    if (task !== undefined) return task.request(method, params, options);
    if (this.#state === 'suspended' || this.#isInterrupted) return this.#refuseLate();
    if (this.#state === 'done') throw isAnswered(method);
    if (this.#progress === undefined) return this.#exchange.request(method, params, options);
    return this.#record(this.#progress).request(method, params, options);
  }

  async step<T>(name: string, run: () => T | Promise<T>): Promise<T> {
    if (this.#recorder?.isSuspended === true || this.#isInterrupted) return this.#refuseLate();
    const isOpen = this.#state === 'idle' || this.#state === 'asking';
    const recorder = isOpen && this.#progress !== undefined ? this.#record(this.#progress) : this.#recorder;
    // What goes on after its call was answered, as tasks do, has its effects as it comes to them
    return recorder === undefined ? run() : recorder.step(name, run);
  }

  async startTask(message?: string): Promise<void> {
    if (this.#task === 'undeclared') throw undeclared();
    if (this.#task === undefined) await this.#whole?.startTask(message);
    else await this.#task.start(message);
  }

  async report(message: string): Promise<void> {
    await this.#runningTask?.report(message);
  }

  /** Its action is none that becomes a task, and must not try. */
  refuseTask(): void {
    this.#task = 'undeclared';
  }

  /** It may outlive its request, and has a cancellation of its own. */
  mayDetach(task: CallTask): void {
    this.#task = task;
    this.#cancellation = new Cancellation();
  }

  /** Is cancelled with its request from now on, until it has become a task. */
  followRequest(): void {
    const { cancellation } = this.origin;
    cancellation.onCancel(() => {
      if (this.#runningTask === undefined) this.cancel(cancellation.reason);
    });
  }

  /** It has become its task; the value answers the request. */
  detach(task: CallTask, value: object): void {
    this.#to('detach');
    this.#detached = task;
    this.onAccept?.(value);
    this.reply({ kind: 'accepted', value });
  }

  cancel(reason: unknown): void {
    this.#cancellation.cancel(reason);
  }

  /** What the handler asks and does is recorded, because it may run again. */
  record(progress: CallProgress, when: 'at-once' | 'when-used' = 'when-used'): void {
    this.#progress = progress;
    if (when === 'at-once') this.#record(progress);
  }

  /** Another run of the same handler within the same request. */
  again(progress: CallProgress): Call {
    const origin = { ...this.origin, exchange: this, cancellation: this.#cancellation };
    const call = new Call(origin, [], this);
    call.record(progress, 'at-once');
    return call;
  }

  /** The run of the handler is over, because a question has no answer. */
  suspend(): void {
    if (this.#state === 'asking') this.#to('suspend');
  }

  /** The handler has come to its end; what goes on of it can ask no more. */
  end(): void {
    if (this.isRunning) this.#to('end');
  }

  /** Ends the run for good: the handler may run again, so what goes on of this run must not do anything. */
  interrupt(): void {
    this.#isInterrupted = true;
    if (this.#state !== 'done') this.#to('end');
  }

  /** What the run comes to, unless it goes on and on although it is over. */
  unlessAbandoned<T>(run: Promise<T>): Promise<T | 'abandoned'> {
    return new Promise((resolve, reject) => {
      this.#abandon = () => {
        resolve('abandoned');
      };
      run.then(resolve, reject);
    });
  }

  get #runningTask(): CallTask | undefined {
    if (this.#detached !== undefined || this.#whole === undefined) return this.#detached;
    return this.#whole.#runningTask;
  }

  #to(event: CallEvent): void {
    this.#state = nextState(this.#state, event);
  }

  #record(progress: CallProgress): Recorder {
    if (this.#recorder === undefined) {
      this.#recorder = new Recorder(progress, this);
      this.#to('record');
    }
    return this.#recorder;
  }

  /** A handler that swallows the suspension and tries again must not cause effects or loop forever. */
  #refuseLate(): Promise<never> {
    this.#lateCalls += 1;
    const error = this.#isInterrupted ? isInterrupted() : new Suspension();
    if (this.#lateCalls <= MOST_LATE_CALLS) return Promise.reject(error);
    this.#abandon();
    return new Promise<never>(() => undefined);
  }

  /** Progress must increase, also when the handler runs again, and JSON writes NaN as null. */
  #increased(params: PlainObject): PlainObject | undefined {
    const { progress, total, ...others } = params;
    if (typeof progress !== 'number' || !Number.isFinite(progress) || progress <= this.#lastProgress)
      return undefined;
    this.#lastProgress = progress;
    return Number.isFinite(total) ? params : { progress, ...others };
  }
}

function isInterrupted(): ToolError {
  return new ToolError('CANCELLED', 'The call was cancelled');
}

function isAnswered(method: string): ToolError {
  return new ToolError(
    'CLIENT_UNREACHABLE',
    `The client cannot be asked any more (${method}), because the call is answered`,
    { suggestion: 'wait for every question before the handler comes to its end' },
  );
}

function undeclared(): ToolwrightError {
  return new ToolwrightError('TW_TASK_UNDECLARED', {
    where: 'startTask()',
    what: 'was called by an action that does not become a task.',
    why: 'clients are told beforehand which tools have tasks.',
    fix: "@Action({ task: 'on-demand' })",
  });
}
