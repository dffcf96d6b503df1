import { jsonRpcCodes, type JsonRpcFailure, type ReplyId } from './json-rpc-error.ts';

export type Members = Readonly<Record<string, unknown>>;

/** What is wrong with a message that JSON could carry but the protocol does not know. */
export interface MessageRefusal {
  readonly failure: JsonRpcFailure;
  readonly id: ReplyId;
}

/** Explains why a value is no JSON-RPC message, to the client that sent it. */
export function refuseMessage(value: unknown): MessageRefusal {
  const failure = { code: jsonRpcCodes.invalidRequest, message: `Invalid request: ${faultOf(value)}` };
  return { failure, id: idOf(value) };
}

/** The id to answer with; null when there is none that JSON-RPC allows. */
export function idOf(value: unknown): ReplyId {
  const id = isObject(value) ? value['id'] : undefined;
  return isId(id) ? id : null;
}

/** True for messages that expect an answer. */
export function isRequest(
  value: unknown,
): value is { readonly id: string | number; readonly method: string } {
  return isObject(value) && typeof value['method'] === 'string' && isId(value['id']);
}

/** The id of the request that a message answers. */
export function answeredId(value: unknown): string | number | undefined {
  if (!isObject(value) || 'method' in value || !isId(value['id'])) return undefined;
  return value['id'];
}

/** The id of a request that a client does not want answered any more. */
export function cancelledId(value: unknown): unknown {
  if (!isObject(value) || value['method'] !== 'notifications/cancelled') return undefined;
  return isObject(value['params']) ? value['params']['requestId'] : undefined;
}

/** Why a client does not want it any more. */
export function reasonOf(cancellation: unknown): unknown {
  const params = isObject(cancellation) ? cancellation['params'] : undefined;
  return isObject(params) ? params['reason'] : undefined;
}

const MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

function faultOf(value: unknown): string {
  if (Array.isArray(value)) {
    return value.length === 0 ? 'the batch is empty' : 'batches are not supported on this transport';
  }
  if (!isObject(value)) return 'a message must be an object';
  if (value['jsonrpc'] !== '2.0') return 'jsonrpc must be "2.0"';
  if ('id' in value && !isId(value['id'])) {
    return `id must be a string of at most ${String(LONGEST_NAME)} characters, or a safe integer`;
  }
  const stranger = Object.keys(value).find((name) => !MEMBERS.has(name));
  if (stranger !== undefined) return `a message has no member ${JSON.stringify(stranger.slice(0, 100))}`;
  if (!('method' in value)) return 'method is missing';
  if (!isShort(value['method'])) {
    return `method must be a string of at most ${String(LONGEST_NAME)} characters`;
  }
  return 'params must be an object, and its _meta must have the form that the protocol defines';
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** In characters. What a client chooses comes back to it again and again, and in errors. */
const LONGEST_NAME = 512;

/** Whether it is a text that may be repeated. */
export function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_NAME;
}

/** What stands for a request: in its answer, or as a progress token in all that is told of it. */
export function isId(value: unknown): value is string | number {
  return isShort(value) || Number.isSafeInteger(value);
}
