import type { AuthInfo, RequestContext, ClientDescription, Retry } from '../call/request-context.ts';
import type { Cancellation } from '../call/call-context.ts';
import type { Params } from '../kernel/call/request-params.ts';
import type { ResultEncoder } from '../kernel/call/outcome.ts';
import type { Reply } from './json-rpc/message.ts';
import type { ClientSession } from './revisions/2025/session-record.ts';

/** A request whose form has been checked. */
export interface RpcRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params?: Params;
}

/** The reply to a request that the revision answers, perhaps with a refusal; the service answers all others. */
export interface EngineReply {
  readonly id: string | number;
  readonly reply: Reply;
  /** The status of the HTTP response. */
  readonly status: number;
  /** The reply waits until the changes of the request are stored. */
  readonly stored?: Promise<void>;
}

/** The form of requests and results in the revisions of one era. */
export interface Revision extends ResultEncoder {
  readonly contact: ClientContact;
  /** Reads the envelope of a request; undefined where handlers get all of `_meta`. */
  metaOf?(request: RpcRequest): Params;
  /** Undefined in the era without multi-round-trip requests. */
  retryOf?(request: RpcRequest): Retry;
  /** Undefined where no request stays open. */
  standing?(id: RpcRequest['id']): StandingForm;
}

/** What a request that stays open is answered with. */
export interface StandingForm {
  notice(method: string, params: Params): object;
  end(result: object): object;
}

/** How a handler reaches its client, and what it knows of the client. */
export interface ClientContact {
  describe(request: SentMessage): ClientDescription;
  /** What a context factory gets. */
  raw(request: SentMessage): unknown;
  notify(request: SentMessage, ...notification: Parameters<RequestContext['notify']>): Promise<void>;
  ask(request: SentMessage, method: string, params: Params): Promise<unknown>;
  log(request: SentMessage, ...message: Parameters<RequestContext['log']>): Promise<void>;
}

/** A request with its sender, and the ways to reach the sender while it runs. */
export interface SentMessage {
  readonly message: RpcRequest;
  readonly cancellation: Cancellation;
  /** Undefined for a request outside of a session. */
  readonly session: ClientSession | undefined;
  readonly sessionId: string | undefined;
  readonly authInfo: AuthInfo | undefined;
  /** Undefined where no HTTP request carried it. */
  readonly http: HttpCarrier | undefined;
  /** Ends the response stream for a client that resumes it; undefined where it cannot. */
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
  /** Milliseconds without an answer or progress after which the question fails. */
  readonly timeout: number;
}

/** The HTTP request that carried a message. */
export interface HttpCarrier {
  readonly url: URL;
  readonly headers: HeaderReader;
  /** Undefined for an anonymous caller. */
  readonly authInfo?: AuthInfo | undefined;
  /** The surface that its URL or a header chose; undefined for that of the application. */
  readonly surface?: string | undefined;
  /** The address of the client; undefined where it is unknown. */
  readonly address: string | undefined;
  /** The port of the client, where the address is that of the connection. */
  readonly port?: number | undefined;
  /** Such as `1.1`; undefined where it is unknown. */
  readonly httpVersion?: string | undefined;
}

/** The headers of a request, as of fetch's `Headers`: names in lower case. */
export interface HeaderReader extends Iterable<[string, string]> {
  get(name: string): string | null;
  has(name: string): boolean;
}
