import { MAX_ANSWERED_VALUES } from '../../../call/ask.ts';
import { hasMoreValues, hasOnlyNames, isObject } from '../../../shared/json.ts';
import { thenMaybe, type MaybePromise } from '../../../shared/maybe-promise.ts';
import type { Retry } from '../../../call/request-context.ts';
import type { ToolDefinition } from '../../../compile/tools/compiled-tool.ts';
import type { Params } from '../../../kernel/call/request-params.ts';
import type { WireFailure } from '../../../kernel/call/outcome.ts';
import type { McpService } from '../../../runtime/service.ts';
import { extensionMethods, findRemoteServers } from '../../../runtime/feature-states.ts';
import type { RemoteServer } from '../../../runtime/runtime-facet.ts';
import { partsOf, type PartName } from '../../../runtime/routes/service-parts.ts';
import { isRevisionOf2026, REVISIONS_2026 } from '../../../shared/protocol.ts';
import { jsonRpcCodes, type JsonRpcFailure } from '../../json-rpc/json-rpc-error.ts';
import { metaOf, writtenOnce, type Members } from '../../json-rpc/message.ts';
import { instructionsFor } from '../../instructions.ts';
import { headerParametersOf, type HeaderParameter } from '../../../schema/header-parameters.ts';
import { observeAnswer, type Sender } from '../../observed-answer.ts';
import { ENVELOPE, ENVELOPE_FORM, METHODS_2026, type MethodTraits, type Shape } from '../../protocol.ts';
import type {
  EngineReply,
  HeaderReader,
  HttpCarrier,
  Revision,
  RpcRequest,
  StandingForm,
} from '../../revision.ts';
import {
  implementationOf,
  type ServerInfo,
  Discovery,
  needsOf,
  withoutTasks,
  type ToolNeeds,
} from '../../server-info.ts';
import { claimIn, contact2026, readRetry } from '../contact.ts';
import * as faults from './request-faults.ts';

const RESOURCE_NOT_FOUND = -32002;
const NO_RETRY: Retry = Object.freeze({ requestState: undefined, inputResponses: Object.freeze({}) });
const NO_TOOLS: readonly ToolDefinition[] = Object.freeze([]);
const NONE: readonly string[] = Object.freeze([]);
const NOTHING: Members = Object.freeze({});
const NO_TRAITS: MethodTraits = Object.freeze({});
/** Of the result of most calls. */
const ONE_MEMBER = ['content'];

/** The revision 2026-07-28, in which every request stands for itself. */
export class Revision2026 implements Revision {
  readonly contact = contact2026;
  readonly #service: McpService;
  readonly #parts: ReadonlySet<PartName>;
  readonly #extended: ReadonlyMap<string, unknown>;
  readonly #remote: readonly RemoteServer[];
  readonly #info: ServerInfo;
  readonly #discovery: Discovery;
  readonly #needs = new WeakMap<readonly ToolDefinition[], ToolNeeds>();
  /** What results say: who gives them, and of most that they are complete (spec 2026-07-28: basic, Results). */
  readonly #giver: Members;
  readonly #stamp: Members;
  readonly #completeStamp: Members;

  constructor(info: ServerInfo, service: McpService) {
    this.#info = info;
    this.#service = service;
    this.#parts = new Set(partsOf(service));
    this.#extended = extensionMethods(service.settings);
    this.#remote = findRemoteServers(service.settings);
    this.#discovery = new Discovery(info, this.#parts, service.settings, this);
    this.#giver = writtenOnce(Object.freeze({ [ENVELOPE.serverInfo]: implementationOf(info) }));
    this.#stamp = Object.freeze({ _meta: this.#giver });
    this.#completeStamp = Object.freeze({ resultType: 'complete', _meta: this.#giver });
  }

  /**
   * What is answered here; undefined for what the service answers.
   * @param canLog false where log messages would be lost
   */
  answerOwn(
    request: RpcRequest,
    connection: Exclude<Sender, HttpCarrier>,
  ): MaybePromise<EngineReply | undefined>;
  answerOwn(request: RpcRequest, http: HttpCarrier, canLog: boolean): MaybePromise<EngineReply | undefined>;
  answerOwn(request: RpcRequest, sender: Sender, canLog = true): MaybePromise<EngineReply | undefined> {
    return thenMaybe(
      this.#answer(request, sender, canLog),
      (own) => own && observeAnswer(request, own, this.#service.settings, sender),
    );
  }

  #answer(request: RpcRequest, sender: Sender, canLog: boolean): MaybePromise<EngineReply | undefined> {
    const http = 'headers' in sender ? sender : undefined;
    const traits = METHODS_2026.get(request.method) ?? this.#traitsOfExtension(request.method);
    const fault = requestFault(request, traits, http?.headers);
    if (fault !== undefined) return faults.refused(request, fault, 400);
    if (traits === undefined || !this.#offers(traits)) return faults.notFound(request);
    if (traits.takesAnswers === true) return this.#findFault(request, traits, http);
    if (traits.isOwn !== true) return undefined;
    return thenMaybe(
      instructionsFor(this.#info, this.#service, sender, () =>
        claimIn(metaOf(request)?.[ENVELOPE.clientInfo]),
      ),
      (instructions) => {
        const reply = this.#discovery.reply(canLog, this.#toolNeeds.hasTasks, instructions);
        return { id: request.id, reply, status: 200 };
      },
    );
  }

  #traitsOfExtension(method: string): MethodTraits | undefined {
    return this.#extended.has(method) ? NO_TRAITS : undefined;
  }

  /** Not by spreads: what is added to one makes objects that are slow to write as JSON. */
  encode(method: string, result: Members): object {
    const told = method === 'tools/list' ? withoutTasks(result) : result;
    const { _meta: meta, resultType } = told;
    const isComplete = resultType === undefined;
    if (meta === undefined && isComplete && hasOnlyNames(told, ONE_MEMBER))
      return { content: told['content'], resultType: 'complete', _meta: this.#giver };
    if (meta === undefined) return Object.assign({}, told, isComplete ? this.#completeStamp : this.#stamp);
    const stamped = isComplete ? { ...told, resultType: 'complete' } : told;
    if (!isObject(meta) || meta[ENVELOPE.serverInfo] !== undefined) return stamped;
    return { ...stamped, _meta: { ...meta, ...this.#giver } };
  }

  encodeError(error: WireFailure): WireFailure {
    return error.code === RESOURCE_NOT_FOUND ? { ...error, code: jsonRpcCodes.invalidParams } : error;
  }

  /** Without what the revision keeps for itself. */
  metaOf(request: RpcRequest): Params {
    const meta = metaOf(request) ?? NOTHING;
    if (Object.keys(meta).every(isReserved)) return NOTHING;
    return Object.fromEntries(Object.entries(meta).filter(([name]) => !isReserved(name)));
  }

  retryOf({ params }: RpcRequest): Retry {
    if (params === undefined || !('inputResponses' in params || 'requestState' in params)) return NO_RETRY;
    return readRetry(params);
  }

  /** Each message says which request it belongs to (spec 2026-07-28: basic/utilities/subscriptions). */
  standing(id: RpcRequest['id']): StandingForm {
    const meta = { [ENVELOPE.subscriptionId]: id };
    return {
      notice: (method, params) => ({ jsonrpc: '2.0', method, params: { ...params, _meta: meta } }),
      end: (result) => ({ resultType: 'complete', ...result, _meta: { ...meta, ...this.#giver } }),
    };
  }

  #offers({ part }: MethodTraits): boolean {
    if (part === undefined) return true;
    return part === 'tasks' ? this.#toolNeeds.hasTasks : this.#parts.has(part);
  }

  /** What is wrong with a call: what its client answers, or the arguments that headers repeat. */
  #findFault(
    request: RpcRequest,
    { repeatsArguments }: MethodTraits,
    http: HttpCarrier | undefined,
  ): MaybePromise<EngineReply | undefined> {
    const { params = NOTHING } = request;
    const { requestState, inputResponses } = params;
    if (requestState !== undefined && typeof requestState !== 'string')
      return faults.wrongAnswers(request, 'requestState must be a string');
    if (inputResponses !== undefined && !isObject(inputResponses))
      return faults.wrongAnswers(request, 'inputResponses must be an object');
    if (isObject(inputResponses) && hasMoreValues(inputResponses, MAX_ANSWERED_VALUES))
      return faults.wrongAnswers(
        request,
        `inputResponses must have at most ${String(MAX_ANSWERED_VALUES)} values`,
      );
    return repeatsArguments === true ? this.#findHeaderFault(request, params, http) : undefined;
  }

  #findHeaderFault(
    request: RpcRequest,
    params: Params,
    http: HttpCarrier | undefined,
  ): MaybePromise<EngineReply | undefined> {
    const { name } = params;
    // Most tools have no such headers for any caller; what is hidden from one asks for none
    const isRepeated = this.#repeating.has(name);
    if (http === undefined || !(isRepeated || this.#remote.length > 0)) return undefined;
    const own = isRepeated ? this.#headersFor(name, http, request) : remoteHeaders(name, this.#remote);
    return thenMaybe(own, (parameters) => {
      const mismatch = parameters && faults.findHeaderMismatch(parameters, params['arguments'], http.headers);
      return (
        mismatch && faults.refused(request, faults.headerMismatch(mismatch.header, mismatch.reason), 400)
      );
    });
  }

  /** The arguments that a call repeats as headers, of a tool that its caller may see. */
  #headersFor(
    name: unknown,
    { authInfo, surface }: HttpCarrier,
    request: RpcRequest,
  ): MaybePromise<readonly HeaderParameter[] | undefined> {
    const { tools } = this.#service;
    if (tools?.toolNamed === undefined)
      return thenMaybe(tools?.listTo(authInfo), (list) => this.#needsOf(list).headers.get(name));
    return thenMaybe(
      tools.toolNamed(name, authInfo, {
        chosen: surface,
        client: () => claimIn(metaOf(request)?.[ENVELOPE.clientInfo]),
      }),
      (tool) => (tool === undefined ? undefined : needsOf([tool]).headers.get(name)),
    );
  }

  get #toolNeeds(): ToolNeeds {
    return this.#needsOf(this.#service.tools?.list());
  }

  /** The tools that repeat arguments as headers, on any surface. */
  get #repeating(): ToolNeeds['headers'] {
    const every = this.#service.tools?.everyTool?.();
    return (every === undefined ? this.#toolNeeds : this.#needsOf(every)).headers;
  }

  /** Of a list that is frozen it is found out once. */
  #needsOf(list: readonly ToolDefinition[] = NO_TOOLS): ToolNeeds {
    const known = this.#needs.get(list);
    if (known !== undefined) return known;
    const needs = needsOf(list);
    if (Object.isFrozen(list)) this.#needs.set(list, needs);
    return needs;
  }
}

/** The arguments that a call of another server's tool repeats as headers, as far as its schema can be read. */
function remoteHeaders(
  name: unknown,
  servers: readonly RemoteServer[],
): readonly HeaderParameter[] | undefined {
  for (const server of servers) {
    const schema = typeof name === 'string' ? server.inputSchema(name) : undefined;
    if (!isObject(schema)) continue;
    try {
      const { parameters, faults: wrong } = headerParametersOf(schema);
      return wrong.length === 0 && parameters.length > 0 ? parameters : undefined;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

function isReserved(name: string): boolean {
  return ENVELOPE_FORM.members.has(name);
}

/**
 * What is wrong with a request before anybody asks for its method: its envelope, its revision, and the headers that
 * repeat it (spec 2026-07-28: basic, `_meta`; basic/versioning; basic/transports/streamable-http, Standard Headers).
 */
function requestFault(
  request: RpcRequest,
  traits: MethodTraits | undefined,
  headers: HeaderReader | undefined,
): JsonRpcFailure | undefined {
  const { method } = request;
  if (headers !== undefined && isHandshake(request)) return faults.earlierMethod();
  const meta = metaOf(request);
  if (meta === undefined || !(ENVELOPE.protocolVersion in meta)) return faults.missingEnvelope(meta);
  const fault = envelopeFault(meta);
  if (fault !== undefined) return faults.wrongEnvelope(fault);
  const revision = meta[ENVELOPE.protocolVersion] as string;
  const repeated = headers && readRepeated(headers);
  const mismatch = repeated && contradiction(repeated, revision, method);
  if (mismatch !== undefined) return mismatch;
  if (!REVISIONS_2026.includes(revision)) return faults.unsupportedRevision(revision);
  return repeated && (missingHeader(repeated) ?? nameFault(request, traits, headers));
}

function isHandshake(request: RpcRequest): boolean {
  return request.method === 'initialize' && !isValidEnvelope(request);
}

/** What the standard headers say; null for one that is missing. */
const readRepeated = (headers: HeaderReader) => ({
  revision: headers.get('mcp-protocol-version'),
  method: headers.get('mcp-method'),
});
type RepeatedHeaders = Readonly<ReturnType<typeof readRepeated>>;

function missingHeader({ revision, method }: RepeatedHeaders): JsonRpcFailure | undefined {
  if (revision === null) return faults.missingHeader(faults.REVISION_HEADER);
  return method === null ? faults.missingHeader(faults.METHOD_HEADER) : undefined;
}

/** A header that is there and says something else than the body. */
function contradiction(
  { revision: header, method: named }: RepeatedHeaders,
  revision: string,
  method: string,
): JsonRpcFailure | undefined {
  if (header !== null && header !== revision) return faults.differs(faults.REVISION_HEADER, header, revision);
  return named === null || named === method ? undefined : faults.differs(faults.METHOD_HEADER, named, method);
}

function nameFault(
  { params }: RpcRequest,
  traits: MethodTraits | undefined,
  headers: HeaderReader,
): JsonRpcFailure | undefined {
  if (traits?.namedBy === undefined) return undefined;
  const name = params?.[traits.namedBy];
  const header = headers.get('mcp-name');
  if (header !== null && header === name && !header.startsWith(faults.ENCODED)) return undefined;
  return faults.nameFault(name, header);
}

/** The same of what expects no answer: neither an envelope nor a header has to be there. */
export function notificationFault(message: unknown, headers: HeaderReader): JsonRpcFailure | undefined {
  const method = isObject(message) ? message['method'] : undefined;
  const meta = metaOf(message) ?? NOTHING;
  const isClaimed = ENVELOPE.protocolVersion in meta;
  const revision = isClaimed ? meta[ENVELOPE.protocolVersion] : headers.get('mcp-protocol-version');
  if (typeof revision !== 'string') return faults.wrongRevision();
  const mismatch = contradiction(readRepeated(headers), revision, String(method));
  if (mismatch !== undefined) return mismatch;
  return REVISIONS_2026.includes(revision) ? undefined : faults.unsupportedRevision(revision);
}

/** Whether the envelope has its form, and names a revision since 2026-07-28. */
export function isValidEnvelope(message: unknown): boolean {
  const meta = metaOf(message);
  if (meta === undefined || envelopeFault(meta) !== undefined) return false;
  return isRevisionOf2026(meta[ENVELOPE.protocolVersion] as string);
}

function envelopeFault(meta: Members): faults.ShapeFault | undefined {
  for (const key of ENVELOPE_FORM.required)
    if (meta[key] === undefined) return { key, problem: 'is missing' };
  return faultInside(meta, ENVELOPE_FORM, '');
}

/**
 * The first thing that is wrong with a member of a message. It looks at the members that are there, not at all that may
 * be there, because every request of 2026-07-28 passes it.
 * @param key where it is
 */
export function shapeFault(value: unknown, shape: Shape, key: string): faults.ShapeFault | undefined {
  const { kind, among, members, each } = shape;
  if (among?.includes(value) === false) return { key, problem: `must be one of ${among.join(', ')}` };
  if (kind !== undefined && !isOf(kind, value)) return { key, problem: `must be ${kind}` };
  return members === undefined && each === undefined ? undefined : faultInside(value as Members, shape, key);
}

function faultInside(given: Members, shape: Shape, key: string): faults.ShapeFault | undefined {
  for (const name of shape.required ?? NONE)
    if (given[name] === undefined) return faultAt(given, name, shape, key);
  // Without a list of the names: of most requests, nothing is wrong
  for (const name in given) {
    if (given[name] === undefined || !Object.hasOwn(given, name)) continue;
    const fault = faultAt(given, name, shape, key);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultAt(
  given: Members,
  name: string,
  { members, each }: Shape,
  key: string,
): faults.ShapeFault | undefined {
  const shape = members?.get(name) ?? each;
  const fault = shape && shapeFault(given[name], shape, name.slice(0, faults.LONGEST_ECHO));
  return fault && { ...fault, key: key === '' ? fault.key : `${key}.${fault.key}` };
}

function isOf(kind: NonNullable<Shape['kind']>, value: unknown): boolean {
  if (kind === 'a string') return typeof value === 'string';
  if (kind === 'an object') return isObject(value);
  return kind === 'a list' ? Array.isArray(value) : typeof value === 'boolean';
}
