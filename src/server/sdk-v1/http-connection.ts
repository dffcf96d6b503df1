import type { SurfaceChange } from '../../call/notifier.ts';
import { SessionEvents } from '../event-store/session-events.ts';
import type { Resumption } from '../http/http-options.ts';
import { RepeatFilter } from '../http/repeat-filter.ts';
import type { ServerSurface } from '../server-surface.ts';
import { connectTransport } from './connect-transport.ts';
import { HttpTransport, type ServeOptions } from './http-transport.ts';

/** One session, or one request of a stateless server. */
export interface HttpConnection {
  /** False until the client's initialize was accepted. */
  readonly isInitialized: boolean;
  /** Aborted when the client or the server ended the connection. */
  readonly closed: AbortSignal;
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
  /** How many requests may run at the same time; undefined where there is one POST only. */
  readonly maximumCalls?: number | undefined;
  /** Undefined where a stream that is lost cannot be continued, as without sessions. */
  readonly resumption?: Resumption | undefined;
}

export async function openHttpConnection(
  surface: ServerSurface,
  { sessionId, json, keepAlive, maximumCalls = Infinity, resumption }: HttpConnectionOptions,
): Promise<HttpConnection> {
  const onFailure = storeReporter(surface);
  const transport = new HttpTransport({
    sessionId,
    json,
    keepAlive,
    maximumCalls,
    events: resumption && new SessionEvents(resumption.eventStore, onFailure),
    retryInterval: resumption?.retryInterval ?? 0,
    onFailure,
  });
  // Plain JSON and a connection that ends with the answer carry no requests to the client.
  const canAsk = sessionId !== undefined && !json;
  const isLasting = sessionId !== undefined;
  const { server, attachment } = await connectTransport(surface, transport, {
    canAsk,
    canLog: !json,
    isLasting,
  });
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

function storeReporter({ logger }: ServerSurface): (cause: unknown) => void {
  const repeats = new RepeatFilter(logger);
  return (cause) => {
    const message = 'The event store failed; what it should have kept cannot be resumed.';
    repeats.log({ level: 'warning', event: 'http.event-store', message, cause });
  };
}
