import { partsOf, type SurfacePart } from '../../runtime/attach/surface-part.ts';
import type { McpService } from '../../runtime/service.ts';
import type { ToolDefinition } from '../../compile/tool-definition.ts';
import type { ProtocolEra } from '../../shared/protocol-era.ts';
import type { ServerInfo } from '../server-info.ts';
import { answered, RunnableCall, type DirectCall } from './direct-call.ts';
import type { DirectEra } from './direct-era.ts';
import type { DirectHttp } from './direct-peer.ts';
import { directRequestOf, type DirectRequest } from './direct-request.ts';
import { legacyEra } from './legacy-era.ts';
import { ListReplies } from './list-replies.ts';
import { ModernDispatcher } from './modern-dispatcher.ts';
import { KnownReply } from './known-reply.ts';

/** The answers to methods that have the same one always; undefined for those that are served. */
type Answerings = ReadonlyMap<string, KnownReply | undefined>;

/**
 * Answers requests without any server of an SDK: those of 2026-07-28 all, those of the earlier era as far as they have
 * the form in which clients send them. The others go to the SDK as they are.
 */
export class DirectDispatcher {
  readonly #service: McpService;
  readonly #legacy: Answerings;
  readonly #modern: ModernDispatcher;
  readonly #lists: ListReplies;
  readonly #indexes = new WeakMap<readonly ToolDefinition[], ReadonlySet<string>>();

  constructor(info: ServerInfo, service: McpService) {
    this.#service = service;
    this.#legacy = answerings(
      legacyEra,
      partsOf(service).flatMap((part) => DIRECT_METHODS[part]),
    );
    this.#lists = new ListReplies(service);
    this.#modern = new ModernDispatcher(info, service, this.#lists);
  }

  /**
   * Finds out how a message is answered; undefined for what has to go to the SDK, which serves requests of the
   * earlier era only, and for what is no request.
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
    const request = directRequestOf(message);
    if (request === undefined) return undefined;
    const { id, method } = request;
    if (!this.#legacy.has(method) || !legacyEra.isPlain(request)) return undefined;
    const own = this.#legacy.get(method);
    if (own !== undefined) return answered(id, own);
    if (method === 'tools/call') {
      return this.#isSpecial(request) ? undefined : new RunnableCall(request, legacyEra);
    }
    const list = this.#lists.find(legacyEra, request);
    return list === undefined ? new RunnableCall(request, legacyEra) : answered(id, list);
  }

  /** Tasks belong to connections. */
  #isSpecial({ params }: DirectRequest): boolean {
    const list = this.#service.tools?.list() ?? [];
    let special = this.#indexes.get(list);
    if (special === undefined) {
      special = specialTools(list);
      if (Object.isFrozen(list)) this.#indexes.set(list, special);
    }
    return special.has(params?.['name'] as string);
  }
}

/** What needs no server of an SDK, by the part of the service that has it. */
const DIRECT_METHODS: Readonly<Record<SurfacePart, readonly string[]>> = {
  tools: ['tools/list', 'tools/call'],
  prompts: ['prompts/list', 'prompts/get'],
  resources: ['resources/list', 'resources/templates/list', 'resources/read'],
  completions: [],
};

function answerings(era: DirectEra, methods: readonly string[]): Answerings {
  const own = Object.entries(era.own).map(([method, result]) => [method, new KnownReply(result)] as const);
  return new Map([...methods.map((method) => [method, undefined] as const), ...own]);
}

function specialTools(list: readonly ToolDefinition[]): ReadonlySet<string> {
  return new Set(list.filter(({ execution }) => execution !== undefined).map(({ name }) => name));
}
