import type { McpService } from '../../../runtime/service.ts';
import type { ListReplies } from '../../list-replies.ts';
import { METHODS_2025 } from '../../protocol.ts';
import type { AnsweredCall, Revision, RpcRequest } from '../../revision.ts';
import type { ServerInfo } from '../../server-info.ts';
import { contact2025 } from './contact-2025.ts';
import { answerOwn, type SessionState } from './handshake.ts';

/** The revisions up to 2025-11-25. */
export class Revision2025 implements Revision {
  readonly contact = contact2025;
  readonly #info: ServerInfo;
  readonly #service: McpService;
  readonly #lists: ListReplies;

  constructor(info: ServerInfo, service: McpService, lists: ListReplies) {
    this.#info = info;
    this.#service = service;
    this.#lists = lists;
  }

  /** Undefined for what the service answers. */
  find(request: RpcRequest, session: SessionState): AnsweredCall | undefined {
    const traits = METHODS_2025.get(request.method);
    if (traits === undefined) return undefined;
    const { id } = request;
    if (traits.isOwn === true) {
      const own = answerOwn(this.#info, this.#service, session, request);
      return own && { kind: 'answered', id, status: 200, ...own };
    }
    const reply = this.#lists.find(this, request);
    return reply && { kind: 'answered', id, status: 200, reply };
  }
}
