import { once } from 'node:events';
import {
  createServer,
  type ServerOptions,
  type Server,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DedupingLogger, type Logger } from '../../call/logger.ts';
import type { ServedApplication } from '../../engine/served-application.ts';
import type { HttpServing } from '../serving.ts';
import { checkServerOptions, ROUTE_NAME } from './check-http-options.ts';
import { LOOPBACK_NAMES, withoutSlash } from './guards/check-head.ts';
import { HttpHandler } from './http-handler.ts';
import { MAX_BODY_BYTES, httpSettings, type HttpOptions, type Route } from './http-options.ts';
import { exchangeReceiver } from './node-exchange.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { optionError } from '../../errors/option-errors.ts';
import { ByteCollector } from '../../shared/byte-collector.ts';
import { targetOf } from './node-form.ts';

const PATH = '/mcp';
const HOST = '127.0.0.1';

/** Serves Streamable HTTP until it is closed. */
export async function serveHttp(application: ServedApplication, options: HttpOptions): Promise<HttpServing> {
  checkServerOptions(options);
  const { host = HOST, path = PATH } = options;
  const failures = new DedupingLogger(application.logger);
  const routes = routesOf(options, path, failures);
  const server = createServer(timesOf(options));
  const { port, address } = await listen(server, options.port, withoutBrackets(host));
  const url = new URL(`${urlOf(host, address, port)}${path}`);
  // By the address and not by the host's spelling: 127.1 and LOCALHOST are loopback, too.
  const hosts = isLoopback(address) ? [...LOOPBACK_NAMES, url.hostname] : undefined;
  const handler = new HttpHandler(application, httpSettings({ ...options, path: url.pathname }, hosts));
  if (hosts === undefined && options.allowedHosts === undefined && options.authenticate === undefined) {
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
  const closed = new Promise<void>((resolve) => server.once('close', resolve));

  const shutDown = async (): Promise<void> => {
    server.close();
    await handler.close();
    // One turn, in which the ends of the streams are written.
    await nextTurn();
    server.closeAllConnections();
    await closed;
  };
  let closing: Promise<void> | undefined;
  return {
    url: url.href,
    port,
    closed,
    stop: () => handler.stop(),
    close: () => (closing ??= shutDown()),
    notify: (change) => {
      handler.notify(change);
    },
  };
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

const WITHOUT_BODY: readonly string[] = ['GET', 'HEAD'];

export interface RouteSettings {
  /** Where the protocol is served. */
  readonly endpoint: string;
  readonly maxBodyBytes: number;
  readonly logger: Logger;
}

/** The further routes of an HTTP server. */
export class Routes {
  readonly #byPath = new Map<string, Map<string, Route>>();
  readonly #settings: RouteSettings;

  /** @throws ToolwrightError TW_SERVER_OPTION for a route at the path of the endpoint */
  constructor(routes: Readonly<Record<string, Route>>, settings: RouteSettings) {
    this.#settings = settings;
    for (const [name, answer] of Object.entries(routes)) {
      const [, method = '', path = ''] = ROUTE_NAME.exec(name) ?? [];
      if (withoutSlash(path) === withoutSlash(settings.endpoint)) throw isEndpoint(name, settings.endpoint);
      const methods = this.#byPath.get(path) ?? new Map<string, Route>();
      this.#byPath.set(path, methods.set(method, answer));
    }
  }

  /** Answers a request to one of the paths; false for every other. */
  take(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const [path = ''] = (incoming.url ?? '').split('?', 1);
    const methods = this.#byPath.get(path);
    if (methods === undefined) return false;
    void this.#answer(methods, incoming, outgoing).catch((cause: unknown) => {
      // The client has disconnected.
      if (!outgoing.destroyed) this.#log('An answer of a route could not be sent.', cause);
      outgoing.destroy();
    });
    return true;
  }

  async #answer(
    methods: ReadonlyMap<string, Route>,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> {
    const { method = 'GET' } = incoming;
    const route = methods.get(method) ?? (method === 'HEAD' ? methods.get('GET') : undefined);
    const response = route === undefined ? notAllowed(methods) : await this.#run(route, incoming, outgoing);
    const cookies = response.headers.getSetCookie();
    outgoing.writeHead(response.status, {
      ...Object.fromEntries(response.headers),
      ...(cookies.length === 0 ? {} : { 'set-cookie': cookies }),
      // The rest of the upload is not read.
      ...(incoming.complete ? {} : { connection: 'close' }),
    });
    const { body } = response;
    if (body === null || method === 'HEAD') {
      await body?.cancel();
      outgoing.end();
      return;
    }
    // The two declarations of ReadableStream, of the DOM and of Node, describe the same class.
    await pipeline(Readable.fromWeb(body as NodeReadableStream<Uint8Array>), outgoing);
  }

  /** An error of a route goes to the log only. */
  async #run(route: Route, incoming: IncomingMessage, outgoing: ServerResponse): Promise<Response> {
    try {
      const request = await this.#requestOf(incoming, outgoing);
      if (request instanceof Response) return request;
      const response: unknown = await route(request);
      if (response instanceof Response) return response;
      throw new TypeError('A route gives a Response');
    } catch (cause) {
      this.#log(`The route ${incoming.method ?? ''} ${incoming.url ?? ''} failed.`, cause);
      return new Response('Internal error', { status: 500 });
    }
  }

  /** The request, or the refusal of an unreadable one. */
  async #requestOf(incoming: IncomingMessage, outgoing: ServerResponse): Promise<Request | Response> {
    const { method = 'GET', headers } = incoming;
    const gone = new AbortController();
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) gone.abort();
    });
    const body = WITHOUT_BODY.includes(method) ? null : await readBody(incoming, this.#settings.maxBodyBytes);
    if (body === 'too-large') return new Response('Content too large', { status: 413 });
    if (body === 'aborted') return new Response('Bad request', { status: 400 });
    try {
      const given = Object.entries(headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]],
      );
      return new Request(targetOf(incoming).url, { method, headers: given, body, signal: gone.signal });
    } catch {
      return new Response('Bad request', { status: 400 });
    }
  }

  #log(message: string, cause: unknown): void {
    this.#settings.logger.log({ level: 'error', event: 'http.route', message, cause });
  }
}

// Not `for await`: leaving that loop early destroys the socket, and with it the answer.
function readBody(incoming: IncomingMessage, limit: number): Promise<Uint8Array | 'too-large' | 'aborted'> {
  return new Promise((resolve) => {
    const collector = new ByteCollector(limit);
    incoming.on('data', (chunk: Uint8Array) => {
      if (collector.add(chunk)) return;
      incoming.pause();
      resolve('too-large');
    });
    incoming.once('end', () => {
      resolve(collector.take());
    });
    incoming.once('close', () => {
      resolve('aborted');
    });
  });
}

function notAllowed(methods: ReadonlyMap<string, Route>): Response {
  const names = [...methods.keys()].flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
  return new Response('Method not allowed', { status: 405, headers: { allow: names.join(', ') } });
}

function isEndpoint(name: string, endpoint: string): ToolwrightError {
  return optionError('TW_SERVER_OPTION', 'listen()', [
    {
      path: `routes["${name}"]`,
      kind: 'value',
      given: `the path ${endpoint}`,
      allowed: 'another path than that of the protocol',
      nearest: undefined,
    },
  ]);
}
