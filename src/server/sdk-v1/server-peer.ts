import type { AuthInfo } from '../../call/call-exchange.ts';
import type { AskOptions } from '../../runtime/attach/ask-client.ts';
import type { Connection } from '../../runtime/attach/connection.ts';
import type { CallCount } from '../call-count.ts';
import type { Cancellation } from '../direct/cancellation.ts';
import type { DirectHttp, DirectPeer } from '../direct/direct-peer.ts';
import type { ApplicationProtocolServer } from './application-protocol-server.ts';

type Given = Omit<DirectPeer, 'connection' | 'notify' | 'ask'> & { readonly canAsk: boolean };

/** The client of a server, for a request that the server itself does not see: what belongs to it goes through it. */
export class ServerPeer implements DirectPeer {
  readonly connection: Connection;
  readonly counts: readonly CallCount[];
  readonly cancellation: Cancellation;
  readonly sessionId: string | undefined;
  readonly authInfo: AuthInfo | undefined;
  readonly http: DirectHttp | undefined;
  readonly releaseStream: (() => void) | undefined;
  readonly canLog: boolean;
  readonly #server: ApplicationProtocolServer;
  readonly #relatedRequestId: string | number;

  constructor(server: ApplicationProtocolServer, relatedRequestId: string | number, given: Given) {
    this.connection = { target: server as never, canAsk: given.canAsk };
    this.counts = given.counts;
    this.cancellation = given.cancellation;
    this.sessionId = given.sessionId;
    this.authInfo = given.authInfo;
    this.http = given.http;
    this.releaseStream = given.releaseStream;
    this.canLog = given.canLog;
    this.#server = server;
    this.#relatedRequestId = relatedRequestId;
  }

  notify(notification: object): Promise<void> {
    const relatedRequestId = this.#relatedRequestId;
    return this.#server.notification(notification as never, { relatedRequestId });
  }

  ask(question: object, resultSchema: unknown, options: AskOptions): Promise<unknown> {
    const relatedRequestId = this.#relatedRequestId;
    return this.#server.request(question as never, resultSchema as never, { ...options, relatedRequestId });
  }
}
