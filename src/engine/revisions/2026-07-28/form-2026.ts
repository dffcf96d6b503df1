import type { LogLevel, Retry } from '../../../call/call-exchange.ts';
import { clientUnreachable } from '../../../runtime/ask-client.ts';
import { describeClient, sendQuietly } from '../../../runtime/exchange-members.ts';
import { LOG_LEVELS } from '../../log-levels.ts';
import { ENVELOPE } from './envelope.ts';
import { jsonRpcCodes } from '../../json-rpc/json-rpc-error.ts';
import type { WireForm } from '../../wire-form.ts';
import type { ExchangeForm, FullExchange } from '../../request-exchange.ts';
import type { RequestPeer } from '../../request-peer.ts';
import type { RpcRequest } from '../../rpc-request.ts';
import { isObject, membersOf, type PlainObject } from '../../../shared/json.ts';

const RESOURCE_NOT_FOUND = -32002;
const NO_RETRY: Retry = Object.freeze({ requestState: undefined, inputResponses: Object.freeze({}) });

const exchange: ExchangeForm = {
  retry: NO_RETRY,
  retryOf: ({ params }) =>
    params === undefined || !('inputResponses' in params || 'requestState' in params)
      ? NO_RETRY
      : retryOf(params),
  metaOf: ({ params }) => withoutReserved(membersOf(params?.['_meta'])),
  clientOf: ({ params }) => {
    const meta = membersOf(params?.['_meta']);
    return describeClient(meta[ENVELOPE.clientInfo], meta[ENVELOPE.clientCapabilities]);
  },
  fullExchange,
};

/** The wire form of 2026-07-28. */
export function form2026(serverInfo: object): WireForm {
  const stamps = stampsOf(serverInfo);
  return Object.freeze({
    exchange,
    encode: (method, result) => encodeResult(method, result as PlainObject, stamps),
    encodeError: (error) =>
      error.code === RESOURCE_NOT_FOUND ? { ...error, code: jsonRpcCodes.invalidParams } : error,
  } satisfies WireForm);
}

/** What every result says: what it is, and who gives it (spec 2026-07-28: basic, Results). */
interface Stamps {
  readonly giver: PlainObject;
  readonly giverOnly: PlainObject;
  readonly whole: PlainObject;
}

function stampsOf(serverInfo: object): Stamps {
  const giver = Object.freeze({ [ENVELOPE.serverInfo]: serverInfo });
  const whole = Object.freeze({ resultType: 'complete', _meta: giver });
  return { giver, giverOnly: Object.freeze({ _meta: giver }), whole };
}

/** Not by spreads: what is added to one makes objects that are slow to write as JSON. */
function encodeResult(method: string, result: PlainObject, stamps: Stamps): object {
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
function withoutTasks(result: PlainObject): PlainObject {
  const tools = result['tools'] as readonly PlainObject[];
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
const NOTHING: PlainObject = Object.freeze({});

function isReserved(name: string): boolean {
  return RESERVED.includes(name);
}

/** The `_meta` of a request, without what the revision keeps for itself. */
function withoutReserved(meta: PlainObject): PlainObject {
  if (Object.keys(meta).every(isReserved)) return NOTHING;
  return Object.fromEntries(Object.entries(meta).filter(([name]) => !isReserved(name)));
}

function retryOf({ requestState, inputResponses }: PlainObject): Retry {
  // Each answer is a result as it stands: one in the envelope of JSON-RPC is none, and is asked for again.
  const answers = Object.entries(membersOf(inputResponses)).filter(
    ([, answer]) => isObject(answer) && !('method' in answer) && !('result' in answer),
  );
  return {
    requestState: typeof requestState === 'string' ? requestState : undefined,
    inputResponses: Object.fromEntries(answers),
  };
}

function fullExchange(request: RpcRequest, peer: RequestPeer): FullExchange {
  const level = membersOf(request.params?.['_meta'])[ENVELOPE.logLevel];
  const wanted = LOG_LEVELS.indexOf(level as LogLevel);
  const send = (method: string, params: PlainObject): Promise<void> =>
    sendQuietly(async () => {
      if (!peer.cancellation.isCancelled) await peer.notify({ jsonrpc: '2.0', method, params });
    });
  return {
    raw: request,
    notify: send,
    // The revision has no requests to the client: it is asked by results.
    request: (method) => Promise.reject(clientUnreachable(method)),
    log: async (severity, data, logger) => {
      // Spec: server/utilities/logging: a request that names no level wants no messages.
      if (!peer.canLog || wanted === -1 || LOG_LEVELS.indexOf(severity) < wanted) return;
      await send('notifications/message', { level: severity, data, logger });
    },
  };
}
