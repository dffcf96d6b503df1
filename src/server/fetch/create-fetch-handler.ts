import type { SurfaceChange } from '../../call/notifier.ts';
import { Cancellation } from '../direct/cancellation.ts';
import { toResponse } from '../http/http-answer.ts';
import { HttpHandler } from '../http/http-handler.ts';
import { checkHandlerOptions } from '../http/check-http-options.ts';
import { httpSettings, type HttpHandlerOptions } from '../http/http-options.ts';
import { BodyCollector, type BodyBytes, type HttpRequest } from '../http/http-request.ts';
import type { ServerSurface } from '../server-surface.ts';

/** Serves requests that a fetch runtime or another HTTP framework accepted. */
export interface FetchHandler {
  /** Always resolves to a response. */
  fetch(request: Request): Promise<Response>;
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
  return {
    fetch: async (request) => toResponse(await handler.handle(toHttpRequest(request))),
    stop: () => handler.stop(),
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
    host: request.headers.get('host') ?? url.host,
    headers: request.headers,
    gone,
    readBody: (limit) => readBody(request, limit),
  };
}

async function readBody(request: Request, limit: number): Promise<BodyBytes> {
  const collector = new BodyCollector(limit);
  if (request.body === null) return collector.bytes();
  try {
    for await (const chunk of request.body as AsyncIterable<Uint8Array> & ReadableStream<Uint8Array>) {
      if (!collector.add(chunk)) return 'too-large';
    }
  } catch {
    return 'aborted';
  }
  return collector.bytes();
}
