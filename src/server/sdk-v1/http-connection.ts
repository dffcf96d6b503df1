import type { SurfaceChange } from '../../call/notifier.ts';
import { SessionEvents } from '../event-store/session-events.ts';
import type { HttpAnswer } from '../http/http-answer.ts';
import type { Patience } from '../http/patience.ts';
import type { Resumption } from '../http/http-options.ts';
import { RepeatFilter } from '../../call/repeat-filter.ts';
import type { ServerSurface } from '../server-surface.ts';
import { connectTransport } from './connect-transport.ts';
import { SessionDirect } from './session-direct.ts';
import { HttpTransport } from './http-transport.ts';
import type { ServeOptions } from './serve-options.ts';

/** One session, or one request of a stateless server. */
export interface HttpConnection {
  /** False until the client's initialize was accepted. */
  readonly isInitialized: boolean;
  /** Aborted when the client or the server ended the connection. */
  readonly closed: AbortSignal;
  /** Answers without the SDK; undefined for what has to go to it. @throws HttpRefusal */
  serveDirectly(options: ServeOptions): Promise<HttpAnswer> | undefined;
  serve(options: ServeOptions): Promise<HttpAnswer>;
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
  /** Tells which requests take so long that their clients get a stream. */
  readonly patience: Patience;
}

export async function openHttpConnection(
  surface: ServerSurface,
  { sessionId, json, keepAlive, maximumCalls = Infinity, resumption, patience }: HttpConnectionOptions,
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
  if (surface.direct !== undefined) {
    transport.direct = new SessionDirect(server, surface.direct, { canAsk, canLog: !json, patience });
  }
  const closing = new AbortController();
  server.onclose = () => {
    closing.abort();
  };
  return {
    closed: closing.signal,
    get isInitialized() {
      return transport.sessionId !== undefined;
    },
    serveDirectly: (options) => transport.serveDirectly(options),
    serve: (options) => transport.serve(options),
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
