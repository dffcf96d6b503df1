import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Logger } from '../../call/logger.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { InFlight } from '../in-flight.ts';
import type { ServerSurface } from '../server-surface.ts';
import type { HttpServing } from '../serving.ts';
import { HttpHandler } from './http-handler.ts';
import { checkServerOptions } from './check-http-options.ts';
import { isLoopback, urlOf, withoutBrackets } from './host-address.ts';
import { httpSettings, type HttpOptions } from './http-options.ts';
import { HttpRefusal, isStopping } from './http-refusal.ts';
import { listen } from './listen.ts';
import { DirectLane } from './direct-lane.ts';
import { isPlainAnswer, type HttpAnswer } from './http-answer.ts';
import { sendAnswer, writeAnswer } from './node-exchange.ts';
import { NodeRequests } from './node-request.ts';
import { QueuedResponses } from './queued-responses.ts';
import { RepeatFilter } from './repeat-filter.ts';
import { LOOPBACK_NAMES } from './request-guard.ts';
import { trackBody } from './track-body.ts';

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
  answerRequests(server, handler, { unsent, failures });
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

/** What all answers of a server have in common. */
interface Sending {
  /** Counts what is not sent yet. */
  readonly unsent: InFlight;
  readonly failures: Logger;
}

function answerRequests(server: Server, handler: HttpHandler, { unsent, failures }: Sending): void {
  const enter = (outgoing: ServerResponse): void => {
    outgoing.once('close', unsent.enter());
  };
  const send = (answer: HttpAnswer, incoming: IncomingMessage, outgoing: ServerResponse): void => {
    sendAnswer(answer, incoming, outgoing).catch((cause: unknown) => {
      // A client that went away has no use for an answer, and is nothing to report.
      const message = 'An HTTP response could not be sent.';
      if (!outgoing.destroyed) failures.log({ level: 'warning', event: 'http.unsent', message, cause });
      outgoing.destroy();
    });
  };
  const lane = new DirectLane(handler, unsent, {
    send: (answer, { incoming, outgoing, unread }) => {
      if (isPlainAnswer(answer)) writeAnswer(answer, outgoing);
      else
        send(
          trackBody(answer, (chunk) => unread.take(chunk)),
          incoming,
          outgoing,
        );
    },
    refuse: ({ incoming, outgoing }) => send(isStopping().toAnswer(), incoming, outgoing),
    handOver: (request) => {
      const { incoming, outgoing } = request;
      request.onAdmit = () => enter(outgoing);
      void handler.handle(request).then((answer) => send(answer, incoming, outgoing));
    },
  });
  const requests = new NodeRequests();
  const queued = new QueuedResponses();
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<HttpAnswer> => {
    try {
      const request = requests.read(incoming, outgoing, {
        onAdmit: () => enter(outgoing),
        onDirect: (era) => lane.learn(incoming, era),
      });
      return await handler.handle(request);
    } catch (error) {
      if (error instanceof HttpRefusal) return error.toAnswer();
      throw error;
    }
  };
  server.on('request', (incoming, outgoing) => {
    queued.watch(incoming, outgoing);
    if (lane.take(incoming, outgoing)) return;
    void respond(incoming, outgoing).then((answer) => send(answer, incoming, outgoing));
  });
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
