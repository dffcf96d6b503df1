import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { DedupingLogger, type Logger } from '../../call/logger.ts';
import type { Readiness } from '../../engine/served-application.ts';
import { within } from '../../shared/platform.ts';
import { healthAnswer } from './guards/health.ts';
import type { PlainAnswer } from './http-answer.ts';
import { listen } from './listening.ts';

const METRICS = '/metrics';
/** The version of the text format of Prometheus. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
/** Milliseconds that a scrape may take, which is the default of Prometheus. */
const SCRAPE_TIMEOUT = 10_000;
const MOST_CONNECTIONS = 256;
const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

type MetricsText = () => string | Promise<string>;

/** What writes the text of `/metrics`: an exporter, a registry, or a function. */
type Metrics =
  | { readonly getMetricsRequestHandler: (request: never, response: never) => void }
  | { metrics: MetricsText; readonly contentType?: string }
  | MetricsText;

/** What the port shows. */
interface Shown {
  readonly readiness: Readiness | undefined;
  readonly metrics: Metrics | undefined;
}

/** A port for operators: health checks, and metrics. Nobody has to sign in. */
export class OperationsPort {
  readonly url: string;
  readonly #server: Server;
  readonly #failures: Logger;
  #shown: Shown;
  #closing: Promise<void> | undefined;

  private constructor(server: Server, url: string, shown: Shown, logger: Logger) {
    this.#server = server;
    this.#failures = new DedupingLogger(logger);
    this.#shown = shown;
    this.url = url;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  /** @throws ToolwrightError TW_SERVER_LISTEN */
  static async open(
    { port, host }: { readonly port: number; readonly host: string | undefined },
    shown: Shown,
    logger: Logger,
  ): Promise<OperationsPort> {
    const server = createServer({
      requestTimeout: SCRAPE_TIMEOUT,
      connectionsCheckingInterval: SCRAPE_TIMEOUT,
    });
    server.maxConnections = MOST_CONNECTIONS;
    const { origin } = await listen(server, { port, host }, 'operations.port');
    return new OperationsPort(server, origin, shown, logger);
  }

  show(shown: Shown): void {
    this.#shown = shown;
  }

  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      this.#server.close(() => {
        resolve();
      });
      this.#server.closeAllConnections();
    });
    return this.#closing;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const { method = 'GET' } = request;
    const { readiness, metrics } = this.#shown;
    const health = healthAnswer({ path, method }, readiness);
    if (health !== undefined) send(response, health);
    else if (path !== METRICS || metrics === undefined)
      send(response, { status: 404, headers: PLAIN, text: '' });
    else if (method !== 'GET' && method !== 'HEAD') {
      send(response, { status: 405, headers: { ...PLAIN, allow: 'GET, HEAD' }, text: '' });
    } else await this.#scrape(metrics, request, response);
  }

  async #scrape(metrics: Metrics, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if ('getMetricsRequestHandler' in metrics) {
        metrics.getMetricsRequestHandler(request as never, response as never);
        return;
      }
      const isFunction = typeof metrics === 'function';
      const text = await within(
        Promise.resolve().then(() => (isFunction ? metrics() : metrics.metrics())),
        SCRAPE_TIMEOUT,
      );
      const type = (isFunction ? undefined : metrics.contentType) ?? CONTENT_TYPE;
      send(response, { status: 200, headers: { ...PLAIN, 'content-type': type }, text });
    } catch (error) {
      const message = 'The metrics could not be written';
      this.#failures.log({ level: 'error', event: 'metrics.failed', message, error });
      if (response.headersSent) response.destroy();
      else send(response, { status: 500, headers: PLAIN, text: `${message}\n` });
    }
  }
}

function send(response: ServerResponse, { status, headers, text }: PlainAnswer): void {
  response.writeHead(status, headers).end(text);
}
