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

/**
 * One request as the core sees it, whatever SDK line or transport it came over.
 * The server doors and `app.call` make it; {@link ToolContext} is built on it.
 */
export interface CallExchange {
  readonly requestId: string | number;
  readonly signal: AbortSignal;
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
  request(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Sends a log message to the client, unless the client asked for a higher level only. */
  log(level: LogLevel, data: unknown, logger: string | undefined): Promise<void>;
  /** What the SDK handed to its handler; for needs that the framework does not cover. */
  readonly raw: unknown;
}
