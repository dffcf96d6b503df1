import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { InFlight } from '../in-flight.ts';
import type { ServerSurface } from '../server-surface.ts';
import type { HttpServing } from '../serving.ts';
import { HttpHandler } from './http-handler.ts';
import { checkServerOptions } from './check-http-options.ts';
import { isLoopback, urlOf, withoutBrackets } from './host-address.ts';
import { httpSettings, type HttpOptions } from './http-options.ts';
import { HttpRefusal } from './http-refusal.ts';
import { listen } from './listen.ts';
import { sendResponse, toHttpRequest } from './node-exchange.ts';
import { RepeatFilter } from './repeat-filter.ts';
import { LOOPBACK_NAMES } from './request-guard.ts';

const PATH = '/mcp';
const HOST = '127.0.0.1';

/** Serves Streamable HTTP until it is closed. */
export async function serveHttp(surface: ServerSurface, options: HttpOptions): Promise<HttpServing> {
  checkServerOptions(options);
  const { host = HOST, path = PATH } = options;
  const server = createServer(timesOf(options));
  const { port, address } = await listen(server, options.port, withoutBrackets(host));
  const url = new URL(`${urlOf(host, address, port)}${path}`);
  // By the address and not by the host's spelling: 127.1 and LOCALHOST are loopback, too.
  const hosts = isLoopback(address) ? [...LOOPBACK_NAMES, url.hostname] : undefined;
  const handler = new HttpHandler(surface, httpSettings({ ...options, path: url.pathname }, hosts));
  const unsent = new InFlight();
  const failures = new RepeatFilter(surface.logger);
  server.on('request', (incoming, outgoing) => {
    answer(handler, incoming, outgoing, unsent).catch((cause: unknown) => {
      // A client that went away has no use for an answer, and is nothing to report.
      const message = 'An HTTP response could not be sent.';
      if (!outgoing.destroyed) failures.log({ level: 'warning', event: 'http.unsent', message, cause });
      outgoing.destroy();
    });
  });
  server.on('error', (cause) => {
    surface.logger.log({ level: 'error', event: 'http.server', message: cause.message, cause });
  });
  const closed = new Promise<void>((resolve) => server.once('close', resolve));

  const shutDown = async (): Promise<void> => {
    server.close();
    await handler.close();
    // One turn for the ends of the streams to be written.
    await nextTurn();
    server.closeAllConnections();
    await closed;
  };
  let closing: Promise<void> | undefined;
  return {
    url: url.href,
    port,
    closed,
    stop: async () => {
      await handler.stop();
      await unsent.whenIdle();
    },
    close: () => (closing ??= shutDown()),
    notify: (change) => {
      handler.notify(change);
    },
  };
}

async function answer(
  handler: HttpHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  unsent: InFlight,
): Promise<void> {
  const response = await respond(handler, incoming, outgoing, unsent);
  await sendResponse(response, incoming, outgoing);
}

async function respond(
  handler: HttpHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  unsent: InFlight,
): Promise<Response> {
  const onAdmit = (): void => {
    outgoing.once('close', unsent.enter());
  };
  try {
    return await handler.handle(toHttpRequest(incoming, outgoing, onAdmit));
  } catch (error) {
    if (error instanceof HttpRefusal) return error.toResponse();
    throw error;
  }
}

const KEEP_ALIVE_TIMEOUT = 65_000;
const REQUEST_TIMEOUT = 5 * 60_000;
/** How often Node looks for requests that take too long, unless told. */
const CHECK_INTERVAL = 30_000;

/** Proxies keep a connection for 60 seconds, and would answer 502 for one that the server closed before. */
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
