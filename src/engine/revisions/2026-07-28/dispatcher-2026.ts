import type { ToolDefinition } from '../../../compile/tool-definition.ts';
import { PART_CAPABILITIES, PART_METHODS, partsOf, type SurfacePart } from '../../../runtime/surface-part.ts';
import { TASK_CAPABILITIES } from '../../../runtime/tasks/task-port.ts';
import { TASK_METHODS } from '../../../runtime/tasks/task-methods.ts';
import type { McpService } from '../../../runtime/service.ts';
import { headerParametersOf, type HeaderParameter } from '../../../shared/header-parameters.ts';
import { isObject } from '../../../shared/json.ts';
import { REVISIONS_2026 } from '../../../shared/protocol-era.ts';
import { implementationOf } from '../../implementation-of.ts';
import { isRequest, KnownReply } from '../../json-rpc/message.ts';
import { jsonRpcCodes, type JsonRpcFailure } from '../../json-rpc/json-rpc-error.ts';
import type { ServerInfo } from '../../server-info.ts';
import { headerMismatch, requestFault } from './check-request.ts';
import { answered, RunnableCall, type AnsweredCall, type DispatchedCall } from '../../dispatched-call.ts';
import type { HttpCarrier } from '../../request-peer.ts';
import type { RpcRequest } from '../../rpc-request.ts';
import type { ListReplies } from '../../list-replies.ts';
import { form2026 } from './form-2026.ts';
import { traitsOf } from '../../method-traits.ts';
import { findHeaderMismatch } from './param-headers.ts';
import { readFilter, Subscription } from './subscription.ts';

/** What calls of a tool need beside the tool. */
interface SpecialTool {
  readonly headers: readonly HeaderParameter[];
  readonly hasTasks: boolean;
}

type SpecialTools = ReadonlyMap<string, SpecialTool>;

/** What the revision has in another form: `subscriptions/listen`. */
const ENDED: ReadonlySet<string> = new Set(['resources/subscribe', 'resources/unsubscribe']);

/** Answers every request of 2026-07-28. */
export class Dispatcher2026 {
  readonly #service: McpService;
  readonly #info: ServerInfo;
  readonly #serverInfo: object;
  readonly #era: ReturnType<typeof form2026>;
  readonly #methods: ReadonlySet<string>;
  readonly #lists: ListReplies;
  readonly #parts: ReadonlySet<SurfacePart>;
  readonly #specialTools = new WeakMap<readonly ToolDefinition[], SpecialTools>();
  readonly #discoveries = new Map<string, KnownReply>();

  constructor(info: ServerInfo, service: McpService, lists: ListReplies) {
    this.#service = service;
    this.#info = info;
    this.#serverInfo = implementationOf(info);
    this.#era = form2026(this.#serverInfo);
    this.#lists = lists;
    this.#parts = new Set(partsOf(service));
    const methods = [...this.#parts].flatMap((part) => PART_METHODS[part]);
    this.#methods = new Set([...methods, ...TASK_METHODS['2026']].filter((method) => !ENDED.has(method)));
  }

  /**
   * Finds out how a request is answered; undefined for what is no request.
   * @param http undefined where no HTTP request carried it
   * @param canLog false where log messages would be lost
   */
  find(message: unknown, http: HttpCarrier | undefined, canLog: boolean): DispatchedCall | undefined {
    if (!isRequest(message)) return undefined;
    const request: RpcRequest = message;
    const fault = requestFault(request, http?.headers);
    if (fault !== undefined) return refused(request, fault, 400);
    const { method } = request;
    if (method === 'tools/call') return this.#findCall(request, http);
    const list = this.#lists.find(this.#era, request);
    if (list !== undefined) return answered(request.id, list);
    if (method === 'server/discover') return answered(request.id, this.#discovery(canLog));
    const { isStanding, namedBy } = traitsOf(method);
    if (isStanding === true) return this.#listen(request);
    if (!this.#methods.has(method) || (namedBy === 'taskId' && !this.#hasTasks)) return notFound(request);
    return answersFault(request) ?? new RunnableCall(request, this.#era);
  }

  #findCall(request: RpcRequest, http: HttpCarrier | undefined): DispatchedCall {
    if (!this.#methods.has(request.method)) return notFound(request);
    const { params } = request;
    const special = this.#special.get(params?.['name'] as string);
    if (special !== undefined && http !== undefined) {
      const mismatch = findHeaderMismatch(special.headers, params?.['arguments'], http.headers);
      if (mismatch !== undefined)
        return refused(request, headerMismatch(mismatch.header, mismatch.reason), 400);
    }
    return answersFault(request) ?? new RunnableCall(request, this.#era);
  }

  #listen(request: RpcRequest): DispatchedCall {
    const filter = readFilter(request.params, this.#parts);
    if ('code' in filter) return refused(request, filter, 400);
    const subscription = new Subscription(request.id, filter, this.#serverInfo);
    return { kind: 'standing', id: request.id, subscription };
  }

  /** Spec 2026-07-28: server/discover. */
  #discovery(canLog: boolean): KnownReply {
    const hasTasks = this.#hasTasks;
    const key = `${String(canLog)} ${String(hasTasks)}`;
    const known = this.#discoveries.get(key);
    if (known !== undefined) return known;
    const { instructions } = this.#info;
    const result = {
      supportedVersions: REVISIONS_2026,
      capabilities: {
        ...(canLog ? { logging: {} } : {}),
        ...(hasTasks ? TASK_CAPABILITIES['2026'] : {}),
        ...Object.fromEntries([...this.#parts].map((part) => [part, PART_CAPABILITIES[part]])),
      },
      ...(instructions === undefined ? {} : { instructions }),
      ttlMs: 0,
      cacheScope: 'private',
    };
    const reply = new KnownReply(this.#era.encode('server/discover', result));
    this.#discoveries.set(key, reply);
    return reply;
  }

  get #hasTasks(): boolean {
    return [...this.#special.values()].some(({ hasTasks }) => hasTasks);
  }

  /** Of a list that is frozen it is found out once; most tools need nothing. */
  get #special(): SpecialTools {
    const list = this.#service.tools?.list() ?? NO_TOOLS;
    const known = this.#specialTools.get(list);
    if (known !== undefined) return known;
    const special = specialTools(list);
    if (Object.isFrozen(list)) this.#specialTools.set(list, special);
    return special;
  }
}

const NO_TOOLS: readonly ToolDefinition[] = Object.freeze([]);

function specialTools(list: readonly ToolDefinition[]): SpecialTools {
  const special = new Map<string, SpecialTool>();
  for (const { name, execution, inputSchema } of list) {
    const { parameters, faults } = headerParametersOf(inputSchema);
    // Clients leave out a tool with a wrong declaration.
    const headers = faults.length === 0 ? parameters : [];
    const hasTasks = execution !== undefined;
    if (hasTasks || headers.length > 0) special.set(name, { headers, hasTasks });
  }
  return special;
}

/** What a client sends to go on with a call. Whether its state is a good one, those say who gave it out. */
function answersFault(request: RpcRequest): AnsweredCall | undefined {
  const { method, params } = request;
  if (params === undefined || traitsOf(method).takesAnswers !== true) return undefined;
  const { requestState, inputResponses } = params;
  const wrong =
    requestState !== undefined && typeof requestState !== 'string'
      ? 'requestState must be a string'
      : inputResponses !== undefined && !isObject(inputResponses)
        ? 'inputResponses must be an object'
        : undefined;
  if (wrong === undefined) return undefined;
  return refused(request, { code: jsonRpcCodes.invalidParams, message: `Invalid params: ${wrong}` }, 200);
}

function notFound(request: RpcRequest): AnsweredCall {
  return refused(request, { code: jsonRpcCodes.methodNotFound, message: 'Method not found' }, 404);
}

function refused({ id }: RpcRequest, error: JsonRpcFailure, status: number): AnsweredCall {
  return answered(id, { error }, status);
}
