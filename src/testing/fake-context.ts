import {
  createContextFactory,
  ToolContext,
  type Answer,
  type AskSchema,
  type AuthInfo,
  type RequestContext,
  type ClientDescription,
  type IdempotentCall,
  type ContextKey,
  type LogLevel,
  type NamedQuestion,
  type Root,
  type SampleRequest,
  type SampleResult,
  type SchemaSource,
  type UrlAnswer,
  type LocalCallOptions,
} from '../index.ts';
import { membersAlone } from '../app/context-members.ts';
import { refuseOptions } from '../errors/option-errors.ts';
import {
  anObject,
  anything,
  either,
  filledText,
  listOf,
  wholeNumber,
  type OptionRules,
  authRule,
  headersRule,
  rootsRule,
  signalRule,
} from '../shared/option-rules.ts';

/** The request of a {@link FakeToolContext}, and the answers of its client. */
export interface FakeContextOptions extends ClientScript {
  /** The signal of the call. Default: one that is never aborted. */
  readonly signal?: AbortSignal;
  /** The id of the request. Default `test`. */
  readonly requestId?: string | number;
  /** The session of the client. Default: none. */
  readonly sessionId?: string;
  /** The `_meta` object of the request. Default: empty. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The caller. Default: none. */
  readonly authInfo?: AuthInfo;
  /** The key and the number of a call that runs once. Default: none. */
  readonly idempotency?: IdempotentCall;
  /** Default: a client that can be asked for everything. */
  readonly client?: ClientDescription;
  /** The HTTP headers of the request. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A log message that a handler sent to its client. */
export interface LoggedMessage {
  /** What was logged. */
  readonly data: unknown;
  /** How severe it is. */
  readonly level: LogLevel;
  /** The logger that the handler named, if any. */
  readonly logger: string | undefined;
}

/** Progress that a handler reported. */
export interface ReportedProgress {
  /** How far the handler is. */
  readonly progress: number;
  /** Where the progress ends, if the handler said it. */
  readonly total: number | undefined;
  /** What the handler said about it, if anything. */
  readonly message: string | undefined;
}

/** A question to the user: by a form of `schema`, or by a `url`. */
export interface AskedQuestion {
  /** What the user is asked, as a text. */
  readonly message: string;
  /** The schema of the form; left out for a URL. */
  readonly schema?: SchemaSource;
  /** The URL to open; left out for a form. */
  readonly url?: string;
}

export const FAKE_CONTEXT_RULES: OptionRules<FakeContextOptions> = {
  signal: signalRule,
  requestId: either(filledText, wholeNumber(0)),
  sessionId: filledText,
  meta: anObject,
  authInfo: authRule,
  idempotency: anObject,
  client: anObject,
  headers: headersRule,
  answers: listOf(anObject, "a list of answers: [{ action: 'accept', content: { isSure: true } }]"),
  samples: listOf(anything, "a list of texts or results: ['short']"),
  roots: rootsRule,
};

/**
 * A context for unit tests of a handler; it remembers what was logged, reported and asked.
 * Answers come from the script, and are checked as those of a real client are.
 *
 * @example
 * const ctx = new FakeToolContext({
 *   headers: { 'x-tenant': 'acme' },
 *   answers: [{ action: 'accept', content: { isSure: true } }],
 * });
 * await new ImportController(store).import({ path: 'a.csv' }, ctx);
 * expect(ctx.reported).toHaveLength(10);
 * expect(ctx.asked).toHaveLength(1);
 */
export class FakeToolContext extends ToolContext {
  readonly signal: AbortSignal;
  readonly requestId: string | number;
  readonly sessionId: string | undefined;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly authInfo: AuthInfo | undefined;
  readonly client: ClientDescription;
  readonly raw = undefined;
  /** The key and the number of a call that runs once; undefined for others. */
  readonly idempotency: IdempotentCall | undefined;
  /** What the handler logged to its client, in order. */
  readonly logged: LoggedMessage[] = [];
  /** The progress that the handler reported, in order. */
  readonly reported: ReportedProgress[] = [];
  /** What the handler asked the user, in order. */
  readonly asked: AskedQuestion[] = [];
  /** The names of the steps, in the order in which they began. */
  readonly steps: string[] = [];
  /** What the handler asked the client's model, in order. */
  readonly sampled: (SampleRequest | string)[] = [];
  /** The messages of every `startTask()`; undefined where there was none. */
  readonly taskMessages: (string | undefined)[] = [];
  /** Whether the handler released the stream of its call. */
  released = false;
  readonly #headers: ReadonlyMap<string, string>;
  readonly #values = new Map<unknown, unknown>();
  readonly #request: RequestContext;
  readonly #asking: ToolContext;
  #members: ReturnType<typeof membersAlone> | undefined;

  /** Refuses wrong options with `TW_TESTING_OPTION`. */
  constructor(options: FakeContextOptions = {}) {
    super();
    refuseOptions('TW_TESTING_OPTION', 'new FakeToolContext()', options, FAKE_CONTEXT_RULES);
    this.signal = options.signal ?? new AbortController().signal;
    this.requestId = options.requestId ?? 'test';
    this.sessionId = options.sessionId;
    this.meta = options.meta ?? {};
    this.authInfo = options.authInfo;
    this.idempotency = options.idempotency;
    this.client = options.client ?? { capabilities: ALL_CAPABILITIES };
    const headers = Object.entries(options.headers ?? {});
    this.#headers = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
    this.#request = this.#requestContext(options);
    this.#asking = createContextFactory()(undefined, this.#request);
  }

  header(name: string): string | undefined {
    return this.#headers.get(name.toLowerCase());
  }

  log(data: unknown, level: LogLevel = 'info', logger?: string): Promise<void> {
    const logging = this.#asking.log(data, level, logger);
    this.logged.push({ data, level, logger });
    return logging;
  }

  progress(progress: number, total?: number, message?: string): Promise<void> {
    const reporting = this.#asking.progress(progress, total, message);
    this.reported.push({ progress, total, message });
    return reporting;
  }

  ask<T>(schema: AskSchema<T>, message: string, options?: NamedQuestion): Promise<Answer<T>> {
    this.asked.push({ schema, message });
    return this.#asking.ask(schema, message, options);
  }

  askUrl(url: string, message: string, options?: NamedQuestion): Promise<UrlAnswer> {
    this.asked.push({ url, message });
    return this.#asking.askUrl(url, message, options);
  }

  sample(request: SampleRequest | string, options?: NamedQuestion): Promise<SampleResult> {
    this.sampled.push(request);
    return this.#asking.sample(request, options);
  }

  roots(options?: NamedQuestion): Promise<readonly Root[]> {
    return this.#asking.roots(options);
  }

  step<T>(name: string, run: () => T | Promise<T>): Promise<T> {
    this.steps.push(name);
    return this.#asking.step(name, run);
  }

  releaseStream(): void {
    this.released = true;
  }

  startTask(message?: string): Promise<void> {
    this.taskMessages.push(message);
    return Promise.resolve();
  }

  set<T>(key: ContextKey<T> | string | symbol, value: T): void {
    this.#values.set(key, value);
  }

  get<T>(key: ContextKey<T> | string | symbol): T | undefined {
    return this.#values.get(key) as T | undefined;
  }

  protected override member(name: string): unknown {
    this.#members ??= membersAlone();
    return this.#members[name]?.({ ...this.#request, carrier: 'local' }) ?? super.member(name);
  }

  #requestContext(script: ClientScript): RequestContext {
    const answer = scriptedClient(script);
    const { requestId, signal, sessionId, meta, authInfo } = this;
    return {
      ...{ requestId, signal, sessionId, meta, authInfo, raw: undefined },
      client: () => this.client,
      header: (name) => this.header(name),
      notify: () => Promise.resolve(),
      log: () => Promise.resolve(),
      request: async (method, params) => answer(method, params),
    };
  }
}

/** How a user answers a form or a URL; without `content`, an accepted form is empty. */
export type ScriptedAnswer =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' };

/** What the client's model says: the whole result, or the text of one. */
export type ScriptedSample = string | Pick<SampleResult, 'content'> | SampleResult;

/** What a client answers, each list in the order of the questions. */
export interface ClientScript {
  /** What the user answers, in order; a question without one is an error. Default: none. */
  readonly answers?: readonly ScriptedAnswer[];
  /** What the client's model answers, in order; a question without one is an error. Default: none. */
  readonly samples?: readonly ScriptedSample[];
  /** The roots of the client. Default: none. */
  readonly roots?: readonly Root[];
}

const ALL_CAPABILITIES = Object.freeze({
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: {},
});

type Answering = NonNullable<LocalCallOptions['onRequest']>;

/** Answers requests to the client from a script. Throws at the end of the script. */
function scriptedClient({ answers = [], samples = [], roots }: ClientScript): Answering {
  const answersLeft = [...answers];
  const samplesLeft = [...samples];
  const methods: Readonly<Record<string, (params: Parameters<RequestContext['request']>[1]) => unknown>> = {
    'elicitation/create': ({ message }) =>
      answersLeft.shift() ?? endOfScript(`ask(…, ${JSON.stringify(message)})`, 'answers', answers.length),
    'sampling/createMessage': () =>
      sampleOf(samplesLeft.shift() ?? endOfScript('sample()', 'samples', samples.length)),
    'roots/list': () => ({ roots: roots ?? endOfScript('roots()', 'roots', 0) }),
  };
  return (method, params) => methods[method]?.(params);
}

function sampleOf(sample: ScriptedSample): unknown {
  const base = { role: 'assistant', model: 'scripted', stopReason: 'endTurn' };
  return typeof sample === 'string'
    ? { ...base, content: { type: 'text', text: sample } }
    : { ...base, ...sample };
}

function endOfScript(call: string, option: keyof ClientScript, count: number): never {
  const given = count === 0 ? 'none was given' : `all ${String(count)} of them are used up`;
  throw new Error(`No answer is left for ${call}: ${given}. Pass new FakeToolContext({ ${option}: […] })`);
}
