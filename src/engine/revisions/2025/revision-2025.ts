import type { McpService } from '../../../runtime/service.ts';
import { thenMaybe, type MaybePromise } from '../../../shared/maybe-promise.ts';
import { observeAnswer, type Sender } from '../../observed-answer.ts';
import { METHODS_2025 } from '../../protocol.ts';
import type { EngineReply, Revision, RpcRequest } from '../../revision.ts';
import type { ServerInfo } from '../../server-info.ts';
import { contact2025 } from '../contact.ts';
import { answerSessionMethod, type SessionState } from './handshake.ts';

/** The revisions up to 2025-11-25. */
export class Revision2025 implements Revision {
  readonly contact = contact2025;
  #info: ServerInfo;
  readonly #service: McpService;

  constructor(info: ServerInfo, service: McpService) {
    this.#info = info;
    this.#service = service;
  }

  /** Another application took the place of the one that is served. */
  renew(info: ServerInfo): void {
    this.#info = info;
  }

  /** Undefined for what the service answers. */
  answerOwn(
    request: RpcRequest,
    session: SessionState,
    sender: Sender,
  ): MaybePromise<EngineReply> | undefined {
    if (METHODS_2025.get(request.method)?.isOwn !== true) return undefined;
    const own = answerSessionMethod(this.#info, this.#service, session, request, sender);
    if (own === undefined) return undefined;
    return thenMaybe(own, (answer) => {
      const answered = { id: request.id, status: 200, ...answer };
      return observeAnswer(request, answered, this.#service.settings, sender, session);
    });
  }
}
