import { once } from 'node:events';
import { createServer, type ServerOptions, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DedupingLogger, type Logger } from '../../call/logger.ts';
import type { ChangeNotice } from '../../call/notifier.ts';
import type { ServedApplication } from '../../engine/served-application.ts';
import type { HttpServing } from '../serving.ts';
import { checkServerOptions } from './check-http-options.ts';
import { LOOPBACK_NAMES } from './guards/check-head.ts';
import { checkHealthPaths } from './guards/health.ts';
import { HttpHandler } from './http-handler.ts';
import { MAX_BODY_BYTES, httpSettings, type HttpOptions } from './http-options.ts';
import { exchangeReceiver } from './node-exchange.ts';
import type { ResourceServer } from '../../runtime/auth/resource-server.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { Routes } from './routes.ts';

const PATH = '/mcp';
const HOST = '127.0.0.1';

/** Serves Streamable HTTP until it is closed. */
export async function serveHttp(application: ServedApplication, options: HttpOptions): Promise<HttpServing> {
  checkServerOptions(options);
  const { auth } = application.service.settings;
  const { host = HOST } = options;
  const path = pathOf(options, auth);
  checkHealthPaths(path, application.readiness);
  const failures = new DedupingLogger(application.logger);
  const routes = routesOf(options, path, failures);
  const server = createServer(timesOf(options));
  const { port, address } = await listen(server, options.port, withoutBrackets(host));
  const url = new URL(`${urlOf(host, address, port)}${path}`);
  // By the address and not by the host's spelling: 127.1 and LOCALHOST are loopback, too.
  const hosts = isLoopback(address) ? [...LOOPBACK_NAMES, url.hostname] : undefined;
  await placeOrClose(auth, url, server, hosts !== undefined);
  // A proxy on this machine passes on the public name
  if (auth !== undefined) hosts?.push(new URL(auth.resource).hostname);
  const handler = new HttpHandler(application, httpSettings({ ...options, path: url.pathname }, hosts));
  const isOpen = options.authenticate === undefined && auth === undefined;
  if (hosts === undefined && options.allowedHosts === undefined && isOpen) {
    const message = `Every client that reaches ${withPort(host, port)} may use the server, under any host name. Set allowedHosts to its host names, or authenticate to a function that identifies the caller.`;
    application.logger.log({ level: 'warning', event: 'http.open', message });
  }
  const { backlog } = handler;
  const { sendTimeout } = options;
  const receive = exchangeReceiver(handler, { failures, backlog, sendTimeout });
  if (routes === undefined) server.on('request', receive);
  else {
    server.on('request', (incoming, outgoing) => {
      if (!routes.take(incoming, outgoing)) receive(incoming, outgoing);
    });
  }
  server.on('error', (cause) => {
    application.logger.log({ level: 'error', event: 'http.server', message: cause.message, cause });
  });
  return new ListeningServer(server, handler, { url: url.href.replace('%7Btenant%7D', '{tenant}'), port });
}

/** A server of node:http that serves one endpoint. Its methods can be taken out of it: `const { close } = serving`. */
class ListeningServer implements HttpServing {
  readonly url: string;
  readonly port: number;
  readonly closed: Promise<void>;
  readonly #server: Server;
  readonly #handler: HttpHandler;
  #isLeaving = false;
  #closing: Promise<void> | undefined;

  constructor(server: Server, handler: HttpHandler, { url, port }: Pick<HttpServing, 'url' | 'port'>) {
    this.url = url;
    this.port = port;
    this.closed = new Promise((resolve) => server.once('close', resolve));
    this.#server = server;
    this.#handler = handler;
  }

  readonly beginLeaving = (): void => {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    // A proxy must not choose a connection that is about to be closed for its next request
    this.#server.prependListener('request', (_, outgoing) => {
      outgoing.shouldKeepAlive = false;
    });
  };

  readonly stop = (): Promise<void> => {
    this.beginLeaving();
    return this.#handler.stop();
  };

  readonly close = (): Promise<void> => (this.#closing ??= this.#shutDown());

  readonly notify = (change: ChangeNotice): void => {
    this.#handler.notify(change);
  };

  async #shutDown(): Promise<void> {
    this.#server.close();
    await this.#handler.close();
    // One turn, in which the ends of the streams are written.
    await nextTurn();
    this.#server.closeAllConnections();
    await this.closed;
  }
}

/** With a path for each tenant, clients compare the path that they call with the one in the metadata. */
function pathOf({ path }: HttpOptions, auth: ResourceServer | undefined): string {
  const expected = auth?.tenants?.path;
  if (expected === undefined) return path ?? PATH;
  if (path === undefined || path === expected) return expected;
  throw new ToolwrightError('TW_SERVER_OPTION', {
    where: 'listen(), option path',
    what: `is ${path}, but auth.resource has the path ${expected}.`,
    fix: 'leave path out',
  });
}

async function placeOrClose(
  auth: ResourceServer | undefined,
  { href }: URL,
  server: Server,
  isLocal: boolean,
): Promise<void> {
  try {
    auth?.placeAt(href, isLocal);
  } catch (error) {
    server.close();
    await once(server, 'close');
    throw error;
  }
}

function routesOf(
  { routes, maxBodyBytes }: HttpOptions,
  endpoint: string,
  logger: Logger,
): Routes | undefined {
  if (routes === undefined) return undefined;
  return new Routes(routes, { endpoint, logger, maxBodyBytes: maxBodyBytes ?? MAX_BODY_BYTES });
}

const KEEP_ALIVE_TIMEOUT = 65_000;
const REQUEST_TIMEOUT = 5 * 60_000;
/** Node's default interval for checking request time-outs. */
const CHECK_INTERVAL = 30_000;

/** Proxies keep idle connections for 60 seconds, and answer 502 if the server closes one earlier. */
function timesOf({
  keepAliveTimeout = KEEP_ALIVE_TIMEOUT,
  requestTimeout = REQUEST_TIMEOUT,
}: HttpOptions): ServerOptions {
  const isSooner = requestTimeout > 0 && requestTimeout < CHECK_INTERVAL;
  return {
    keepAliveTimeout,
    requestTimeout,
    connectionsCheckingInterval: isSooner ? requestTimeout : CHECK_INTERVAL,
  };
}

const FIXES: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'stop the process that uses the port, choose another port, or let the system choose with port 0',
  EACCES: 'choose a port above 1023, or give the process the right to use this one',
  EADDRNOTAVAIL: 'choose the address of one of this machine’s interfaces, or leave host out for 127.0.0.1',
  ENOTFOUND: 'choose a host name that resolves, or leave host out for 127.0.0.1',
};

/** Resolves to the address of the server. */
export async function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  try {
    await once(server.listen({ port, host }), 'listening');
  } catch (cause) {
    throw cannotListen(cause, port, host);
  }
  return server.address() as AddressInfo;
}

function cannotListen(cause: unknown, port: number, host: string): ToolwrightError {
  const { code = '', message = String(cause) } = cause as {
    readonly code?: string;
    readonly message?: string;
  };
  return new ToolwrightError('TW_SERVER_LISTEN', {
    where: 'listen()',
    what: `cannot use ${host}:${String(port)}`,
    why: code === 'EADDRINUSE' ? 'another process already listens there (EADDRINUSE)' : message,
    fix: FIXES[code] ?? 'check the host and the port',
    cause,
  });
}

/** Whether only this machine reaches the address, written as Node writes the addresses of sockets. */
export function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\.\d+\.\d+\.\d+$/i.test(address) || address === '::1';
}

/** The address for a client on this machine; the wildcard address of all interfaces cannot be called. */
export function urlOf(host: string, address: string, port: number): string {
  const name = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : withoutBrackets(host);
  // URLs do not support zones (URL standard, 3.5).
  return `http://${withPort(name.replace(/%.*$/, ''), port)}`;
}

export function withPort(host: string, port: number): string {
  const name = withoutBrackets(host);
  return `${name.includes(':') ? `[${name}]` : name}:${String(port)}`;
}

/** URLs write IPv6 addresses in brackets, which resolvers do not know. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
