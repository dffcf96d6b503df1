import type { SurfaceChange } from '../../call/notifier.ts';
import { ByteCollector } from '../../shared/byte-collector.ts';
import { RepeatFilter } from '../../call/logger.ts';
import { Cancellation } from '../../call/call-context.ts';
import { toResponse } from '../http/http-answer.ts';
import { HttpHandler } from '../http/http-handler.ts';
import { checkHandlerOptions } from '../http/check-http-options.ts';
import { httpSettings, type HttpHandlerOptions } from '../http/http-options.ts';
import type { BodyBytes, HttpRequest } from '../http/http-request.ts';
import { bodyReaderOf, type MountedRequest } from '../http/mounted-request.ts';
import { NodeAnswers } from '../http/node-exchange.ts';
import { NodeRequests } from '../http/node-request.ts';
import type { ServerSurface } from '../../engine/dispatcher.ts';

/** Serves requests that a fetch runtime or another HTTP framework accepted. */
export interface FetchHandler {
  /** Always resolves to a response. */
  fetch(request: Request): Promise<Response>;
  /** Resolves when the response is sent, or its client is gone. */
  node(request: MountedRequest): Promise<void>;
  /** Answers 503 from now on, and resolves when everything that runs is answered. */
  stop(): Promise<void>;
  close(): Promise<void>;
  notify(change: SurfaceChange): void;
}

/**
 * The same endpoint as an HTTP server's, as one function.
 * It cannot know on which address it is reached, so it checks the Host header only if `allowedHosts` is given.
 */
export function createFetchHandler(surface: ServerSurface, options: HttpHandlerOptions = {}): FetchHandler {
  checkHandlerOptions(options);
  const handler = new HttpHandler(surface, httpSettings(options, undefined));
  const answers = new NodeAnswers(new RepeatFilter(surface.logger), { backlog: handler.backlog });
  const requests = new NodeRequests();
  return {
    fetch: async (request) => toResponse(await handler.handle(toHttpRequest(request))),
    node: async (request) => {
      const { incoming, outgoing } = request;
      const onAdmit = (): void => answers.expect(outgoing);
      const readBody = bodyReaderOf(request);
      const isDecoded = request.parsedBody !== undefined;
      const told = readBody === undefined ? { onAdmit } : { onAdmit, readBody, isDecoded };
      await answers.send(await requests.answer(handler, incoming, outgoing, told), incoming, outgoing);
    },
    stop: async () => {
      await handler.stop();
      await answers.unsent.whenIdle();
    },
    close: () => handler.close(),
    notify: (change) => {
      handler.notify(change);
    },
  };
}

function toHttpRequest(request: Request): HttpRequest {
  const url = new URL(request.url);
  const gone = new Cancellation();
  request.signal.addEventListener('abort', () => {
    gone.cancel(request.signal.reason);
  });
  if (request.signal.aborted) gone.cancel(request.signal.reason);
  return {
    method: request.method,
    url,
    path: url.pathname,
    host: request.headers.get('host') ?? url.host,
    headers: request.headers,
    gone,
    readBody: (limit) => readBody(request, limit),
  };
}

async function readBody(request: Request, limit: number): Promise<BodyBytes> {
  if (request.bodyUsed) return 'read-before';
  const collector = new ByteCollector(limit);
  if (request.body === null) return collector.take();
  try {
    for await (const chunk of request.body as AsyncIterable<Uint8Array> & ReadableStream<Uint8Array>) {
      if (!collector.add(chunk)) return 'too-large';
    }
  } catch {
    return 'aborted';
  }
  return collector.take();
}
