import { ToolError } from '../errors/tool-error.ts';
import { LONGEST_TIMER, rule } from '../shared/option-rules.ts';
import type { Answer, AskSchema, Root, UrlAnswer } from './ask.ts';
import type { AuthInfo, ClientDescription, LogLevel, NamedQuestion } from './request-context.ts';
import type { SampleRequest, SampleResult } from './sample.ts';
import { ToolContext, type ContextKey } from './tool-context.ts';

/** `Infinity` sets none. */
export const timeLimitRule = rule(
  'a number of milliseconds above 0, or Infinity',
  (value) => typeof value === 'number' && value > 0,
);

/** A time limit as calls are run with it: none is undefined. */
export function finiteLimit(milliseconds: number | undefined): number | undefined {
  return milliseconds === Number.POSITIVE_INFINITY ? undefined : milliseconds;
}

/** What a call ends with whose time is over. */
export function timedOut(milliseconds: number, mayHaveTakenEffect: boolean): ToolError {
  const outcome = mayHaveTakenEffect ? '; it may have taken effect all the same' : '';
  return new ToolError('TIMED_OUT', `Timed out after ${String(milliseconds)} ms${outcome}`);
}

/** The time that a call may take. It stands still while the call waits for a person. */
export class TimeLimit {
  readonly #over = new AbortController();
  readonly #onOver: () => void;
  #left: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #waits = 0;
  #isEnded = false;
  #isAwaited = true;

  constructor(milliseconds: number, onOver: () => void) {
    this.#left = Math.min(milliseconds, LONGEST_TIMER);
    this.#onOver = onOver;
    this.#run();
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Stops the time until this is settled. It hands on the very promise, whose failures may be meant for nobody. */
  outside<T>(waiting: Promise<T>): Promise<T> {
    this.#waits += 1;
    if (this.#waits === 1) this.#pause();
    const resume = (): void => {
      this.#waits -= 1;
      if (this.#waits === 0) this.#run();
    };
    waiting.then(resume, resume);
    return waiting;
  }

  /** The call is over before its time. */
  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  /** Nobody waits for the call any more: the process need not live on for the end of its time. */
  release(): void {
    this.#isAwaited = false;
    this.#timer?.unref();
  }

  /** Signals the handler. The caller has its answer already. */
  abort(reason: unknown): void {
    this.#over.abort(reason);
  }

  #run(): void {
    if (this.#isEnded) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => {
      this.#isEnded = true;
      this.#onOver();
    }, this.#left);
    if (!this.#isAwaited) this.#timer.unref();
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#left = Math.max(0, this.#left - (performance.now() - this.#startedAt));
  }
}

/** The context of a call with a time limit: its signal is aborted by that as well, and questions stop the time. */
export class LimitedContext extends ToolContext {
  readonly #inner: ToolContext;
  readonly #limit: TimeLimit;
  #signal: AbortSignal | undefined;

  constructor(inner: ToolContext, limit: TimeLimit) {
    super();
    this.#inner = inner;
    this.#limit = limit;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= AbortSignal.any([this.#inner.signal, this.#limit.signal]));
  }
  get requestId(): string | number {
    return this.#inner.requestId;
  }
  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }
  get meta(): Readonly<Record<string, unknown>> {
    return this.#inner.meta;
  }
  get authInfo(): AuthInfo | undefined {
    return this.#inner.authInfo;
  }
  get client(): ClientDescription {
    return this.#inner.client;
  }
  get raw(): unknown {
    return this.#inner.raw;
  }

  header(name: string): string | undefined {
    return this.#inner.header(name);
  }

  log(data: unknown, level?: LogLevel, logger?: string): Promise<void> {
    return this.#inner.log(data, level, logger);
  }

  progress(progress: number, total?: number, message?: string): Promise<void> {
    return this.#inner.progress(progress, total, message);
  }

  ask<T>(schema: AskSchema<T>, message: string, options?: NamedQuestion): Promise<Answer<T>> {
    return this.#limit.outside(this.#inner.ask(schema, message, options));
  }

  askUrl(url: string, message: string, options?: NamedQuestion): Promise<UrlAnswer> {
    return this.#limit.outside(this.#inner.askUrl(url, message, options));
  }

  sample(request: SampleRequest | string, options?: NamedQuestion): Promise<SampleResult> {
    return this.#limit.outside(this.#inner.sample(request, options));
  }

  roots(options?: NamedQuestion): Promise<readonly Root[]> {
    return this.#limit.outside(this.#inner.roots(options));
  }

  step<T>(name: string, run: () => T | Promise<T>): Promise<T> {
    return this.#inner.step(name, run);
  }

  startTask(message?: string): Promise<void> {
    return this.#inner.startTask(message);
  }

  releaseStream(): void {
    this.#inner.releaseStream();
  }

  set<T>(key: ContextKey<T> | string | symbol, value: T): void {
    this.#inner.set(key, value);
  }

  get<T>(key: ContextKey<T> | string | symbol): T | undefined {
    return this.#inner.get(key);
  }
}
