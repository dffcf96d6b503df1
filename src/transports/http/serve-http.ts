import { once } from 'node:events';
import type { Server } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DedupingLogger, type Logger } from '../../call/logger.ts';
import type { ChangeNotice } from '../../call/notifier.ts';
import type { ServedApplication } from '../../engine/served-application.ts';
import type { HttpServing } from '../serving.ts';
import { checkServerOptions } from './check-http-options.ts';
import { checkHealthPaths } from './guards/health.ts';
import { HttpHandler } from './http-handler.ts';
import type { Beside, BesideEndpoint, BesidePlace, CallerOf, OpenBeside, Sources } from './beside.ts';
import type { McpService } from '../../runtime/service.ts';
import { listen, serverOf, TlsHandshakes, type Place } from './listening.ts';
import { MAX_BODY_BYTES, httpSettings, type HttpOptions, type HttpSettings } from './http-options.ts';
import { exchangeReceiver } from './node-exchange.ts';
import type { ResourceServer } from '../../runtime/auth/resource-server.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { Routes } from './routes.ts';

const PATH = '/mcp';

/**
 * Serves Streamable HTTP until it is closed.
 * @param openBeside opens what has the port in common with the endpoint
 */
export async function serveHttp(
  application: ServedApplication,
  options: HttpOptions,
  openBeside?: OpenBeside,
): Promise<HttpServing> {
  checkServerOptions(options);
  const { auth } = application.service.settings;
  const path = pathOf(options, auth);
  checkHealthPaths(path, application.readiness);
  const failures = new DedupingLogger(application.logger);
  const routes = routesOf(options, path, failures);
  const server = serverOf(options);
  const handshakes = new TlsHandshakes(server);
  const place = await listen(server, options);
  // As URLs write it
  const { pathname } = new URL(`http://localhost${path}`);
  const { host, address, socketPath } = place;
  const url = new URL(`${place.origin}${pathname}`);
  const hosts = place.localNames && [...place.localNames];
  const open: OpenEndpoint = (settings) => {
    const handler = new HttpHandler(application, settings);
    const { sendTimeout } = options;
    const node = { failures, backlog: handler.backlog, sendTimeout, isAtSocket: socketPath !== undefined };
    return { handler, receive: exchangeReceiver(handler, node) };
  };
  const report = (cause: unknown): void => {
    failures.log({ level: 'error', event: 'http.route', message: 'The explorer failed.', cause });
  };
  const warn = (message: string): void => {
    application.logger.log({ level: 'warning', event: 'explorer.exposed', message });
  };
  const beside = await orClose(server, () => {
    // Nobody signs in for the URL of a socket
    auth?.placeAt(url.href, hosts !== undefined && socketPath === undefined);
    const openOther: BesidePlace['open'] = (...given) => openFor(options, open, ...given);
    return openBeside?.({ url, host, address, report, warn, open: openOther });
  });
  // A proxy on this machine passes on the public name
  if (auth !== undefined) hosts?.push(new URL(auth.resource).hostname);
  warnIfOpen(application, options, { auth, hosts, name: place.name });
  const watch = beside && ((service: McpService) => beside.watch(service));
  const { handler, receive } = open({ ...httpSettings({ ...options, path: pathname }, hosts), watch });
  const others = [beside, routes].filter((each) => each !== undefined);
  if (others.length === 0) server.on('request', receive);
  else {
    server.on('request', (incoming, outgoing) => {
      if (!others.some((each) => each.take(incoming, outgoing))) receive(incoming, outgoing);
    });
  }
  server.on('error', (cause) => {
    application.logger.log({ level: 'error', event: 'http.server', message: cause.message, cause });
  });
  const shown = `${place.origin}${pathname}`.replace('%7Btenant%7D', '{tenant}');
  return new ListeningServer(server, handler, beside, { url: shown, place, handshakes });
}

type OpenEndpoint = (settings: HttpSettings) => {
  readonly handler: HttpHandler;
  readonly receive: BesideEndpoint['receive'];
};

/** The endpoint once more, for callers that somebody else has found. */
function openFor(
  options: HttpOptions,
  open: OpenEndpoint,
  path: string,
  { hosts, origins }: Sources,
  callerOf: CallerOf,
): BesideEndpoint {
  const { handler, receive } = open({
    ...httpSettings({ ...options, path }, hosts),
    allowedHosts: hosts,
    allowedOrigins: origins,
    authenticate: undefined,
    callerOf,
  });
  return {
    receive,
    notify: (change) => {
      handler.notify(change);
    },
    stop: () => handler.stop(),
    close: () => handler.close(),
  };
}

function warnIfOpen(
  { logger }: ServedApplication,
  { authenticate, allowedHosts }: HttpOptions,
  {
    auth,
    hosts,
    name,
  }: {
    readonly auth: ResourceServer | undefined;
    readonly hosts: readonly string[] | undefined;
    readonly name: string;
  },
): void {
  if ([authenticate, auth, hosts, allowedHosts].some((each) => each !== undefined)) return;
  const message = `Every client that reaches ${name} may use the server, under any host name. Set allowedHosts to its host names, or authenticate to a function that identifies the caller.`;
  logger.log({ level: 'warning', event: 'http.open', message });
}

interface ListeningParts {
  readonly url: string;
  readonly place: Place;
  readonly handshakes: TlsHandshakes;
}

/** A server of node:http or node:https that serves one endpoint. Its methods can be taken out of it: `const { close } = serving`. */
class ListeningServer implements HttpServing {
  readonly url: string;
  readonly port: number;
  readonly socketPath: string | undefined;
  readonly closed: Promise<void>;
  readonly #server: Server;
  readonly #handler: HttpHandler;
  readonly #handshakes: TlsHandshakes;
  readonly #beside: Beside | undefined;
  readonly explorer?: string;
  #isLeaving = false;
  #closing: Promise<void> | undefined;

  constructor(
    server: Server,
    handler: HttpHandler,
    beside: Beside | undefined,
    { url, place, handshakes }: ListeningParts,
  ) {
    this.url = url;
    this.port = place.port;
    this.socketPath = place.socketPath;
    this.#handshakes = handshakes;
    this.closed = new Promise((resolve) => server.once('close', resolve));
    this.#server = server;
    this.#handler = handler;
    this.#beside = beside;
    if (beside !== undefined) this.explorer = beside.url;
  }

  readonly beginLeaving = (): void => {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    // A proxy must not choose a connection that is about to be closed for its next request
    this.#server.prependListener('request', (_, outgoing) => {
      outgoing.shouldKeepAlive = false;
    });
  };

  readonly stop = async (): Promise<void> => {
    this.beginLeaving();
    await Promise.all([this.#handler.stop(), this.#beside?.stop()]);
  };

  readonly close = (): Promise<void> => (this.#closing ??= this.#shutDown());

  readonly notify = (change: ChangeNotice): void => {
    this.#handler.notify(change);
    this.#beside?.notify(change);
  };

  async #shutDown(): Promise<void> {
    this.#server.close();
    await Promise.all([this.#handler.close(), this.#beside?.close()]);
    // One turn, in which the ends of the streams are written.
    await nextTurn();
    this.#server.closeAllConnections();
    this.#handshakes.destroy();
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

/** What cannot be placed leaves no server behind. */
async function orClose<Placed>(server: Server, place: () => Placed): Promise<Placed> {
  try {
    return place();
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
