import { andThen, orElse, type Eventual } from '../../call/eventual.ts';
import type { Logger } from '../../call/logger.ts';
import { wireFailure, type Method, type Methods } from '../../runtime/attach/answer-request.ts';
import { serviceMethods } from '../../runtime/attach/service-methods.ts';
import type { McpService } from '../../runtime/mcp-service.ts';
import type { ToolDefinition } from '../../compile/tool-definition.ts';
import { headerParametersOf } from '../../shared/header-parameters.ts';
import type { ProtocolEra } from '../../shared/protocol-era.ts';
import { refuseStopping, type CallCount } from '../call-count.ts';
import { implementationOf } from '../implementation-of.ts';
import type { ServerInfo } from '../server-info.ts';
import type { Cancellation } from './cancellation.ts';
import type { DirectEra } from './direct-era.ts';
import { DirectExchange } from './direct-exchange.ts';
import type { DirectHttp, DirectPeer } from './direct-peer.ts';
import { directRequestOf, type DirectRequest } from './direct-request.ts';
import { legacyEra } from './legacy-era.ts';
import { ListReplies } from './list-replies.ts';
import { modernEra } from './modern-era.ts';
import type { Reply } from './reply.ts';

/** A request that is answered without an SDK. */
export interface DirectCall {
  readonly request: DirectRequest;
  /** The answer, where it is known already. */
  readonly known: Reply | undefined;
  /** Answers it; never rejects. */
  run(peer: DirectPeer): Eventual<Reply>;
}

/**
 * Answers the requests that clients send most without any server of an SDK: header and form are checked, the method
 * is looked up and run. A request in any other form is none of its own, and goes to the SDK as it is. So what the
 * SDKs say of malformed requests is said by them only.
 */
export class DirectDispatcher {
  readonly #service: McpService;
  readonly #logger: Logger;
  readonly #methods: Methods;
  readonly #eras: Readonly<Record<ProtocolEra, DirectEra>>;
  readonly #lists: ListReplies;
  readonly #indexes = new WeakMap<readonly ToolDefinition[], ReadonlySet<string>>();

  constructor(info: ServerInfo, service: McpService, logger: Logger) {
    this.#service = service;
    this.#logger = logger;
    this.#methods = serviceMethods(service, logger);
    this.#eras = { legacy: legacyEra, modern: modernEra(implementationOf(info)) };
    this.#lists = new ListReplies(service, this.#methods);
  }

  /**
   * Finds out how a message is answered; undefined for what has to go to the SDK.
   * @param http undefined where no HTTP request carried the message
   */
  find(era: ProtocolEra, message: unknown, http: DirectHttp | undefined): DirectCall | undefined {
    const request = directRequestOf(message);
    if (request === undefined) return undefined;
    const form = this.#eras[era];
    const { method } = request;
    const own = Object.hasOwn(form.own, method) ? form.own[method] : undefined;
    const answer = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
    if ((own === undefined && answer === undefined) || !form.isPlain(request, http)) return undefined;
    if (own !== undefined) return known(request, { result: own });
    if (method === 'tools/call' && this.#isSpecial(request)) return undefined;
    const list = this.#lists.find(form, request);
    if (list !== undefined) return known(request, list);
    return { request, known: undefined, run: (peer) => this.#run(form, request, answer as Method, peer) };
  }

  #run(form: DirectEra, request: DirectRequest, answer: Method, peer: DirectPeer): Eventual<Reply> {
    const { method, params = {} } = request;
    const exchange = new DirectExchange(form.exchange, request, peer);
    const leave = enter(peer.counts, peer.cancellation);
    const reply = orElse<Reply>(
      () => {
        for (const count of peer.counts) refuseStopping(count);
        return andThen(answer(params, exchange) as Eventual<object>, (result) => ({
          result: form.encode(method, result),
        }));
      },
      (thrown) => ({ error: form.encodeError(wireFailure(this.#logger, method, thrown)) }),
    );
    return andThen(reply, (given) => {
      exchange.fallSilent();
      leave();
      return given;
    });
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

function known(request: DirectRequest, reply: Reply): DirectCall {
  return { request, known: reply, run: () => reply };
}

function specialTools(list: readonly ToolDefinition[]): ReadonlySet<string> {
  const isSpecial = ({ execution, inputSchema }: ToolDefinition): boolean =>
    execution !== undefined || headerParametersOf(inputSchema).parameters.length > 0;
  return new Set(list.filter(isSpecial).map(({ name }) => name));
}

/** What was cancelled is not waited for, because it may never hear of that. */
function enter(counts: readonly CallCount[], cancellation: Cancellation): () => void {
  let isInside = !cancellation.isCancelled;
  const leave = (): void => {
    if (!isInside) return;
    isInside = false;
    for (const { inFlight } of counts) inFlight.end();
  };
  if (!isInside) return leave;
  for (const { inFlight } of counts) inFlight.begin();
  cancellation.onCancel(leave);
  return leave;
}
