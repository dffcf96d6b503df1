import type { SurfaceChange } from '../../call/notifier.ts';
import type { ServerSurface } from '../server-surface.ts';
import { connectTransport } from './connect-transport.ts';
import { HttpTransport, type ServeOptions } from './http-transport.ts';

/** One session, or one request of a stateless server. */
export interface HttpConnection {
  /** False until the client's initialize was accepted. */
  readonly isInitialized: boolean;
  /** Aborted when the client or the server ended the connection. */
  readonly closed: AbortSignal;
  /** @throws HttpRefusal when the id of a request is taken */
  serve(request: Request, options: ServeOptions): Promise<Response>;
  notify(change: SurfaceChange): void;
  close(): Promise<void>;
}

export interface HttpConnectionOptions {
  /** Undefined for the single request of a stateless server. */
  readonly sessionId: string | undefined;
  readonly json: boolean;
  /** Milliseconds between two comments on an open stream. */
  readonly keepAlive: number | undefined;
}

export async function openHttpConnection(
  surface: ServerSurface,
  { sessionId, json, keepAlive }: HttpConnectionOptions,
): Promise<HttpConnection> {
  const transport = new HttpTransport({
    enableJsonResponse: json,
    ...(sessionId === undefined ? {} : { sessionIdGenerator: () => sessionId }),
    ...(keepAlive === undefined ? {} : { keepAliveMs: keepAlive }),
  });
  // The SDK drops requests to the client where it answers with plain JSON or the connection ends with the answer.
  const canAsk = sessionId !== undefined && !json;
  const { server, attachment } = await connectTransport(surface, transport, { canAsk });
  const closing = new AbortController();
  server.onclose = () => {
    closing.abort();
  };
  return {
    closed: closing.signal,
    get isInitialized() {
      return transport.sessionId !== undefined;
    },
    serve: (request, options) => transport.serve(request, options),
    notify: attachment.notify,
    close: () => server.close(),
  };
}
