import type { AuthInfo, CallExchange, ClientDescription, LogLevel } from './call-exchange.ts';

/** A typed key for a value that one layer of a call hands to the layers inside it. */
export interface ContextKey<T> {
  readonly description: string;
  /** Never present; it carries the type of the value. */
  readonly value?: T;
}

/** Makes a key for {@link ToolContext.set} and {@link ToolContext.get}; each call makes a different key. */
export function createContextKey<T>(description: string): ContextKey<T> {
  return Object.freeze({ description });
}

/**
 * What a handler knows of the request that it serves. A parameter typed `ToolContext` receives it.
 *
 * @example
 * @Action('Import a file')
 * async import(input: ImportFile, ctx: ToolContext) {
 *   await ctx.progress(1, 10, 'opened');
 *   ctx.signal.throwIfAborted();
 * }
 */
export abstract class ToolContext {
  /** Aborted when the client cancels the call or goes away. */
  abstract readonly signal: AbortSignal;
  abstract readonly requestId: string | number;
  /** The session of a Streamable HTTP client; undefined on stdio and in stateless mode. */
  abstract readonly sessionId: string | undefined;
  /** The `_meta` object of the request (spec: basic, _meta); empty when there was none. */
  abstract readonly meta: Readonly<Record<string, unknown>>;
  abstract readonly authInfo: AuthInfo | undefined;
  abstract readonly client: ClientDescription;
  /** What the SDK handed over, for needs that the framework does not cover. */
  abstract readonly raw: unknown;
  /** An HTTP header of the request, letter case ignored; undefined on other transports. */
  abstract header(name: string): string | undefined;
  /** Sends a log message to the client, at `info` unless a level is given. */
  abstract log(data: unknown, level?: LogLevel, logger?: string): Promise<void>;
  /** Reports progress; does nothing when the client did not ask for it. */
  abstract progress(progress: number, total?: number, message?: string): Promise<void>;
  /** Hands a value inward, under a key made by {@link createContextKey}, a string or a symbol. */
  abstract set<T>(key: ContextKey<T> | string | symbol, value: T): void;
  abstract get<T>(key: ContextKey<T> | string | symbol): T | undefined;
}

/** The {@link ToolContext} over one {@link CallExchange}. */
export class ExchangeContext extends ToolContext {
  readonly #exchange: CallExchange;
  #values: Map<unknown, unknown> | undefined;

  constructor(exchange: CallExchange) {
    super();
    this.#exchange = exchange;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }
  get requestId(): string | number {
    return this.#exchange.requestId;
  }
  get sessionId(): string | undefined {
    return this.#exchange.sessionId;
  }
  get meta(): Readonly<Record<string, unknown>> {
    return this.#exchange.meta;
  }
  get authInfo(): AuthInfo | undefined {
    return this.#exchange.authInfo;
  }
  get client(): ClientDescription {
    return this.#exchange.client();
  }
  get raw(): unknown {
    return this.#exchange.raw;
  }

  header(name: string): string | undefined {
    return this.#exchange.header(name);
  }

  log(data: unknown, level: LogLevel = 'info', logger?: string): Promise<void> {
    return this.#exchange.log(level, data, logger);
  }

  async progress(progress: number, total?: number, message?: string): Promise<void> {
    const progressToken = this.#exchange.meta['progressToken'];
    if (progressToken === undefined) return;
    await this.#exchange.notify('notifications/progress', {
      progressToken,
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    });
  }

  set<T>(key: ContextKey<T> | string | symbol, value: T): void {
    this.#values ??= new Map();
    this.#values.set(key, value);
  }

  get<T>(key: ContextKey<T> | string | symbol): T | undefined {
    return this.#values?.get(key) as T | undefined;
  }
}
