import type { Logger } from '../call/logger.ts';
import type { McpService } from '../runtime/service.ts';
import { answerOwn, type SessionState } from './revisions/2025/session-methods.ts';
import type { ServerInfo } from './server-info.ts';
import { answered, RunnableCall, type DispatchedCall, type ShortCall } from './dispatched-call.ts';
import type { HttpCarrier } from './request-peer.ts';
import type { RpcRequest } from './rpc-request.ts';
import { KnownReply } from './known-reply.ts';
import { sessionForm } from './revisions/2025/session-form.ts';
import { ListReplies } from './list-replies.ts';
import { ModernDispatcher } from './revisions/2026-07-28/modern-dispatcher.ts';

const PONG = new KnownReply(Object.freeze({}));

/** Finds out how each request is answered, in the terms of its revision. */
export class Dispatcher {
  readonly #info: ServerInfo;
  readonly #service: McpService;
  readonly #modern: ModernDispatcher;
  readonly #lists: ListReplies;

  constructor(info: ServerInfo, service: McpService, logger: Logger) {
    this.#info = info;
    this.#service = service;
    this.#lists = new ListReplies(service, logger);
    this.#modern = new ModernDispatcher(info, service, this.#lists);
  }

  /** A request of the revisions up to 2025-11-25. */
  findLegacy(request: RpcRequest, session: SessionState): ShortCall {
    const { id, method } = request;
    if (method === 'ping') return answered(id, PONG);
    const list = this.#lists.find(sessionForm, request);
    if (list !== undefined) return answered(id, list);
    const own = answerOwn(this.#info, this.#service, session, request);
    return own === undefined ? new RunnableCall(request, sessionForm) : answered(id, own);
  }

  /**
   * A request of 2026-07-28; undefined for what is no request.
   * @param http undefined where no HTTP request carried the message
   * @param canLog false where log messages would be lost
   */
  findModern(message: unknown, http: HttpCarrier | undefined, canLog = true): DispatchedCall | undefined {
    return this.#modern.find(message, http, canLog);
  }
}
