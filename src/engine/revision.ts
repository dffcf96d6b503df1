import type { AuthInfo, RequestContext, ClientDescription, Retry } from '../call/request-context.ts';
import type { ChangeNotice } from '../call/notifier.ts';
import type { Cancellation } from '../call/call-context.ts';
import type { Params } from '../runtime/request-params.ts';
import type { WireFailure } from '../runtime/outcome.ts';
import type { Members, Reply } from './json-rpc/message.ts';
import type { ClientSession } from './revisions/2025/session-record.ts';

/** A request whose form is known to be good. */
export interface RpcRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params?: Params;
}

/** What the revision answers by itself; everything else, the service answers. */
export type OwnAnswer = AnsweredCall | StandingCall;

/** A request that has its answer, be it that it is refused. */
export interface AnsweredCall {
  readonly kind: 'answered';
  readonly id: string | number;
  readonly reply: Reply;
  /** Of the HTTP response. */
  readonly status: number;
  /** The reply waits for it: what the request changed is stored then. */
  readonly stored?: Promise<void>;
}

/** A request that stays open until the client or the server ends it. */
export interface StandingCall {
  readonly kind: 'standing';
  readonly id: string | number;
  readonly subscription: Subscription;
}

/** A client that listens, by the messages that it gets; what carries them ends it. */
export interface Subscription {
  /** Nothing will ever come. */
  readonly isEmpty: boolean;
  /** The first message: what of the wishes is granted. */
  readonly acknowledgement: object;
  /** The result of the request, which says that nothing was missed. */
  readonly end: object;
  /** Undefined for what its client did not ask for. */
  noticeOf(change: ChangeNotice): object | undefined;
}

/** What requests and results look like in the revisions of one era. */
export interface Revision {
  readonly contact: ClientContact;
  /** Undefined where results and errors go out as they are. */
  encode?(method: string, result: Members): object;
  encodeError?(error: WireFailure): WireFailure;
  /** What a request says of itself; undefined where a handler gets all of it. */
  metaOf?(request: RpcRequest): Params;
  /** Undefined where no client answers by calling again. */
  retryOf?(request: RpcRequest): Retry;
}

/** How a handler reaches the client of its request, and what it gets to know of it. */
export interface ClientContact {
  describe(request: SentRequest): ClientDescription;
  /** What a context factory gets. */
  raw(request: SentRequest): unknown;
  notify(request: SentRequest, ...notification: Parameters<RequestContext['notify']>): Promise<void>;
  ask(request: SentRequest, method: string, params: Params): Promise<unknown>;
  log(request: SentRequest, ...message: Parameters<RequestContext['log']>): Promise<void>;
}

/** A request with all that is known of its sender, and the ways to reach them while it runs. */
export interface SentRequest {
  readonly message: RpcRequest;
  readonly cancellation: Cancellation;
  /** Undefined where the request stands for itself. */
  readonly session: ClientSession | undefined;
  readonly sessionId: string | undefined;
  readonly authInfo: AuthInfo | undefined;
  /** Undefined where no HTTP request carried it. */
  readonly http: HttpCarrier | undefined;
  /** Ends the response for a client that comes back; undefined where none could. */
  readonly releaseStream: (() => void) | undefined;
  /** False where log messages would be lost. */
  readonly canLog: boolean;
  /** Sends a notification that belongs to the request. */
  send(notification: object): Promise<void>;
  /** Asks the client, where it can be asked while a request runs. */
  ask(question: object, options: QuestionLimits): Promise<unknown>;
}

export interface QuestionLimits {
  readonly signal: AbortSignal;
  /** Milliseconds without an answer or progress, after which the question has failed. */
  readonly timeout: number;
}

/** The HTTP request that carried a message. */
export interface HttpCarrier {
  readonly url: URL;
  readonly headers: HeaderReader;
}

/** The headers of a request, as of fetch's `Headers`: names in lower case. */
export interface HeaderReader extends Iterable<[string, string]> {
  get(name: string): string | null;
  has(name: string): boolean;
}
