import type { AuthInfo, CallExchange, ClientDescription, LogLevel } from '../call/call-exchange.ts';

/** What a call inside the process may say of itself; every part has a harmless default. */
export interface LocalCallOptions {
  readonly signal?: AbortSignal;
  readonly requestId?: string | number;
  readonly sessionId?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly authInfo?: AuthInfo;
  readonly client?: ClientDescription;
  readonly headers?: Readonly<Record<string, string>>;
  /** Receives what would be sent to a client, progress among it. */
  readonly onNotification?: (method: string, params: Readonly<Record<string, unknown>>) => void;
  readonly onLog?: (level: LogLevel, data: unknown, logger: string | undefined) => void;
}

/** The exchange of a call that comes from inside the process, through `app.call`. */
export function createLocalExchange(requestId: string, options: LocalCallOptions): CallExchange {
  const headers = new Map(
    Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    requestId: options.requestId ?? requestId,
    signal: options.signal ?? new AbortController().signal,
    sessionId: options.sessionId,
    meta: options.meta ?? {},
    authInfo: options.authInfo,
    client: () => options.client ?? { capabilities: {} },
    header: (name) => headers.get(name.toLowerCase()),
    notify: (method, params) => {
      options.onNotification?.(method, params);
      return Promise.resolve();
    },
    log: (level, data, logger) => {
      options.onLog?.(level, data, logger);
      return Promise.resolve();
    },
    raw: undefined,
  };
}
