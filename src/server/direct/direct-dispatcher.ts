import type { Logger } from '../../call/logger.ts';
import type { McpService } from '../../runtime/service.ts';
import { answerOwn, type SessionState } from '../connection/session-methods.ts';
import type { ServerInfo } from '../server-info.ts';
import { answered, RunnableCall, type DirectCall, type ShortCall } from './direct-call.ts';
import type { DirectHttp } from './direct-peer.ts';
import type { DirectRequest } from './direct-request.ts';
import { KnownReply } from './known-reply.ts';
import { legacyEra } from './legacy-era.ts';
import { ListReplies } from './list-replies.ts';
import { ModernDispatcher } from './modern-dispatcher.ts';

const PONG = new KnownReply(Object.freeze({}));

/** Finds out how each request is answered, in the terms of its revision. */
export class DirectDispatcher {
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
  findLegacy(request: DirectRequest, session: SessionState): ShortCall {
    const { id, method } = request;
    if (method === 'ping') return answered(id, PONG);
    const list = this.#lists.find(legacyEra, request);
    if (list !== undefined) return answered(id, list);
    const own = answerOwn(this.#info, this.#service, session, request);
    return own === undefined ? new RunnableCall(request, legacyEra) : answered(id, own);
  }

  /**
   * A request of 2026-07-28; undefined for what is no request.
   * @param http undefined where no HTTP request carried the message
   * @param canLog false where log messages would be lost
   */
  findModern(message: unknown, http: DirectHttp | undefined, canLog = true): DirectCall | undefined {
    return this.#modern.find(message, http, canLog);
  }
}
