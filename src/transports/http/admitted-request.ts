import type { AuthInfo } from '../../call/call-exchange.ts';
import type { SurfaceChange } from '../../call/notifier.ts';
import type { Cancellation } from '../../call/call-context.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { PostedMessages } from './http-body.ts';
import type { HttpRequest } from './http-request.ts';
import type { UnreadEvents } from './streams/unread-events.ts';

/** A request that passed every check that does not depend on its protocol era. */
export interface AdmittedRequest {
  readonly request: HttpRequest;
  readonly posted: PostedMessages | undefined;
  readonly authInfo: AuthInfo | undefined;
  readonly unread: UnreadEvents;
  /** Ends the response, if that is a stream. */
  readonly ending: Cancellation;
  /** Runs what is given when the response has been read or will never be. */
  readonly atEnd: (end: () => void) => void;
}

/** Answers the requests of one protocol era. */
export interface EraEndpoint {
  /** @throws HttpRefusal for what cannot be served */
  serve(admitted: AdmittedRequest): Promise<HttpAnswer>;
  /** Tells the clients that listen. */
  notify(change: SurfaceChange): void;
  /** Ends everything that is open and aborts what runs. */
  close(): Promise<void>;
}
