import type { AuthInfo } from '../../call/request-context.ts';
import type { Cancellation } from '../../call/call-context.ts';
import type { HttpCarrier } from '../../engine/revision.ts';
import type { ChangeNotice } from '../../call/notifier.ts';
import type { ServedApplication } from '../../engine/dispatcher.ts';
import type { InFlight } from '../../runtime/service.ts';
import type { CheckedHead, RequestHead } from './guards/check-head.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { HttpSettings } from './http-options.ts';
import type { Backlog } from './streams/backpressure-counter.ts';

/** A body's bytes, or why there are none. */
export type BodyBytes = Uint8Array | 'too-large' | 'aborted' | 'read-before';

/** One HTTP request and its answer, whether it came over node:http or from a fetch runtime. */
export interface HttpExchange extends RequestHead, HttpCarrier {
  readonly method: string;
  readonly sessionId: string | null;
  readonly contentLength: string | null;
  /** The client went away before it had its answer. */
  readonly gone: Cancellation;
  /** What the guards found, when they have let it pass. */
  checked: CheckedHead | undefined;
  /** The page that may read the answer; set as soon as its origin is let pass. */
  allowedOrigin: string | undefined;
  /** Undefined where nobody is asked who calls. */
  authInfo: AuthInfo | undefined;
  /** @throws HttpRefusal for what something before the server may have read in another way */
  checkForm(): void;
  /** Hands the body over once, or the reason why there is none. */
  readBody(limit: number, take: (bytes: BodyBytes, exchange: HttpExchange) => void): void;
  /** Is counted until its client has the answer or is gone. */
  countIn(inFlight: InFlight): void;
  /** Only the first answer counts. */
  answer(answer: HttpAnswer): void;
  /** Told when the stream that answers it was read to its end, or never will be. */
  streamEnded(): void;
}

/** What all endpoints have in common. */
export interface EndpointContext {
  readonly application: ServedApplication;
  readonly settings: HttpSettings;
  /** What clients have not read yet. */
  readonly backlog: Backlog;
  /** Logs a problem of a client that is not a fault of the server. */
  readonly report: (cause: Error) => void;
}

/** Answers what the guards let pass. */
export interface HttpEndpoint {
  /**
   * @param body undefined for GET and DELETE
   * @returns what the answer comes from; undefined where the exchange gets it from the endpoint
   * @throws HttpRefusal for what cannot be served
   */
  serve(exchange: HttpExchange, body: unknown): Promise<HttpAnswer | undefined> | undefined;
  /** Notifies the subscribed clients. */
  notify(change: ChangeNotice): void;
  /** Ends everything that is open and aborts what runs. */
  close(): Promise<void>;
}
