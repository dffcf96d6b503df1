import type { AuthInfo } from '../../call/call-exchange.ts';
import type { HttpRequest } from '../http/http-request.ts';
import type { UnreadEvents } from '../http/unread-events.ts';

/** One HTTP request of the connection. */
export interface ServeOptions {
  readonly request: Pick<HttpRequest, 'method' | 'url' | 'headers'>;
  /** The parsed body of a POST. */
  readonly body: unknown;
  readonly authInfo: AuthInfo | undefined;
  /** Counts what the response's stream holds. */
  readonly unread: UnreadEvents;
}
