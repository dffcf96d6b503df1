import { Cancellation } from '../../call/call-context.ts';
import type { ProtocolError } from '../../call/protocol-error.ts';
import type {
  AuthInfo,
  Caller,
  ClientDescription,
  LogLevel,
  QuestionOptions,
  RequestContext,
  Retry,
  Whole,
} from '../../call/request-context.ts';
import { Suspension } from '../../call/step.ts';
import type { SensitiveValues } from '../../errors/redact.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { Authority } from './authority.ts';
import { isAnswered, isInterrupted, isUndeclared, shuttingDown } from './call-errors.ts';
import type { Outcome } from './outcome.ts';
import type { CallProgress } from './replay/journal.ts';
import { Recorder } from './replay/recorder.ts';
import type { RequestState } from './replay/request-states.ts';
import type { Admission, CallTarget, CallTask, ServedContext, Origin } from './service-request.ts';
import type { States } from './states.ts';
import type { Observation } from './telemetry.ts';

/**
 * - `idle`: the handler runs, and nothing is recorded.
 * - `asking`: it asks or runs steps; both are recorded.
 * - `suspended`: its run has ended with a question, which answers the request. The handler runs again with the answer.
 * - `detached`: the call has become a task. Its request is answered; the task carries its questions and messages.
 * - `done`: the handler has ended.
 */
export type CallState = 'idle' | 'asking' | 'suspended' | 'detached' | 'done';

export type CallEvent = 'record' | 'suspend' | 'detach' | 'end';

const TRANSITIONS: Readonly<Record<CallState, Readonly<Partial<Record<CallEvent, CallState>>>>> = {
  idle: { record: 'asking', detach: 'detached', end: 'done' },
  asking: { suspend: 'suspended', detach: 'detached', end: 'done' },
  // A run that is cancelled after its suspension has no question to answer with
  suspended: { end: 'done' },
  detached: { end: 'done' },
  done: {},
};

/** @throws Error for an event that is impossible in the state */
export function nextState(state: CallState, event: CallEvent): CallState {
  const next = TRANSITIONS[state][event];
  if (next === undefined) throw new Error(`A call that is ${state} cannot ${event}`);
  return next;
}

/** Answers a call, or does what is left of it. It may throw a ProtocolError; whatever else it throws is a fault. */
export type Handle = (call: Call) => MaybePromise<Outcome>;

/** The ways of one target: `plain` for requests that begin a call without a task, `whole` for all, `inner` for accepted calls. */
export type Route = Readonly<{ target: CallTarget; plain: Handle; whole: Handle; inner: Handle }>;

/** Replays the calls of clients that answer questions by calling again. */
export interface Replayer {
  /** Answers the request when the handler has ended, or a question has suspended it. */
  finish(call: Call, outcome: Outcome): MaybePromise<Outcome>;
  /** Answers the request when the handler has thrown. */
  fail(call: Call, thrown: unknown): MaybePromise<Outcome>;
  /** Answers the request when the handler keeps asking after its run is over. */
  abandon(call: Call): void;
  /** Runs the handler with the answers that the request brings. */
  resume(call: Call, state: RequestState | ProtocolError): MaybePromise<Outcome>;
}

/** How often a finished run may ask before it is abandoned. */
const MOST_LATE_CALLS = 100;

/** The time that a call may take. */
export interface CallTime {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;
  /** Stops the time until this is settled. */
  outside<T>(waiting: Promise<T>): Promise<T>;
}

/** Tools that belong to no group. */
export interface ToolsBeside {
  /** Whether the client of a call is listed the tool of this name. */
  isListed(name: string, call: Call): boolean;
}

export const NO_ARGUMENTS: PlainObject = Object.freeze({});

/**
 * One request while it is served, as its handler sees it. It has one reply and one end; a task replies before it ends.
 * Notifications of the request end with the reply (spec: basic/utilities/progress, Behavior Requirements).
 * A call is the request of a handler that runs again, so it has every member of one. Features add fields of their own
 * in their `call-fields.ts`.
 */
export class Call implements Whole<ServedContext> {
  readonly origin: Origin;
  readonly context: ServedContext;
  target: CallTarget | undefined;
  /** The arguments, with the variables of the name or URI. */
  args = NO_ARGUMENTS;
  /** All that was sent, where the arguments are only a part of it. */
  declare carried: PlainObject | undefined;
  /** Answers a call of an unknown target. */
  answerMiss: (() => MaybePromise<Outcome>) | undefined;
  /** The state that the client sent back, or why it is refused. */
  opened: RequestState | ProtocolError | undefined;
  /** Defined where a question can be the answer. */
  replayer: Replayer | undefined;
  /** Lets another process run the call, in the version that was chosen; undefined where it runs here. */
  declare handOver: ((version: string | undefined) => Promise<Outcome>) | undefined;
  /** What features keep in the application that serves the call, also after another one took its place. */
  declare states: States;
  /** Called when the call has become a task. */
  declare onAccept: ((value: object) => void) | undefined;
  /** Called when the handler keeps asking after its run is over. */
  declare onAbandon: (() => void) | undefined;
  /** Where its client got its tools; set where an application has several surfaces. */
  declare surface: string | undefined;
  /** Whether its client is listed what fits it, and not what groups say or what it chose. */
  declare isFitted: boolean | undefined;
  /** What its client is listed beside the tools of groups; set where an application has several surfaces. */
  declare beside: ToolsBeside | undefined;
  /** Who calls; set where something is required of callers. */
  declare authority: Authority | undefined;
  /** Who calls from this machine, where the request does not say it. */
  declare localCaller: AuthInfo | undefined;
  /** Set where the call names something that does not exist, or that its caller may not see. */
  declare namesNothing: boolean | undefined;
  /** Set where the URI that it names may have a sensitive value in it. */
  declare hidesUri: boolean | undefined;
  /** The sensitive values of its client's answers. */
  declare hidden: SensitiveValues[] | undefined;
  /** Set where the call has a time limit. */
  declare limit: CallTime | undefined;
  /** Set where somebody observes it. */
  declare observation: Observation | undefined;
  /** Set where it runs once for its key. */
  declare idempotency: RequestContext['idempotency'];
  /** Made with the first progress. */
  declare private lastProgress: number | undefined;
  readonly #admissions: readonly Admission[];
  /** The original call, where a handler is replayed within one request. */
  readonly #whole: Call | undefined;
  cancellation: Cancellation;
  #state: CallState = 'idle';
  #isAdmitted = false;
  #reply: Outcome | undefined;
  #deliver: ((outcome: Outcome) => void) | undefined;
  #task: CallTask | undefined;
  #detached: CallTask | undefined;
  #recorder: Recorder | undefined;
  #isInterrupted = false;
  #lateCalls = 0;

  constructor(origin: Origin, admissions: readonly Admission[] = [], whole?: Call) {
    this.origin = origin;
    this.context = origin.context;
    this.#admissions = admissions;
    this.cancellation = origin.cancellation;
    this.#whole = whole;
    this.#task = this.#detached = origin.task;
    if (origin.task !== undefined) this.#state = 'detached';
  }

  get params(): PlainObject {
    return this.origin.params;
  }
  get isCancelled(): boolean {
    return this.cancellation.isCancelled;
  }
  get signal(): AbortSignal {
    return this.cancellation.signal;
  }
  get requestId(): string | number {
    return this.context.requestId;
  }
  get sessionId(): string | undefined {
    return this.context.sessionId;
  }
  get meta(): PlainObject {
    return this.context.meta;
  }
  get authInfo(): AuthInfo | undefined {
    return this.context.authInfo ?? this.localCaller;
  }
  get address(): string | undefined {
    return this.context.address;
  }
  get caller(): Caller | undefined {
    return this.authority?.caller;
  }
  get retry(): Retry | undefined {
    return this.context.retry;
  }
  get raw(): unknown {
    return this.context.raw;
  }
  get releaseStream(): (() => void) | undefined {
    return this.context.releaseStream;
  }
  get encoder(): ServedContext['encoder'] {
    return this.context.encoder;
  }
  get carrier(): ServedContext['carrier'] {
    return this.context.carrier;
  }
  get holdStatus(): ServedContext['holdStatus'] {
    return this.context.holdStatus?.bind(this.context);
  }
  get protocolVersion(): string | undefined {
    return this.context.protocolVersion;
  }
  get http(): ServedContext['http'] {
    return this.context.http;
  }
  get callTrace(): ServedContext['callTrace'] {
    return this.context.callTrace;
  }
  get consent(): ServedContext['consent'] {
    return this.context.consent;
  }
  get state(): CallState {
    return this.#state;
  }
  get isRunning(): boolean {
    return this.#state !== 'suspended' && this.#state !== 'done';
  }
  /** Defined once the handler has asked or run a step. */
  get recorder(): Recorder | undefined {
    return this.#recorder;
  }

  cancel(reason: unknown): void {
    this.cancellation.cancel(reason);
  }

  client(): ClientDescription {
    return this.context.client();
  }

  header(name: string): string | undefined {
    return this.context.header(name);
  }

  member(name: string): unknown {
    return this.states.members?.[name]?.(this);
  }

  hide(values: SensitiveValues): void {
    this.hidden = [...(this.hidden ?? []), values];
  }

  /** Goes on by the route of its target. */
  follow(route: Route): MaybePromise<Outcome> {
    this.target = route.target;
    const { task } = this.origin;
    task?.enter();
    if (task !== undefined) return route.inner(this);
    const isPlain = this.params['task'] === undefined && this.context.retry?.requestState === undefined;
    return isPlain ? route.plain(this) : route.whole(this);
  }

  /** Starts counting the call. Returns the reason if it is refused. */
  enter(): ProtocolError | undefined {
    const admissions = this.#admissions;
    for (const { isStopping } of admissions) if (isStopping) return shuttingDown();
    if (admissions.length === 0 || this.origin.cancellation.isCancelled) return undefined;
    this.#isAdmitted = true;
    for (const admission of admissions) admission.begin(this);
    // A cancelled call is not waited for: it may never end.
    this.origin.cancellation.onCancel(this.#leave.bind(this));
    return undefined;
  }

  /** Resolves to the outcome that answers the request: the first one. */
  replyWith(work: MaybePromise<Outcome>, failed: (thrown: unknown) => Outcome): MaybePromise<Outcome> {
    if (!(work instanceof Promise)) {
      this.finish(work);
      return work;
    }
    return new Promise((resolve) => {
      this.#deliver = resolve;
      if (this.#reply !== undefined) resolve(this.#reply);
      work.then(
        (outcome) => {
          this.finish(outcome);
        },
        (thrown: unknown) => {
          this.finish(failed(thrown));
        },
      );
    });
  }

  /** Answers the request, unless it is answered already. */
  reply(outcome: Outcome): void {
    if (this.#reply !== undefined) return;
    this.#reply = outcome;
    this.#deliver?.(outcome);
  }

  /** The work for the request is over. */
  finish(outcome: Outcome): void {
    this.end();
    this.#leave();
    this.reply(outcome);
  }

  /** Asks the client, which stops the time limit of the call. */
  request(method: string, params: PlainObject, options?: QuestionOptions): Promise<unknown> {
    const asking = this.#ask(method, params, options);
    return this.limit?.outside(asking) ?? asking;
  }

  async notify(method: string, params: PlainObject): Promise<void> {
    const sink = this.#sink;
    if (sink === undefined) return;
    const sendable = method === 'notifications/progress' ? this.#increased(params) : params;
    if (sendable !== undefined) await sink.notify(method, sendable);
  }

  async log(level: LogLevel, data: unknown, logger: string | undefined): Promise<void> {
    await this.#sink?.log(level, data, logger);
  }

  async step<T>(name: string, run: () => T | Promise<T>): Promise<T> {
    if (this.#recorder?.isSuspended === true || this.#isInterrupted) return this.#refuseLate();
    const task = this.#detached;
    if (task?.step !== undefined) return task.step(name, run);
    const isOpen = this.#state === 'idle' || this.#state === 'asking';
    // Code that runs on after the answer, such as a task, runs its effects directly
    const recorder = isOpen ? this.#record() : this.#recorder;
    return recorder === undefined ? run() : recorder.step(name, run);
  }

  async startTask(message?: string): Promise<void> {
    if (this.#task !== undefined) return this.#task.start(message);
    if (this.#whole !== undefined) return this.#whole.startTask(message);
    const { target, origin } = this;
    if (target?.kind === 'action' && target.task === undefined && !origin.served.isLocal)
      throw isUndeclared();
  }

  async report(message: string): Promise<void> {
    await this.#runningTask?.report(message);
  }

  /** Detaches from the request's cancellation, because a task may outlive its request. */
  mayDetach(task: CallTask): void {
    this.#task = task;
    this.cancellation = new Cancellation();
  }

  /** From now on, is cancelled with its request, until it becomes a task. */
  followRequest(): void {
    const { cancellation } = this.origin;
    cancellation.onCancel(() => {
      if (this.#runningTask === undefined) this.cancel(cancellation.reason);
    });
  }

  /** The call has become a task; the value answers the request. */
  detach(task: CallTask, value: object, ended: Promise<void>): void {
    this.#to('detach');
    this.#detached = task;
    this.observation?.detach();
    this.onAccept?.(value);
    this.reply({ kind: 'accepted', value, ended });
  }

  /** Records questions and steps, because the handler may run again. */
  recordFrom(progress: CallProgress): void {
    this.#recorder = new Recorder(progress, this);
    this.#to('record');
  }

  /** Another run of the same handler within the same request. It has all that was found out before it. */
  again(progress: CallProgress): Call {
    const { method, params, served, task } = this.origin;
    const { cancellation } = this;
    const origin: Origin = {
      method,
      params,
      context: this,
      cancellation,
      served,
      ...(task && { task }),
    };
    const call = new Call(origin, [], this);
    const { context } = call;
    const ofOneRun = { replayer: undefined, onAbandon: undefined, onAccept: undefined, limit: undefined };
    Object.assign(call, this, { origin, context, cancellation, ...ofOneRun });
    call.recordFrom(progress);
    return call;
  }

  /** Ends the run, because a question has no answer. */
  suspend(): void {
    if (this.#state === 'asking') this.#to('suspend');
  }

  /** The handler has ended; code that it left running cannot ask any more. */
  end(): void {
    if (this.isRunning) this.#to('end');
  }

  /** Ends the run for good: the handler may run again, so the rest of this run must have no effects. */
  interrupt(): void {
    this.#isInterrupted = true;
    if (this.#state !== 'done') this.#to('end');
  }

  /** What takes messages to the client; undefined when nobody does any more. */
  get #sink(): Pick<RequestContext, 'notify' | 'log'> | undefined {
    return this.#runningTask ?? (this.#reply === undefined ? this.context : undefined);
  }

  get #runningTask(): CallTask | undefined {
    if (this.#detached !== undefined || this.#whole === undefined) return this.#detached;
    return this.#whole.#runningTask;
  }

  async #ask(method: string, params: PlainObject, options?: QuestionOptions): Promise<unknown> {
    const task = this.#runningTask;
    if (task !== undefined) return task.request(method, params, options);
    if (this.#state === 'suspended' || this.#isInterrupted) return this.#refuseLate();
    if (this.#state === 'done') throw isAnswered(method);
    const recorder = this.#record();
    if (recorder !== undefined) return recorder.request(method, params, options);
    const ask = (): Promise<unknown> =>
      this.context.request(method, this.observation?.inject(params) ?? params, options);
    return this.observation?.ask?.(method, ask) ?? ask();
  }

  /** Progress must increase, also when the handler runs again, and JSON writes NaN as null. */
  #increased(params: PlainObject): PlainObject | undefined {
    const { progress, total, ...others } = params;
    if (typeof progress !== 'number' || !Number.isFinite(progress)) return undefined;
    if (progress <= (this.lastProgress ?? -Infinity)) return undefined;
    this.lastProgress = progress;
    return Number.isFinite(total) ? params : { progress, ...others };
  }

  #to(event: CallEvent): void {
    this.#state = nextState(this.#state, event);
  }

  #leave(): void {
    if (!this.#isAdmitted) return;
    this.#isAdmitted = false;
    for (const admission of this.#admissions) admission.end(this);
  }

  /** Begins with the first question or step of a handler that may run again. */
  #record(): Recorder | undefined {
    if (this.#recorder === undefined && this.replayer !== undefined) {
      this.recordFrom({ journal: [], open: [], offered: this.context.retry?.inputResponses ?? {} });
    }
    return this.#recorder;
  }

  /** A handler that swallows the suspension and tries again must not cause effects or loop forever. */
  #refuseLate(): Promise<never> {
    this.#lateCalls += 1;
    const error = this.#isInterrupted ? isInterrupted() : new Suspension();
    if (this.#lateCalls <= MOST_LATE_CALLS) return Promise.reject(error);
    if (this.onAbandon === undefined) this.replayer?.abandon(this);
    else this.onAbandon();
    return new Promise<never>(() => undefined);
  }
}
