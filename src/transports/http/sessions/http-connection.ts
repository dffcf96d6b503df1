import type { AuthInfo } from '../../../call/call-exchange.ts';
import type { SurfaceChange } from '../../../call/notifier.ts';
import type { HttpAnswer } from '../http-answer.ts';
import type { HttpRequest } from '../http-request.ts';
import type { UnreadEvents } from '../streams/unread-events.ts';

/** One HTTP request of the connection. */
export interface ServeOptions {
  readonly request: Pick<HttpRequest, 'method' | 'url' | 'headers' | 'gone'>;
  /** The parsed body of a POST. */
  readonly body: unknown;
  readonly authInfo: AuthInfo | undefined;
  /** Counts what the response's stream holds. */
  readonly unread: UnreadEvents;
}

/** One session, or one request of a stateless server. */
export interface HttpConnection {
  /** False until the client's initialize was accepted. */
  readonly isInitialized: boolean;
  /** Aborted when the client or the server ended the connection. */
  readonly closed: AbortSignal;
  /** @throws HttpRefusal */
  serve(options: ServeOptions): Promise<HttpAnswer>;
  notify(change: SurfaceChange): void;
  close(): Promise<void>;
}
