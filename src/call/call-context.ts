import { refuseOptions } from '../errors/option-errors.ts';
import { oneOf, required, rule, text, type OptionRules } from '../shared/option-rules.ts';
import {
  askForm,
  askUrl,
  listRoots,
  type Answer,
  type AskContracts,
  type AskSchema,
  type Root,
  type UrlAnswer,
} from './ask.ts';
import {
  LOG_LEVELS,
  NAMED_QUESTION_RULES,
  type AuthInfo,
  type IdempotentCall,
  type RequestContext,
  type ClientDescription,
  type LogLevel,
  type NamedQuestion,
} from './request-context.ts';
import type { Caller } from './request-context.ts';
import { sampleClient, type SampleRequest, type SampleResult } from './sample.ts';
import { checkName, refuseInStep, runStep, isSuspension } from './step.ts';
import { ToolContext, type ContextKey } from './tool-context.ts';
import { VERSIONS_META_KEY } from './action-options.ts';

/** Makes the contexts of calls, whose questions are checked by the same contracts. */
export function contextsWith(
  contracts: AskContracts,
): (extra: unknown, request: RequestContext) => ToolContext {
  return (_extra, request) => new CallContext(request, contracts);
}

const aNumber = rule('a number', (value) => typeof value === 'number');
const PROGRESS_RULES: OptionRules<{ progress: number; total?: number; message?: string }> = {
  progress: required(aNumber),
  total: aNumber,
  message: text,
};
const writtenAsJson = rule('something that JSON can carry', isJson);
const LOG_RULES: OptionRules<{ data: unknown; level: LogLevel; logger?: string }> = {
  data: writtenAsJson,
  level: oneOf(...LOG_LEVELS),
  logger: text,
};

function isJson(value: unknown): boolean {
  try {
    return (JSON.stringify(value) as string | undefined) !== undefined;
  } catch {
    return false;
  }
}

/** Where a call came from. */
export interface CallOrigin {
  /** The address of the client; undefined where it is unknown, and where there is none. */
  readonly address: string | undefined;
  /** Whether it came from this process, or from the one that started it. */
  readonly isLocal: boolean;
}

// A member by its name, unlike a private one, is found through the proxies around a context
const ORIGIN = Symbol('toolwright:call-origin');

/** The {@link ToolContext} over one {@link RequestContext}. */
export class CallContext extends ToolContext {
  readonly #request: RequestContext;
  readonly #contracts: AskContracts;
  #values: Map<unknown, unknown> | undefined;
  #progress = -Infinity;

  constructor(request: RequestContext, contracts: AskContracts) {
    super();
    this.#request = request;
    this.#contracts = contracts;
  }

  /** Where the call of a context came from; undefined for contexts of other kinds. */
  static originIn(context: ToolContext): CallOrigin | undefined {
    return (context as Partial<CallContext>)[ORIGIN];
  }

  get [ORIGIN](): CallOrigin | undefined {
    if (!(#request in this)) return undefined;
    const { address, carrier } = this.#request as RequestContext & { readonly carrier?: unknown };
    return { address, isLocal: carrier === 'local' };
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
  get requestId(): string | number {
    return this.#request.requestId;
  }
  get sessionId(): string | undefined {
    return this.#request.sessionId;
  }
  get meta(): Readonly<Record<string, unknown>> {
    return this.#request.meta;
  }
  get authInfo(): AuthInfo | undefined {
    return this.#request.authInfo;
  }
  override get caller(): Caller | undefined {
    return this.#request.caller;
  }
  override get surface(): string {
    return this.#request.surface ?? 'own';
  }
  get client(): ClientDescription {
    return this.#request.client();
  }
  get raw(): unknown {
    return this.#request.raw;
  }
  get idempotency(): IdempotentCall | undefined {
    return this.#request.idempotency;
  }

  header(name: string): string | undefined {
    return this.#request.header(name);
  }

  // What is wrong is thrown at once: a handler may not wait for these two, and Node ends at a rejection of nobody's
  log(data: unknown, level: LogLevel = 'info', logger?: string): Promise<void> {
    refuseOptions('TW_CONTEXT_VALUE', 'log()', { data, level, logger }, LOG_RULES);
    return this.#request.log(level, data === undefined ? null : data, logger);
  }

  progress(progress: number, total?: number, message?: string): Promise<void> {
    refuseOptions('TW_CONTEXT_VALUE', 'progress()', { progress, total, message }, PROGRESS_RULES);
    return this.#report(progress, total, message);
  }

  async #report(progress: number, total: number | undefined, message: string | undefined): Promise<void> {
    const progressToken = this.#request.meta['progressToken'];
    if (!Number.isFinite(progress) || progress <= this.#progress) return;
    this.#progress = progress;
    await this.#request.report?.(
      message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`),
    );
    if (progressToken === undefined) return;
    await this.#request.notify('notifications/progress', {
      progressToken,
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    });
  }

  ask<T>(schema: AskSchema<T>, message: string, options: NamedQuestion = {}): Promise<Answer<T>> {
    const question = { ...options, schema, message };
    return this.#question('ask()', options, () => askForm(this.#request, this.#contracts, question));
  }

  askUrl(url: string, message: string, options: NamedQuestion = {}): Promise<UrlAnswer> {
    return this.#question('askUrl()', options, () => askUrl(this.#request, { ...options, url, message }));
  }

  sample(request: SampleRequest | string, options: NamedQuestion = {}): Promise<SampleResult> {
    return this.#question('sample()', options, () => sampleClient(this.#request, request, options));
  }

  roots(options: NamedQuestion = {}): Promise<readonly Root[]> {
    return this.#question('roots()', options, () => listRoots(this.#request, options));
  }

  step<T>(name: string, run: () => T | Promise<T>): Promise<T> {
    return this.#asked('step()', () => {
      checkName('step()', name);
      const effect = (): Promise<T> => runStep(this, name, run);
      return this.#request.step === undefined ? effect() : this.#request.step(name, effect);
    });
  }

  releaseStream(): void {
    this.#request.releaseStream?.();
  }

  async startTask(message?: string): Promise<void> {
    refuseOptions('TW_CONTEXT_VALUE', 'startTask()', { message }, { message: text });
    await this.#request.startTask?.(message);
  }

  set<T>(key: ContextKey<T> | string | symbol, value: T): void {
    this.#values ??= new Map();
    this.#values.set(key, value);
  }

  get<T>(key: ContextKey<T> | string | symbol): T | undefined {
    return this.#values?.get(key) as T | undefined;
  }

  protected override member(name: string): unknown {
    return this.#request.member?.(name) ?? super.member(name);
  }

  #question<T>(what: string, options: NamedQuestion, run: () => Promise<T>): Promise<T> {
    return this.#asked(what, () => {
      refuseOptions('TW_QUESTION_OPTION', what, options, NAMED_QUESTION_RULES);
      return run();
    });
  }

  /**
   * A handler may start two questions and await the first only; both are suspended. Nobody handles the rejection of
   * the second, and Node would end the process for it.
   */
  #asked<T>(what: string, run: () => Promise<T>): Promise<T> {
    const outcome = new Promise<T>((resolve, reject) => {
      this.#unlessInStep(what, run).then(resolve, (error: unknown) => {
        if (isSuspension(error)) outcome.catch(() => undefined);
        // A handler gets what was thrown, whatever it is
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors
        reject(error);
      });
    });
    return outcome;
  }

  async #unlessInStep<T>(what: string, run: () => Promise<T>): Promise<T> {
    refuseInStep(this, what);
    return run();
  }
}

/** Signals once that a request is cancelled. Unlike an AbortSignal, it costs nothing until somebody listens. */
export class Cancellation {
  #listeners: (() => void)[] | undefined;
  #controller: AbortController | undefined;
  #isCancelled = false;
  #reason: unknown;

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** Made for the first who asks. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isCancelled) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Runs the listener when it is cancelled, or at once if it is already. */
  onCancel(listener: () => void): void {
    if (this.#isCancelled) listener();
    else if (this.#listeners === undefined) this.#listeners = [listener];
    else this.#listeners.push(listener);
  }

  offCancel(listener: () => void): void {
    const place = this.#listeners?.indexOf(listener) ?? -1;
    if (place !== -1) this.#listeners?.splice(place, 1);
  }

  /** Is cancelled with the signal too, until the returned function is called. */
  follow(signal: AbortSignal): () => void {
    const follow = (): void => {
      this.cancel(signal.reason);
    };
    if (signal.aborted) follow();
    else signal.addEventListener('abort', follow, { once: true });
    return () => {
      signal.removeEventListener('abort', follow);
    };
  }

  cancel(reason?: unknown): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener();
  }
}

/** What a request says of versions, unchecked; undefined for nothing. */
export function askedVersions({ meta }: Pick<RequestContext, 'meta'>): unknown {
  return Object.hasOwn(meta, VERSIONS_META_KEY) ? meta[VERSIONS_META_KEY] : undefined;
}
