import { checkedLater, trueOrFalse, type OptionRules } from '../shared/option-rules.ts';

/** The name, version and capabilities that a client declared. */
export interface ClientDescription {
  readonly name?: string;
  readonly version?: string;
  readonly title?: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
}

/** Levels of MCP log messages, least severe first (spec: server/utilities/logging, Log Levels). */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** Who called, as the transport's authorization found out. */
export interface AuthInfo {
  readonly token: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Seconds since the epoch. */
  readonly expiresAt?: number;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** What a client adds to a call that answers questions. Nothing of it can be trusted. */
export interface Retry {
  readonly requestState: string | undefined;
  /** By the names under which the questions were asked. */
  readonly inputResponses: Readonly<Record<string, unknown>>;
}

/** How a question is known again, and which answers count. */
export interface QuestionOptions {
  /**
   * Tells the questions of one call apart; by default their kind and number do.
   */
  readonly name?: string;
  /**
   * Lets a client that calls again to answer, and knows the `name`, answer in its first call: unseen, so that nobody
   * can tell whether a user was asked. Never set it for a consent or confirmation. Default false.
   */
  readonly mayBeOffered?: boolean;
  /** Where a client answers by calling again, an answer that is not accepted is asked for anew. */
  readonly accepts?: (answer: Readonly<Record<string, unknown>>) => boolean | Promise<boolean>;
}

/** The name of a question, where its kind and number do not do, and what a client that knows it may do. */
export type NamedQuestion = Pick<QuestionOptions, 'name' | 'mayBeOffered'>;

export const NAMED_QUESTION_RULES: OptionRules<NamedQuestion> = {
  // By itself, because steps have names as well
  name: checkedLater,
  mayBeOffered: trueOrFalse,
};

/**
 * One request as the core sees it, whatever SDK line or transport it came over.
 * The server doors and `app.call` make it; {@link ToolContext} is built on it.
 */
export interface RequestContext {
  readonly requestId: string | number;
  readonly signal: AbortSignal;
  /** What `signal.aborted` says, where the signal is only made for those who ask for it. */
  readonly isCancelled?: boolean;
  readonly sessionId: string | undefined;
  /** The `_meta` object of the request. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly authInfo: AuthInfo | undefined;
  /** What the client said of itself. */
  client(): ClientDescription;
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
  /** Runs an effect once, however often the handler is run again; undefined where no handler is. */
  readonly step?: (<T>(name: string, run: () => T | Promise<T>) => Promise<T>) | undefined;
  /** Answers the call with a task that goes on; undefined where the client knows no tasks. */
  readonly startTask?: ((message?: string) => Promise<void>) | undefined;
  /** Takes progress that nobody else may ask for: a task shows it with its status. */
  readonly report?: ((message: string) => Promise<void>) | undefined;
  /** Ends the response that carries this request, for a client that comes back; undefined where none could. */
  readonly releaseStream?: (() => void) | undefined;
  /** Sends a log message to the client, unless the client asked for a higher level only. */
  log(level: LogLevel, data: unknown, logger: string | undefined): Promise<void>;
  /**
   * What an SDK hands to its handlers, or what stands in for that where no SDK serves the request. Its members depend
   * on the transport and on the way that the request took: nothing to be relied on.
   */
  readonly raw: unknown;
}

/**
 * Names whom a token stands for, to keep what belongs to a person apart from what belongs to others. One client id
 * often stands for a program that many persons use; `sub` names the person (RFC 9068, 2.2).
 *
 * @example
 * const ownerOf = (ctx: ToolContext) => (ctx.authInfo === undefined ? 'anybody' : personOf(ctx.authInfo));
 */
export function personOf({ clientId, extra }: AuthInfo): string {
  return JSON.stringify([clientId, extra?.['sub'] ?? null]);
}

/** A copy with own members, for code that may spread it or detach its methods. */
export function plainRequestContext(request: RequestContext): RequestContext {
  const { step, startTask, report } = request;
  return {
    requestId: request.requestId,
    signal: request.signal,
    sessionId: request.sessionId,
    meta: request.meta,
    authInfo: request.authInfo,
    client: () => request.client(),
    header: (name) => request.header(name),
    notify: (method, params) => request.notify(method, params),
    request: (method, params, options) => request.request(method, params, options),
    log: (level, data, logger) => request.log(level, data, logger),
    retry: request.retry,
    step: step?.bind(request),
    startTask: startTask?.bind(request),
    report: report?.bind(request),
    releaseStream: request.releaseStream,
    raw: request.raw,
  };
}
