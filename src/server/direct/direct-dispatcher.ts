import type { Logger } from '../../call/logger.ts';
import type { Method } from '../../runtime/attach/answer-request.ts';
import { serviceMethods } from '../../runtime/attach/service-methods.ts';
import type { McpService } from '../../runtime/mcp-service.ts';
import type { ToolDefinition } from '../../compile/tool-definition.ts';
import { headerParametersOf } from '../../shared/header-parameters.ts';
import type { ProtocolEra } from '../../shared/protocol-era.ts';
import { implementationOf } from '../implementation-of.ts';
import type { ServerInfo } from '../server-info.ts';
import { RunnableCall, type DirectCall } from './direct-call.ts';
import type { DirectEra } from './direct-era.ts';
import type { DirectHttp } from './direct-peer.ts';
import { directRequestOf, type DirectRequest } from './direct-request.ts';
import type { DirectAnswering } from './direct-run.ts';
import { legacyEra } from './legacy-era.ts';
import { ListReplies } from './list-replies.ts';
import { modernEra } from './modern-era.ts';
import { KnownReply } from './known-reply.ts';

/** How one method is answered in one era. */
interface Answering extends DirectAnswering {
  /** The answer to every request of the method. */
  readonly own: KnownReply | undefined;
}

type Answerings = ReadonlyMap<string, Answering>;

/**
 * Answers the requests that clients send most without any server of an SDK: header and form are checked, the method
 * is looked up and run. A request in any other form is none of its own, and goes to the SDK as it is. So what the
 * SDKs say of malformed requests is said by them only.
 */
export class DirectDispatcher {
  readonly #service: McpService;
  readonly #eras: Readonly<Record<ProtocolEra, Answerings>>;
  readonly #lists: ListReplies;
  readonly #indexes = new WeakMap<readonly ToolDefinition[], ReadonlySet<string>>();

  constructor(info: ServerInfo, service: McpService, logger: Logger) {
    this.#service = service;
    const methods = serviceMethods(service, logger);
    const answeringsOf = (form: DirectEra): Answerings => answerings(form, Object.entries(methods), logger);
    this.#eras = { legacy: answeringsOf(legacyEra), modern: answeringsOf(modernEra(implementationOf(info))) };
    this.#lists = new ListReplies(service, methods);
  }

  /**
   * Finds out how a message is answered; undefined for what has to go to the SDK.
   * @param http undefined where no HTTP request carried the message
   */
  find(era: ProtocolEra, message: unknown, http: DirectHttp | undefined): DirectCall | undefined {
    const request = directRequestOf(message);
    if (request === undefined) return undefined;
    const { method } = request;
    const answering = this.#eras[era].get(method);
    if (answering?.era.isPlain(request, http) !== true) return undefined;
    if (answering.own !== undefined) return { request, known: answering.own };
    if (method === 'tools/call') {
      return this.#isSpecial(request) ? undefined : new RunnableCall(request, answering);
    }
    const list = this.#lists.find(answering.era, request);
    return list === undefined ? new RunnableCall(request, answering) : { request, known: list };
  }

  /** Tasks belong to connections, and headers that repeat arguments are compared where the SDK is. */
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
  const isSpecial = ({ execution, inputSchema }: ToolDefinition): boolean =>
    execution !== undefined || headerParametersOf(inputSchema).parameters.length > 0;
  return new Set(list.filter(isSpecial).map(({ name }) => name));
}
