import type { Logger } from '../../call/logger.ts';
import type { Method } from '../../runtime/attach/answer-request.ts';
import { serviceMethods } from '../../runtime/attach/service-methods.ts';
import type { McpService } from '../../runtime/mcp-service.ts';
import type { ToolDefinition } from '../../compile/tool-definition.ts';
import type { ProtocolEra } from '../../shared/protocol-era.ts';
import type { ServerInfo } from '../server-info.ts';
import { answered, RunnableCall, type DirectCall } from './direct-call.ts';
import type { DirectEra } from './direct-era.ts';
import type { DirectHttp } from './direct-peer.ts';
import { directRequestOf, type DirectRequest } from './direct-request.ts';
import type { DirectAnswering } from './direct-run.ts';
import { legacyEra } from './legacy-era.ts';
import { ListReplies } from './list-replies.ts';
import { ModernDispatcher } from './modern-dispatcher.ts';
import { KnownReply } from './known-reply.ts';

/** How one method is answered in one era. */
interface Answering extends DirectAnswering {
  /** The answer to every request of the method. */
  readonly own: KnownReply | undefined;
}

type Answerings = ReadonlyMap<string, Answering>;

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

  constructor(info: ServerInfo, service: McpService, logger: Logger) {
    this.#service = service;
    const methods = serviceMethods(service, logger);
    this.#legacy = answerings(legacyEra, Object.entries(methods), logger);
    this.#lists = new ListReplies(service, methods);
    this.#modern = new ModernDispatcher(info, service, logger, this.#lists);
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
    const answering = this.#legacy.get(method);
    if (answering?.era.isPlain(request) !== true) return undefined;
    if (answering.own !== undefined) return answered(id, answering.own);
    if (method === 'tools/call') {
      return this.#isSpecial(request) ? undefined : new RunnableCall(request, answering);
    }
    const list = this.#lists.find(answering.era, request);
    return list === undefined ? new RunnableCall(request, answering) : answered(id, list);
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

function answerings(era: DirectEra, methods: readonly [string, Method][], logger: Logger): Answerings {
  const own = Object.entries(era.own).map(([method, result]): [string, Answering] => [
    method,
    { era, logger, own: new KnownReply(result), answer: () => result },
  ]);
  const others = methods.map(([method, answer]): [string, Answering] => [
    method,
    { era, logger, own: undefined, answer },
  ]);
  return new Map([...others, ...own]);
}

function specialTools(list: readonly ToolDefinition[]): ReadonlySet<string> {
  return new Set(list.filter(({ execution }) => execution !== undefined).map(({ name }) => name));
}
