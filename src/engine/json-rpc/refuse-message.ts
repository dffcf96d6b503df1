import { isObject } from '../../shared/json.ts';
import { idOf, isId, isShort, LONGEST_NAME } from './message.ts';
import { jsonRpcCodes, type JsonRpcFailure, type ReplyId } from './json-rpc-error.ts';

/** What is wrong with a JSON value that is not a message of the protocol. */
interface MessageRefusal {
  readonly failure: JsonRpcFailure;
  readonly id: ReplyId;
}

/** Explains to a client why what it sent is not a message of JSON-RPC. */
export function refuseMessage(value: unknown): MessageRefusal {
  const failure = { code: jsonRpcCodes.invalidRequest, message: `Invalid request: ${faultOf(value)}` };
  return { failure, id: idOf(value) };
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
