import type { AuthInfo } from '../../call/call-exchange.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';

/** How many 2025-era sessions there may be, and how long one may stay unused. */
export interface SessionLimits {
  /** Default 1000. */
  readonly maximum?: number;
  /** Milliseconds without a request, a running call or an open stream. Default 30 minutes. */
  readonly idleTimeout?: number;
}

/** What an authenticator sees of a request. */
export interface AuthenticationRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What HTTP servers and fetch handlers have in common. */
export interface HttpHandlerOptions {
  /** The endpoint's path. An HTTP server serves `/mcp` unless told; a fetch handler serves every path. */
  readonly path?: string;
  /** `false` serves every request alone, with a server of its own. Default: sessions. */
  readonly sessions?: boolean | SessionLimits;
  /** The largest request body in bytes. Default 4 MiB. */
  readonly bodyLimit?: number;
  /** Host names, with a port or without, that requests may name. Default on loopback: loopback names. */
  readonly allowedHosts?: readonly string[];
  /** Origins that browsers may send, beside those of this machine. */
  readonly allowedOrigins?: readonly string[];
  /** Finds out who calls; undefined refuses the request with 401. Without it nobody is asked. */
  readonly authenticate?: (
    request: AuthenticationRequest,
  ) => AuthInfo | undefined | Promise<AuthInfo | undefined>;
  /** Answers with plain JSON instead of a stream; progress and log messages are then lost. */
  readonly json?: boolean;
  /** Milliseconds between two comments that keep an idle stream open. Default 15 seconds. */
  readonly keepAlive?: number;
}

export interface HttpOptions extends HttpHandlerOptions {
  /** 0 lets the system choose. */
  readonly port: number;
  /** Default `127.0.0.1`: this machine only. */
  readonly host?: string;
}

/** The options with every default filled in. */
export interface HttpSettings {
  readonly path: string | undefined;
  readonly sessions: Readonly<Required<SessionLimits>> | undefined;
  readonly bodyLimit: number;
  readonly allowedHosts: readonly string[] | undefined;
  readonly allowedOrigins: readonly string[];
  readonly authenticate: HttpHandlerOptions['authenticate'];
  readonly json: boolean;
  readonly keepAlive: number | undefined;
}

/** @param defaultHosts the names to allow unless `allowedHosts` says others; undefined allows every name */
export function httpSettings(
  options: HttpHandlerOptions,
  defaultHosts: readonly string[] | undefined,
): HttpSettings {
  const { sessions = true, path } = options;
  const limits = typeof sessions === 'object' ? sessions : {};
  if (path !== undefined && !path.startsWith('/')) throw wrong('path', path, 'begin with a slash: /mcp');
  return {
    path,
    sessions:
      sessions === false
        ? undefined
        : {
            maximum: positive('sessions.maximum', limits.maximum ?? 1000),
            idleTimeout: positive('sessions.idleTimeout', limits.idleTimeout ?? 30 * 60_000),
          },
    bodyLimit: positive('bodyLimit', options.bodyLimit ?? 4 * 1024 * 1024),
    allowedHosts: options.allowedHosts ?? defaultHosts,
    allowedOrigins: options.allowedOrigins ?? [],
    authenticate: options.authenticate,
    json: options.json ?? false,
    keepAlive: options.keepAlive,
  };
}

function positive(name: string, value: number): number {
  if (value > 0) return value;
  throw wrong(name, String(value), 'be a number above 0');
}

function wrong(name: string, value: string, must: string): ToolwrightError {
  return new ToolwrightError('TW_SERVER_OPTION', {
    where: name,
    what: `is ${JSON.stringify(value)}`,
    fix: `let ${name} ${must}`,
  });
}
