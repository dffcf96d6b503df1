import { membersOf } from '../../runtime/attach/exchange-members.ts';
import { RELATED_TASK } from '../../runtime/attach/task-protocol.ts';
import { partsOf, type SurfacePart } from '../../runtime/attach/surface-part.ts';
import type { McpService } from '../../runtime/service.ts';
import type { ToolDefinition } from '../../compile/tool-definition.ts';
import type { ProtocolEra } from '../../shared/protocol-era.ts';
import { isRequest } from '../json-rpc/check-messages.ts';
import type { ServerInfo } from '../server-info.ts';
import { answered, RunnableCall, type DirectCall } from './direct-call.ts';
import type { DirectHttp } from './direct-peer.ts';
import type { DirectRequest } from './direct-request.ts';
import { legacyEra } from './legacy-era.ts';
import { ListReplies } from './list-replies.ts';
import { ModernDispatcher } from './modern-dispatcher.ts';
import { KnownReply } from './known-reply.ts';

const PONG = new KnownReply(Object.freeze({}));

/** Finds out how requests are answered that need nothing of their connection: of 2026-07-28 these are all. */
export class DirectDispatcher {
  readonly #service: McpService;
  readonly #standalone: ReadonlySet<string>;
  readonly #modern: ModernDispatcher;
  readonly #lists: ListReplies;
  readonly #indexes = new WeakMap<readonly ToolDefinition[], ReadonlySet<string>>();

  constructor(info: ServerInfo, service: McpService) {
    this.#service = service;
    this.#standalone = new Set(partsOf(service).flatMap((part) => STANDALONE[part]));
    this.#lists = new ListReplies(service);
    this.#modern = new ModernDispatcher(info, service, this.#lists);
  }

  /**
   * Finds out how a message is answered; undefined for what is no request, and in the earlier era for what belongs to
   * a connection.
   * @param http undefined where no HTTP request carried the message
   * @param canLog false where log messages would be lost
   */
  find(
    era: ProtocolEra,
    message: unknown,
    http: DirectHttp | undefined,
    canLog = true,
  ): DirectCall | undefined {
    return era === 'modern' ? this.#modern.find(message, http, canLog) : this.#findLegacy(message);
  }

  #findLegacy(message: unknown): DirectCall | undefined {
    if (!isRequest(message)) return undefined;
    const request: DirectRequest = message;
    const { id, method } = request;
    if (method === 'ping') return answered(id, PONG);
    if (!this.#standalone.has(method) || isOfTask(request)) return undefined;
    if (method === 'tools/call') {
      return this.#mayBeTask(request) ? undefined : new RunnableCall(request, legacyEra);
    }
    const list = this.#lists.find(legacyEra, request);
    return list === undefined ? new RunnableCall(request, legacyEra) : answered(id, list);
  }

  /** Tasks belong to connections. */
  #mayBeTask({ params }: DirectRequest): boolean {
    const list = this.#service.tools?.list() ?? [];
    let special = this.#indexes.get(list);
    if (special === undefined) {
      special = specialTools(list);
      if (Object.isFrozen(list)) this.#indexes.set(list, special);
    }
    return special.has(params?.['name'] as string);
  }
}

/** What needs no connection in the revisions up to 2025-11-25, by the part of the service that has it. */
const STANDALONE: Readonly<Record<SurfacePart, readonly string[]>> = {
  tools: ['tools/list', 'tools/call'],
  prompts: ['prompts/list', 'prompts/get'],
  resources: ['resources/list', 'resources/templates/list', 'resources/read'],
  completions: [],
};

/** Whether it asks for a task, or belongs to one (spec 2025-11-25: basic/utilities/tasks). */
function isOfTask({ params }: DirectRequest): boolean {
  return params !== undefined && ('task' in params || RELATED_TASK in membersOf(params['_meta']));
}

function specialTools(list: readonly ToolDefinition[]): ReadonlySet<string> {
  return new Set(list.filter(({ execution }) => execution !== undefined).map(({ name }) => name));
}
