import type { AuthInfo } from '../../../call/call-exchange.ts';
import { Cancellation } from '../../../call/call-context.ts';
import { writeMessage, type Reply } from '../../../engine/json-rpc/message.ts';
import { RunningRequest } from '../../../engine/request.ts';
import type { HttpCarrier, QuestionLimits, Revision, RpcRequest } from '../../../engine/revision.ts';
import type { Session } from '../../../engine/revisions/2025/session.ts';
import type { ServedClient } from '../../../runtime/service-request.ts';
import type { PostedRequests } from './posted-requests.ts';

/** What all requests of a session have in common. */
export interface SessionDoor {
  readonly revision: Revision;
  readonly session: Session;
  readonly sessionId: string | undefined;
  readonly report: (error: Error) => void;
  /** Gets the reply to one of them. */
  settle(request: SessionRequest, reply: Reply): void;
}

/** The POST that a request came with. */
export interface RequestOrigin {
  readonly posted: PostedRequests;
  readonly authInfo: AuthInfo | undefined;
  readonly http: HttpCarrier;
  readonly releaseStream: (() => void) | undefined;
}

/** A request of a session, which goes on when its client goes away. */
export class SessionRequest extends RunningRequest {
  readonly session: Session;
  readonly served: ServedClient;
  readonly sessionId: string | undefined;
  readonly authInfo: AuthInfo | undefined;
  readonly http: HttpCarrier;
  readonly releaseStream: (() => void) | undefined;
  readonly canLog: boolean;
  readonly posted: PostedRequests;
  readonly #door: SessionDoor;

  constructor(door: SessionDoor, message: RpcRequest, origin: RequestOrigin) {
    super(door.revision, message, new Cancellation());
    this.#door = door;
    this.session = door.session;
    this.served = door.session.client;
    this.sessionId = door.sessionId;
    this.canLog = door.session.canLog;
    this.authInfo = origin.authInfo;
    this.http = origin.http;
    this.releaseStream = origin.releaseStream;
    this.posted = origin.posted;
  }

  async send(notification: object): Promise<void> {
    if (this.isCancelled) return;
    await this.posted.send(writeMessage({ ...notification, jsonrpc: '2.0' }, this.#door.report));
  }

  ask(question: object, limits: QuestionLimits): Promise<unknown> {
    return this.session.ask(question, limits, this.message.id);
  }

  deliver(reply: Reply): void {
    this.#door.settle(this, reply);
  }
}
