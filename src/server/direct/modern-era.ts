import type { LogLevel } from '../../call/call-exchange.ts';
import { exchangeOfVersion2, type Version2Context } from '../../runtime/attach/exchange-of-version-2.ts';
import { describeClient, membersOf, type Members } from '../../runtime/attach/exchange-members.ts';
import { LOG_LEVELS } from '../era/envelope.ts';
import type { DirectEra } from './direct-era.ts';
import type { EraExchange } from './direct-exchange.ts';
import type { DirectHttp, DirectPeer } from './direct-peer.ts';
import type { DirectRequest } from './direct-request.ts';
import { ENVELOPE, isPlainEnvelope } from './plain-envelope.ts';

/** Of the methods whose name a header repeats, the member of the params that it repeats. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};
const BASE64_SENTINEL = '=?base64?';
const RESOURCE_NOT_FOUND = -32002;
const INVALID_PARAMS = -32602;

const exchange: EraExchange = {
  retry: Object.freeze({ requestState: undefined, inputResponses: Object.freeze({}) }),
  metaOf: ({ params }) => withoutReserved(membersOf(params?.['_meta'])),
  clientOf: ({ params }) => {
    const meta = membersOf(params?.['_meta']);
    return describeClient(meta[ENVELOPE.clientInfo], meta[ENVELOPE.clientCapabilities]);
  },
  fullExchange: (request, peer) => exchangeOfVersion2(peer.connection, contextOf(request, peer)),
};

/** 2026-07-28, as SDK v2 serves it. */
export function modernEra(serverInfo: object): DirectEra {
  const stamps = stampsOf(serverInfo);
  return Object.freeze({
    exchange,
    own: {},
    isPlain: (request, http) => {
      const { params } = request;
      // A client that answers questions is rare, and the SDK checks its answers.
      if (params === undefined || 'inputResponses' in params || 'requestState' in params) return false;
      return isPlainEnvelope(params['_meta']) && (http === undefined || agrees(request, http));
    },
    encode: (method, result) => encodeResult(method, result as Members, stamps),
    encodeError: (error) => (error.code === RESOURCE_NOT_FOUND ? { ...error, code: INVALID_PARAMS } : error),
  } satisfies DirectEra);
}

/** Whether the headers repeat the body letter by letter (spec 2026-07-28: basic/transports, Standard Headers). */
function agrees({ method, params }: DirectRequest, { headers }: DirectHttp): boolean {
  if (headers.get('mcp-method') !== method) return false;
  if (headers.get('mcp-protocol-version') !== membersOf(params?.['_meta'])[ENVELOPE.protocolVersion])
    return false;
  const member = NAMED[method];
  if (member === undefined) return true;
  const name = headers.get('mcp-name');
  return name !== null && name === params?.[member] && !name.startsWith(BASE64_SENTINEL);
}

/** What SDK v2 adds to results: what they are, and who gives them (spec 2026-07-28: basic, Results). */
interface Stamps {
  readonly giver: Members;
  readonly giverOnly: Members;
  readonly whole: Members;
}

function stampsOf(serverInfo: object): Stamps {
  const giver = Object.freeze({ [ENVELOPE.serverInfo]: serverInfo });
  const whole = Object.freeze({ resultType: 'complete', _meta: giver });
  return { giver, giverOnly: Object.freeze({ _meta: giver }), whole };
}

/** As SDK v2 completes a result. Not by spreads: what is added to one makes objects that are slow to write as JSON. */
function encodeResult(method: string, result: Members, stamps: Stamps): object {
  const { _meta: meta } = result;
  const told = method === 'tools/list' ? withoutTasks(result) : result;
  const isComplete = told['resultType'] === undefined;
  if (meta === undefined) return Object.assign({}, told, isComplete ? stamps.whole : stamps.giverOnly);
  const stamped = isComplete ? { ...told, resultType: 'complete' } : told;
  const members = membersOf(meta);
  if (members !== meta || Array.isArray(meta) || members[ENVELOPE.serverInfo] !== undefined) return stamped;
  return { ...stamped, _meta: { ...members, ...stamps.giver } };
}

/** How tools become tasks is agreed on in another way since this revision. */
function withoutTasks(result: Members): Members {
  const tools = result['tools'] as readonly Members[];
  if (tools.every((tool) => !('execution' in tool))) return result;
  const told = tools.map(({ execution: _execution, ...tool }) => tool);
  return { ...result, tools: told };
}

const RESERVED: readonly string[] = [
  ENVELOPE.protocolVersion,
  ENVELOPE.clientInfo,
  ENVELOPE.clientCapabilities,
  ENVELOPE.logLevel,
];
const NOTHING: Members = Object.freeze({});

function isReserved(name: string): boolean {
  return RESERVED.includes(name);
}

/** The `_meta` of a request, without what the revision keeps for itself. */
function withoutReserved(meta: Members): Members {
  if (Object.keys(meta).every(isReserved)) return NOTHING;
  return Object.fromEntries(Object.entries(meta).filter(([name]) => !isReserved(name)));
}

function envelopeOf(meta: Members): Members {
  const names = RESERVED.filter((name) => Object.hasOwn(meta, name));
  return Object.fromEntries(names.map((name) => [name, meta[name]]));
}

/** What SDK v2 hands to its handlers (`ServerContext`). */
function contextOf(request: DirectRequest, peer: DirectPeer): Version2Context {
  const { cancellation, authInfo, http } = peer;
  const meta = membersOf(request.params?.['_meta']);
  const [envelope, rest] = [envelopeOf(meta), withoutReserved(meta)];
  const notify = async (notification: unknown): Promise<void> => {
    if (!cancellation.isCancelled) await peer.notify({ jsonrpc: '2.0', ...(notification as object) });
  };
  const wanted = LOG_LEVELS.indexOf(envelope[ENVELOPE.logLevel] as LogLevel);
  return {
    ...(peer.sessionId === undefined ? {} : { sessionId: peer.sessionId }),
    mcpReq: {
      id: request.id,
      signal: cancellation.signal,
      ...(Object.keys(rest).length === 0 ? {} : { _meta: rest }),
      envelope,
      requestState: () => undefined,
      notify,
      log: async (level, data, logger) => {
        if (!peer.canLog || wanted === -1 || LOG_LEVELS.indexOf(level as LogLevel) < wanted) return;
        await notify({ method: 'notifications/message', params: { level, data, logger } });
      },
    },
    ...(authInfo === undefined && http === undefined
      ? {}
      : {
          http: {
            ...(authInfo === undefined ? {} : { authInfo }),
            ...(http === undefined ? {} : { req: http }),
          },
        }),
  };
}
