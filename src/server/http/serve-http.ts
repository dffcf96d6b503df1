import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { InFlight } from '../in-flight.ts';
import type { ServerSurface } from '../server-surface.ts';
import type { HttpServing } from '../serving.ts';
import { HttpHandler } from './http-handler.ts';
import { httpSettings, type HttpOptions } from './http-options.ts';
import { HttpRefusal } from './http-refusal.ts';
import { listen } from './listen.ts';
import { sendResponse, toHttpRequest } from './node-exchange.ts';
import { LOOPBACK_NAMES } from './request-guard.ts';

const PATH = '/mcp';
const HOST = '127.0.0.1';

/** Serves Streamable HTTP until it is closed. */
export async function serveHttp(surface: ServerSurface, options: HttpOptions): Promise<HttpServing> {
  const { host = HOST, path = PATH } = options;
  const settings = httpSettings(
    { ...options, path },
    isLoopback(host) ? [...LOOPBACK_NAMES, host] : undefined,
  );
  const handler = new HttpHandler(surface, settings);
  const unsent = new InFlight();
  const server = createServer((incoming, outgoing) => {
    if (incoming.method === 'POST') outgoing.once('close', unsent.enter());
    void answer(handler, incoming, outgoing);
  });
  const port = await listen(server, options.port, host);
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
    url: `http://${reachable(host)}:${String(port)}${path}`,
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
): Promise<void> {
  try {
    const response = await respond(handler, incoming, outgoing);
    await sendResponse(response, outgoing);
  } catch {
    // Only a client that went away gets here, and it has no use for an answer.
    outgoing.destroy();
  }
}

async function respond(
  handler: HttpHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<Response> {
  try {
    return await handler.handle(toHttpRequest(incoming, outgoing));
  } catch (error) {
    if (error instanceof HttpRefusal) return error.toResponse();
    throw error;
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** An address that stands for all interfaces is none that a client can call. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return HOST;
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
