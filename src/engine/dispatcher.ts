import type { Logger } from '../call/logger.ts';
import type { McpService } from '../runtime/service.ts';
import { answerOwn, type SessionState } from './revisions/2025/session-methods.ts';
import type { ServerInfo } from './server-info.ts';
import { answered, RunnableCall, type DispatchedCall, type ShortCall } from './dispatched-call.ts';
import type { HttpCarrier } from './request-peer.ts';
import type { RpcRequest } from './rpc-request.ts';
import { KnownReply } from './json-rpc/message.ts';
import { form2025 } from './revisions/2025/form-2025.ts';
import { ListReplies } from './list-replies.ts';
import { Dispatcher2026 } from './revisions/2026-07-28/dispatcher-2026.ts';

const PONG = new KnownReply(Object.freeze({}));

/** Finds out how each request is answered, in the terms of its revision. */
export class Dispatcher {
  readonly #info: ServerInfo;
  readonly #service: McpService;
  readonly #dispatcher2026: Dispatcher2026;
  readonly #lists: ListReplies;

  constructor(info: ServerInfo, service: McpService, logger: Logger) {
    this.#info = info;
    this.#service = service;
    this.#lists = new ListReplies(service, logger);
    this.#dispatcher2026 = new Dispatcher2026(info, service, this.#lists);
  }

  /** A request of the revisions up to 2025-11-25. */
  find2025(request: RpcRequest, session: SessionState): ShortCall {
    const { id, method } = request;
    if (method === 'ping') return answered(id, PONG);
    const list = this.#lists.find(form2025, request);
    if (list !== undefined) return answered(id, list);
    const own = answerOwn(this.#info, this.#service, session, request);
    return own === undefined ? new RunnableCall(request, form2025) : answered(id, own);
  }

  /**
   * A request of 2026-07-28; undefined for what is no request.
   * @param http undefined where no HTTP request carried the message
   * @param canLog false where log messages would be lost
   */
  find2026(message: unknown, http: HttpCarrier | undefined, canLog = true): DispatchedCall | undefined {
    return this.#dispatcher2026.find(message, http, canLog);
  }
}
