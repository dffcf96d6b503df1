import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ServerSurface } from '../../engine/dispatcher.ts';
import type { HttpServing } from '../serving.ts';
import { HttpHandler } from './http-handler.ts';
import { checkServerOptions } from './check-http-options.ts';
import { isLoopback, urlOf, withoutBrackets, withPort, listen } from './listen.ts';
import { BODY_LIMIT, httpSettings, type HttpOptions } from './http-options.ts';
import { isStopping, isPlainAnswer, type HttpAnswer } from './http-answer.ts';
import { DirectLane } from './direct-lane.ts';
import { NodeAnswers, writeAnswer } from './node-exchange.ts';
import { NodeRequests } from './node-request.ts';
import { QueuedResponses } from './queued-responses.ts';
import { type Logger, RepeatFilter } from '../../call/logger.ts';
import { LOOPBACK_NAMES } from './guards/request-guard.ts';
import { Routes } from './routes.ts';
import { trackBody } from './streams/track-body.ts';

const PATH = '/mcp';
const HOST = '127.0.0.1';

/** Serves Streamable HTTP until it is closed. */
export async function serveHttp(surface: ServerSurface, options: HttpOptions): Promise<HttpServing> {
  checkServerOptions(options);
  const { host = HOST, path = PATH } = options;
  const failures = new RepeatFilter(surface.logger);
  const routes = routesOf(options, path, failures);
  const server = createServer(timesOf(options));
  const { port, address } = await listen(server, options.port, withoutBrackets(host));
  const url = new URL(`${urlOf(host, address, port)}${path}`);
  // By the address and not by the host's spelling: 127.1 and LOCALHOST are loopback, too.
  const hosts = isLoopback(address) ? [...LOOPBACK_NAMES, url.hostname] : undefined;
  const handler = new HttpHandler(surface, httpSettings({ ...options, path: url.pathname }, hosts));
  if (hosts === undefined && options.allowedHosts === undefined && options.authenticate === undefined) {
    const message = `Whoever reaches ${withPort(host, port)} may use the server, under any host name. Set allowedHosts to the names that it is called by, or authenticate to a function that finds out who calls.`;
    surface.logger.log({ level: 'warning', event: 'http.open', message });
  }
  const { backlog } = handler;
  const { sendTimeout } = options;
  const answers = new NodeAnswers(failures, { backlog, sendTimeout });
  answerRequests(server, handler, answers, routes);
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
      await answers.unsent.whenIdle();
    },
    close: () => (closing ??= shutDown()),
    notify: (change) => {
      handler.notify(change);
    },
  };
}

function routesOf({ routes, bodyLimit }: HttpOptions, endpoint: string, logger: Logger): Routes | undefined {
  if (routes === undefined) return undefined;
  return new Routes(routes, { endpoint, logger, bodyLimit: bodyLimit ?? BODY_LIMIT });
}

function answerRequests(
  server: Server,
  handler: HttpHandler,
  answers: NodeAnswers,
  routes: Routes | undefined,
): void {
  const send = (answer: HttpAnswer, incoming: IncomingMessage, outgoing: ServerResponse): void => {
    void answers.send(answer, incoming, outgoing);
  };
  const lane = new DirectLane(handler, answers.unsent, {
    send: (answer, { incoming, outgoing, unread }) => {
      if (isPlainAnswer(answer)) {
        writeAnswer(answer, outgoing);
        answers.watch(outgoing);
      } else send(trackBody(answer, { unread }), incoming, outgoing);
    },
    refuse: ({ incoming, outgoing }) => send(isStopping().toAnswer(), incoming, outgoing),
    handOver: (request) => {
      const { incoming, outgoing } = request;
      request.onAdmit = () => answers.expect(outgoing);
      void handler.handle(request).then((answer) => send(answer, incoming, outgoing));
    },
  });
  const requests = new NodeRequests();
  const queued = new QueuedResponses();
  const respond = (incoming: IncomingMessage, outgoing: ServerResponse): Promise<HttpAnswer> =>
    requests.answer(handler, incoming, outgoing, {
      onAdmit: () => answers.expect(outgoing),
      onDirect: (era) => lane.learn(incoming, era),
    });
  server.on('request', (incoming, outgoing) => {
    queued.watch(incoming, outgoing);
    if (routes?.take(incoming, outgoing) === true) return;
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
