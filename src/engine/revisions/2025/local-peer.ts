import type { Cancellation } from '../../../call/call-context.ts';
import type { AuthInfo } from '../../../call/call-exchange.ts';
import type { AskOptions } from '../../../runtime/ask-client.ts';
import type { ServedClient } from '../../../runtime/service-request.ts';
import type { McpService } from '../../../runtime/service.ts';
import type { HttpCarrier, RequestPeer } from '../../request-peer.ts';
import type { ClientSession } from './session-record.ts';

/** The session of a client that is connected. */
export interface ConnectedSession extends ClientSession {
  readonly client: ServedClient;
  /** @param relatedRequestId the request of the client that the message belongs to */
  send(message: object, relatedRequestId: string | number): Promise<void>;
  ask(question: object, options: AskOptions, relatedRequestId: string | number): Promise<unknown>;
}

/** What a connection's transport knows of a request. */
export type PeerGiven = Omit<RequestPeer, 'session' | 'client' | 'notify' | 'ask'>;

/** The client of a connection, for one of its requests. */
export class LocalPeer implements RequestPeer {
  readonly session: ConnectedSession;
  readonly service: McpService;
  readonly client: ServedClient;
  readonly cancellation: Cancellation;
  readonly sessionId: string | undefined;
  readonly authInfo: AuthInfo | undefined;
  readonly http: HttpCarrier | undefined;
  readonly releaseStream: (() => void) | undefined;
  readonly canLog: boolean;
  readonly #requestId: string | number;

  // Each by its name: to spread what every call has costs as much as all of its checks.
  constructor(session: ConnectedSession, requestId: string | number, given: PeerGiven) {
    this.session = session;
    this.service = given.service;
    this.client = session.client;
    this.cancellation = given.cancellation;
    this.sessionId = given.sessionId;
    this.authInfo = given.authInfo;
    this.http = given.http;
    this.releaseStream = given.releaseStream;
    this.canLog = given.canLog;
    this.#requestId = requestId;
  }

  notify(notification: object): Promise<void> {
    return this.session.send(notification, this.#requestId);
  }

  ask(question: object, options: AskOptions): Promise<unknown> {
    return this.session.ask(question, options, this.#requestId);
  }
}
