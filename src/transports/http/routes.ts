import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { Logger } from '../../call/logger.ts';
import { optionError } from '../../errors/option-errors.ts';
import type { ToolwrightError } from '../../errors/toolwright-error.ts';
import { ByteCollector } from '../../shared/byte-collector.ts';
import { ROUTE_NAME } from './check-http-options.ts';
import { withoutSlash } from './guards/check-head.ts';
import type { BodyBytes } from './http-exchange.ts';
import type { Route } from './http-options.ts';
import { targetOf } from './node-http.ts';

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
    if (body === 'scattered') return new Response('Too many small pieces', { status: 400 });
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
function readBody(incoming: IncomingMessage, limit: number): Promise<Exclude<BodyBytes, 'read-before'>> {
  return new Promise((resolve) => {
    const collector = new ByteCollector(limit);
    incoming.on('data', (chunk: Uint8Array) => {
      if (!collector.add(chunk)) {
        incoming.pause();
        resolve('too-large');
      } else if (collector.isScattered) {
        resolve('scattered');
        setImmediate(() => incoming.destroy());
      }
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
