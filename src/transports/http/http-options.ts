import type { AuthInfo } from '../../call/request-context.ts';
import { subjectKey, subjectOf } from '../../call/subject.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { InMemoryEventStore } from '../event-store/in-memory-event-store.ts';
import type { McpService } from '../../runtime/service.ts';
import type { CallerOf } from './beside.ts';
import { ClientAddresses } from './guards/client-address.ts';
import { RequestLimits, type RequestRates } from './guards/limit-requests.ts';

/** Limits for sessions of 2025 clients: number and idle time. */
export interface SessionLimits {
  /**
   * Default 1000. A further session ends the least recently used one of the owner with the most; it is refused if all
   * are in use. With a backplane it bounds the memory of one instance, and a session that had to give way goes on with its
   * next request.
   */
  readonly maxSessions?: number;
  /**
   * Per person, or per value of `sessionOwner`. Default: half of `maxSessions`. Without `authenticate`, all clients
   * count as one.
   */
  readonly maxSessionsPerOwner?: number;
  /** Milliseconds without a request, a running call or an open stream. Default 30 minutes. */
  readonly idleTimeout?: number;
}

/** Options of sessions of 2025 clients: their number, and the resumption of lost streams. */
export interface SessionOptions extends SessionLimits {
  /** Requests of one session that run at the same time. Default 1000; one more is refused with 503. */
  readonly maxCalls?: number;
  /**
   * Keeps sent events, so that a client that reconnects with the header Last-Event-ID gets what it missed (spec
   * 2025-11-25: basic/transports, Resumability and Redelivery). Default: an `InMemoryEventStore` for all sessions;
   * `false` keeps nothing.
   */
  readonly eventStore?: EventStore | false;
  /** Milliseconds after which a client should reconnect to a stream that ended early. Default 1000. */
  readonly retryInterval?: number;
}

/** How lost streams are resumed. */
export interface Resumption {
  readonly eventStore: EventStore;
  readonly retryInterval: number;
  /** Whether the store is not this server's own. */
  readonly isShared: boolean;
}

/** What an authenticator sees of a request. */
export interface AuthenticationRequest {
  /** The HTTP method of the request. */
  readonly method: string;
  /** The absolute URL of the request. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The options that HTTP servers and fetch handlers share. */
export interface HttpHandlerOptions {
  /** The endpoint's path. Default: `/mcp` for an HTTP server; a fetch handler serves every path. */
  readonly path?: string;
  /** `false` serves every request without a session. Default: sessions. */
  readonly sessions?: boolean | SessionOptions;
  /** The largest request body in bytes. Default 4 MiB. */
  readonly maxBodyBytes?: number;
  /** Accepted host names, with or without a port. Default on loopback: loopback names. */
  readonly allowedHosts?: readonly string[];
  /** Origins of pages that may use the server, in addition to those of this machine. */
  readonly allowedOrigins?: readonly string[];
  /**
   * Which pages of this machine may use the server: those of all ports, or those of its own. Default `all`; `toolwright
   * dev` serves its own.
   */
  readonly localOrigins?: 'all' | 'own';
  /**
   * Authenticates the caller. Undefined refuses the request with 401, and so does a value without a token and a client
   * id; throw an `AuthenticationError` to say more. Without this option, callers are not authenticated.
   */
  readonly authenticate?: (
    request: AuthenticationRequest,
  ) => AuthInfo | undefined | Promise<AuthInfo | undefined>;
  /** The owner of a session; nobody else may use it. Default: the subject, see `subjectOf`. */
  readonly sessionOwner?: (authInfo: AuthInfo) => string;
  /**
   * Proxies in front of the server, as addresses and networks (`10.0.0.0/8`). A request of theirs is from the last address
   * in `X-Forwarded-For` that is not one of them. `unix:` trusts those that connect to `socketPath`. Default: none, and the
   * header is ignored.
   */
  readonly trustedProxies?: readonly string[];
  /**
   * Says which address a request is from, for runtimes of fetch, which do not show the connection. Default: the other end of
   * the connection, behind `trustedProxies`.
   */
  readonly clientAddress?: (request: AuthenticationRequest) => string | undefined;
  /**
   * Requests beyond these rates are refused with 429 and `Retry-After`, before anybody is authenticated and the body is read.
   * Each process counts its own. Default: none.
   */
  readonly requestRates?: RequestRates;
  /** Requests that may run at the same time; a further one is refused with 503 and `Retry-After`. Default: any number. */
  readonly maxRequests?: number;
  /** Answers with plain JSON instead of a stream; progress and log messages are then lost. */
  readonly json?: boolean;
  /** Milliseconds between two comments that keep an idle stream open. Default 15 seconds. */
  readonly keepAlive?: number;
  /**
   * Limit for unread bytes of answers, over all connections; above it, the connection with the most is cut. Default 128
   * MiB.
   */
  readonly maxUnreadBytes?: number;
  /** Limit for open subscriptions of 2026-07-28 clients. Default 1000; one person may have half of them. */
  readonly maxSubscriptions?: number;
}

/** Answers a request outside of the protocol, such as a health check. */
export type Route = (request: Request) => Response | Promise<Response>;

/** A server of `node:http` or `node:https`, by its shape. */
export interface NodeServer {
  /** Whether it accepts connections. */
  readonly listening: boolean;
  /** Closes connections that wait for a request. */
  closeIdleConnections(): void;
  /** Closes all connections. */
  closeAllConnections(): void;
  /** The number of listeners of an event. */
  listenerCount(event: string): number;
}

/** Options of an HTTP server: where it listens (`port`, `socketPath`, or a `server` that listens already), and how it serves. */
export interface HttpOptions extends HttpHandlerOptions {
  /** 0 lets the system choose. Left out with `socketPath`, and with a `server` that listens already. */
  readonly port?: number;
  /** Default `127.0.0.1`: this machine only. */
  readonly host?: string;
  /**
   * The file of a Unix socket to listen at, instead of a port. One that a killed process left is replaced; one at which
   * somebody listens is `TW_SERVER_LISTEN`. It is removed when the server closes. Host names and origins are checked as on
   * loopback. Default: a port.
   *
   * @example
   * await app.listen({ socketPath: '/run/tasks/mcp.sock', socketMode: 0o660, allowedHosts: ['mcp.example'] });
   */
  readonly socketPath?: string;
  /**
   * The rights to the file of `socketPath`; who may write to it may connect. Default `0o600`: the user of the process.
   * `0o660` lets its group in, such as that of a proxy.
   */
  readonly socketMode?: number;
  /**
   * A server of `node:http` or `node:https` to serve on, which answers nothing else: the application gives it
   * `keepAliveTimeout` and `requestTimeout`, and closes it when it ends. Default: a server of `node:http`. Servers of
   * HTTP/2 are refused with `TW_SERVER_OPTION`.
   *
   * @example
   * import { readFileSync } from 'node:fs';
   * import { createServer } from 'node:https';
   *
   * const server = createServer({ cert: readFileSync('cert.pem'), key: readFileSync('key.pem') });
   * await app.listen({ server, port: 443, host: '0.0.0.0', allowedHosts: ['mcp.example'] });
   */
  readonly server?: NodeServer;
  /**
   * What is served beside the endpoint, by method and path: health checks, documents. They are not checked for their
   * host, their origin or who calls, and HEAD is answered by GET.
   *
   * @example
   * await app.listen({ port: 3000, routes: { 'GET /health': () => new Response('ok') } });
   */
  readonly routes?: Readonly<Record<string, Route>>;
  /** Milliseconds that a connection without a request stays open. Default 65 seconds. */
  readonly keepAliveTimeout?: number;
  /** Milliseconds that a client may take to send a request. Default 5 minutes. */
  readonly requestTimeout?: number;
  /** Milliseconds that a client may leave its answers unread; 0 waits forever. Default 1 minute. */
  readonly sendTimeout?: number;
}

export interface SessionSettings extends Readonly<Required<SessionLimits>> {
  readonly maxCalls: number;
  /** Undefined where nothing is kept. */
  readonly resumption: Resumption | undefined;
}

/** The options with all defaults. */
export interface HttpSettings {
  readonly path: string | undefined;
  readonly sessions: SessionSettings | undefined;
  readonly maxBodyBytes: number;
  readonly allowedHosts: readonly string[] | undefined;
  readonly allowedOrigins: readonly string[];
  readonly localOrigins: HttpHandlerOptions['localOrigins'];
  readonly authenticate: HttpHandlerOptions['authenticate'];
  /** Says who calls, in the place of `auth` and `authenticate`. */
  readonly callerOf?: CallerOf;
  /** Gives the service that requests are passed to. */
  readonly watch?: ((service: McpService) => McpService) | undefined;
  readonly sessionOwner: (authInfo: AuthInfo) => string;
  readonly addresses: ClientAddresses;
  readonly requestLimits: RequestLimits | undefined;
  readonly maxRequests: number;
  readonly json: boolean;
  readonly keepAlive: number | undefined;
  readonly maxUnreadBytes: number;
  readonly maxSubscriptions: number;
}

export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** @param defaultHosts the names to allow unless `allowedHosts` says others; undefined allows every name */
export function httpSettings(
  options: HttpHandlerOptions,
  defaultHosts: readonly string[] | undefined,
): HttpSettings {
  const { sessions = true, path, maxRequests = Infinity } = options;
  return {
    path,
    sessions: sessions === false ? undefined : sessionSettings(sessions === true ? {} : sessions),
    maxBodyBytes: options.maxBodyBytes ?? MAX_BODY_BYTES,
    allowedHosts: options.allowedHosts ?? defaultHosts,
    allowedOrigins: (options.allowedOrigins ?? []).map(serializedOrigin),
    localOrigins: options.localOrigins,
    authenticate: options.authenticate,
    sessionOwner: options.sessionOwner ?? ((authInfo) => subjectKey(subjectOf(authInfo))),
    addresses: new ClientAddresses(options.trustedProxies, options.clientAddress),
    requestLimits: RequestLimits.of(options.requestRates),
    maxRequests,
    json: options.json ?? false,
    keepAlive: options.keepAlive,
    maxUnreadBytes: options.maxUnreadBytes ?? 128 * 1024 * 1024,
    maxSubscriptions: options.maxSubscriptions ?? 1000,
  };
}

function sessionSettings(options: SessionOptions): SessionSettings {
  const {
    maxSessions = 1000,
    maxSessionsPerOwner = Math.ceil(maxSessions / 2),
    idleTimeout = 30 * 60_000,
    maxCalls = 1000,
    eventStore = new InMemoryEventStore(),
    retryInterval = 1000,
  } = options;
  const isShared = options.eventStore !== undefined;
  const resumption = eventStore === false ? undefined : { eventStore, retryInterval, isShared };
  return { maxSessions, maxSessionsPerOwner, idleTimeout, maxCalls, resumption };
}

/** As browsers send it (RFC 6454, 6.2). */
function serializedOrigin(origin: string): string {
  return origin.toLowerCase().replace(/\/$/, '');
}
