import type { AuthInfo } from '../../call/request-context.ts';
import type { Cancellation } from '../../call/call-context.ts';
import type { Credentials } from '../../runtime/auth/presented-token.ts';
import type { HttpCarrier } from '../../engine/revision.ts';
import type { ChangeNotice } from '../../call/notifier.ts';
import type { StandingReply } from '../../engine/request.ts';
import type { ServedApplication } from '../../engine/served-application.ts';
import type { ServedClient } from '../../kernel/call/service-request.ts';
import type { InFlight } from '../../runtime/service.ts';
import type { CheckedHead, RequestHead } from './guards/check-head.ts';
import type { ClientAddresses } from './guards/client-address.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { HttpSettings } from './http-options.ts';
import type { Backlog } from './streams/backpressure-counter.ts';

/** A body's bytes, or why there are none. */
export type BodyBytes = Uint8Array | 'too-large' | 'scattered' | 'aborted' | 'read-before';

/** One HTTP request and its answer, of node:http or of a fetch runtime. */
export interface HttpExchange extends RequestHead, HttpCarrier, Credentials {
  readonly method: string;
  readonly sessionId: string | null;
  readonly contentLength: string | null;
  /** The client has disconnected before its answer. */
  readonly gone: Cancellation;
  /** The surface that the request chose; set once it has passed the guards. */
  surface: string | undefined;
  /** The result of the guards, once the request has passed. */
  checked: CheckedHead | undefined;
  /** What finds its address; set once the request has passed the guards. */
  addresses: ClientAddresses | undefined;
  /** The other end of the connection; undefined where it is unknown. */
  readonly peer: string | undefined;
  /** The origin that may read the answer; set as soon as it has passed. */
  allowedOrigin: string | undefined;
  /** Undefined for an anonymous caller. */
  authInfo: AuthInfo | undefined;
  /** All headers, in an object of the caller's own. */
  headerRecord(): Record<string, string>;
  /** @throws HttpRefusal for a request that a proxy may have read in another way */
  checkForm(): void;
  /** Passes on the body once, or the reason why there is none. */
  readBody(limit: number, take: (bytes: BodyBytes, exchange: HttpExchange) => void): void;
  /** Counts as running until its client has the answer or is gone. */
  countIn(inFlight: InFlight): void;
  /** Only the first answer counts. */
  answer(answer: HttpAnswer): void;
  /** Called when the answering stream was read to its end, or never will be. */
  streamEnded(): void;
}

/** What all endpoints share. */
export interface Endpoint {
  readonly application: ServedApplication;
  readonly settings: HttpSettings;
  /** The unread bytes of all clients. */
  readonly backlog: Backlog;
  /** Logs a problem of a client that is not a fault of the server. */
  readonly report: (cause: Error) => void;
}

/** Answers requests that have passed the guards. */
export interface HttpEndpoint {
  /**
   * @param body undefined for GET and DELETE
   * @returns what the answer comes from; undefined where the exchange gets it from the endpoint
   * @throws HttpRefusal for what cannot be served
   */
  serve(exchange: HttpExchange, body: unknown): Promise<HttpAnswer | undefined> | undefined;
  /** Notifies the subscribed clients. */
  notify(change: ChangeNotice): void;
  /** Ends the streams that only listen, so that their clients go elsewhere. */
  release(): void;
  /** Ends everything that is open and aborts running requests. */
  close(): Promise<void>;
}

/** What an era has beside requests that are answered one by one: batches in 2025, subscriptions in 2026-07-28. */
export interface OtherMessages extends HttpEndpoint {
  /** Whom requests come from. */
  readonly client: ServedClient;
  /** Answers a request that stays open. */
  listen(request: StandingReply, exchange: HttpExchange): void;
}
