import { checkedLater, trueOrFalse, type OptionRules } from '../shared/option-rules.ts';

/** The name, version and capabilities that a client declared. */
export interface ClientDescription {
  /** The name of the client's program; undefined if it sent none. */
  readonly name?: string;
  /** The version of the client's program; undefined if it sent none. */
  readonly version?: string;
  /** The name that the client shows to people. */
  readonly title?: string;
  /** What the client can do, as it declared it: `sampling`, `elicitation`, `roots` and others. */
  readonly capabilities: Readonly<Record<string, unknown>>;
}

/** Levels of MCP log messages, least severe first (spec: server/utilities/logging, Log Levels). */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** Least severe first (spec: server/utilities/logging, Log Levels). */
export const LOG_LEVELS: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** The caller, as the transport has authenticated it. */
export interface AuthInfo {
  /** The access token, as the client sent it. */
  readonly token: string;
  /** The client that the token was issued to. */
  readonly clientId: string;
  /** What the token permits. */
  readonly scopes: readonly string[];
  /** Seconds since the epoch. */
  readonly expiresAt?: number;
  /** Further facts that the verifier of the token returned. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/**
 * Who calls. Issuers name people independently of each other, one client is often a program that many people use, and
 * one person may act for several tenants: only all four together name somebody.
 */
export interface Subject {
  /** The issuer of the token (`extra.issuer`); undefined where the verifier names none. */
  readonly issuer: string | undefined;
  /** The client that the token was issued to. */
  readonly clientId: string;
  /** The person (`extra.sub`; RFC 9068, 2.2); undefined where the client acts for itself. */
  readonly sub: string | undefined;
  /** The tenant (`extra.tenant`); undefined where there is only one. */
  readonly tenant: string | undefined;
}

/** An authenticated caller, as requirements see it. */
export interface Caller extends Subject {
  /** As the transport has authenticated it. */
  readonly authInfo: AuthInfo;
  /** What its token permits. */
  readonly scopes: readonly string[];
  /** Its roles, as the verifier of its token found them. */
  readonly roles: readonly string[];
  /** What the application loaded for it; undefined where nothing is loaded. */
  readonly loaded: unknown;
}

/** What a client sends with a call that answers questions. None of it can be trusted. */
export interface Retry {
  /** The sealed state of the call, as the server sent it; undefined with the first call. */
  readonly requestState: string | undefined;
  /** The answers, by the names of their questions. */
  readonly inputResponses: Readonly<Record<string, unknown>>;
}

/** How a question is recognized, and which answers it accepts. */
export interface QuestionOptions {
  /** Distinguishes the questions of one call; by default their kind and number do. */
  readonly name?: string;
  /**
   * Lets a client that knows the `name` send the answer with its first call. The server cannot see whether a user was
   * asked, so never set it for a consent or confirmation. Default false.
   */
  readonly mayBeOffered?: boolean;
  /** An answer that is not accepted is asked for again, where the client answers by calling again. */
  readonly accepts?: (answer: Readonly<Record<string, unknown>>) => boolean | Promise<boolean>;
}

/** The name of a question, and what a client that knows it may do. */
export type NamedQuestion = Pick<QuestionOptions, 'name' | 'mayBeOffered'>;

export const NAMED_QUESTION_RULES: OptionRules<NamedQuestion> = {
  // By itself, because steps have names as well
  name: checkedLater,
  mayBeOffered: trueOrFalse,
};

/** A call that runs once for its key, as its handler sees it. */
export interface IdempotentCall {
  /** The key that the client chose, or what stands for the arguments. */
  readonly key: string;
  /**
   * Grows with every run of this call. What the handler calls can refuse a number below the highest one that it has
   * seen: it comes from a run that was given up.
   */
  readonly fence: number;
}

/**
 * One request, independent of transport and revision. The engine, `attach` and `app.call` create it; a
 * {@link ToolContext} is built on it.
 */
export interface RequestContext {
  /** The id of the JSON-RPC request. */
  readonly requestId: string | number;
  /** Is aborted when the call is cancelled or runs out of time, or when its connection closes. */
  readonly signal: AbortSignal;
  /** The value of `signal.aborted`, without creating the signal, which is made on first use. */
  readonly isCancelled?: boolean;
  /** The session of a Streamable HTTP client; undefined elsewhere. */
  readonly sessionId: string | undefined;
  /** The `_meta` object of the request. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** The caller, as the transport authenticated it; undefined without authentication. */
  readonly authInfo: AuthInfo | undefined;
  /** The address of the client; undefined where it is unknown, and where there is none. */
  readonly address?: string | undefined;
  /** The surface on which the client got its tools; undefined for `own`. */
  readonly surface?: string | undefined;
  /** The same with its roles, and what the application loaded for it; undefined where nothing is required of callers. */
  readonly caller?: Caller | undefined;
  /** What the client said of itself. */
  client(): ClientDescription;
  /** An HTTP header of the request, letter case ignored; undefined on other transports. */
  header(name: string): string | undefined;
  /** Sends a notification that belongs to this request. */
  notify(method: string, params: Readonly<Record<string, unknown>>): Promise<void>;
  /** Asks the client (elicitation, sampling, roots); rejects when it cannot be asked on this connection. */
  request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options?: QuestionOptions,
  ): Promise<unknown>;
  /**
   * Defined where a client is asked by the result of a call and answers by calling again
   * (spec 2026-07-28: basic/patterns/mrtr), whether or not this call is such an answer.
   */
  readonly retry?: Retry | undefined;
  /** Runs an effect once, however often the handler is replayed; undefined where handlers are not replayed. */
  readonly step?: (<T>(name: string, run: () => T | Promise<T>) => Promise<T>) | undefined;
  /** The key of a call that runs once, and its number; undefined for others. */
  readonly idempotency?: IdempotentCall | undefined;
  /** Answers the call with a task and continues in it; undefined where the client does not support tasks. */
  readonly startTask?: ((message?: string) => Promise<void>) | undefined;
  /** Receives progress when the client sent no token; a task shows it in its status. */
  readonly report?: ((message: string) => Promise<void>) | undefined;
  /** Ends the response stream of this request early; the client resumes it. Undefined where it cannot. */
  readonly releaseStream?: (() => void) | undefined;
  /** Takes what nothing may show that is said of the call: the sensitive values of an answer; undefined for too many. */
  readonly hide?: ((values: readonly string[] | undefined) => void) | undefined;
  /** What the application adds to the context under a name; undefined where nothing does. */
  readonly member?: ((name: string) => unknown) | undefined;
  /** Sends a log message to the client, unless the client asked for a higher level only. */
  log(level: LogLevel, data: unknown, logger: string | undefined): Promise<void>;
  /**
   * The request's context as the SDK passes it to handlers, or a substitute where no SDK is used. Do not rely on its
   * members: they differ between transports.
   */
  readonly raw: unknown;
}

/**
 * A type with every member there, if only as undefined. What passes a whole object on implements it, so that a member
 * that the type gets later does not compile until it is passed on as well.
 */
export type Whole<Type> = { readonly [Member in keyof Required<Type>]: Type[Member] };

/**
 * A copy with own members, for code that may spread it or detach its methods. The signal alone says whether the call is
 * cancelled, because a spread would keep the value of that moment.
 */
export function plainRequestContext(request: RequestContext): Whole<Omit<RequestContext, 'isCancelled'>> {
  const { step, startTask, report } = request;
  return {
    requestId: request.requestId,
    signal: request.signal,
    sessionId: request.sessionId,
    meta: request.meta,
    authInfo: request.authInfo,
    address: request.address,
    surface: request.surface,
    caller: request.caller,
    client: () => request.client(),
    header: (name) => request.header(name),
    notify: (method, params) => request.notify(method, params),
    request: (method, params, options) => request.request(method, params, options),
    hide: request.hide?.bind(request),
    log: (level, data, logger) => request.log(level, data, logger),
    retry: request.retry,
    step: step?.bind(request),
    get idempotency() {
      return request.idempotency;
    },
    startTask: startTask?.bind(request),
    report: report?.bind(request),
    releaseStream: request.releaseStream,
    member: request.member?.bind(request),
    raw: request.raw,
  };
}
