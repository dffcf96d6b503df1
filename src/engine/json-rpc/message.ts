import { Buffer, isAscii } from 'node:buffer';
import { hasOnlyNames, isObject } from '../../shared/json.ts';
import { jsonRpcCodes, type JsonRpcFailure, type ReplyId } from './json-rpc-error.ts';
import { EncodedResult, type WireFailure } from '../../kernel/call/outcome.ts';

export type Members = Readonly<Record<string, unknown>>;

/** A message that was read, or what is wrong with its bytes. */
type MessageReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: JsonRpcFailure };

/** Far above the arguments of real tools, and far below the stack limit of recursive code. */
const MAXIMUM_DEPTH = 256;

const DECODER = new TextDecoder('utf-8', { fatal: true });

/** Reads one JSON text of any content; never throws. */
export function readMessage(bytes: Uint8Array): MessageReading {
  let text: string;
  try {
    text = decodeUtf8(bytes);
  } catch {
    return failed(jsonRpcCodes.parseError, 'Parse error: the message is not valid UTF-8');
  }
  if (hasManyBrackets(text) && isTooDeep(text)) {
    return failed(
      jsonRpcCodes.invalidRequest,
      `Invalid request: the message is nested deeper than ${String(MAXIMUM_DEPTH)} levels`,
    );
  }
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return failed(
      jsonRpcCodes.parseError,
      `Parse error: ${error instanceof Error ? error.message : 'no JSON'}`,
    );
  }
}

/** Most messages are ASCII, which Node reads as Latin-1 several times faster than it decodes UTF-8. */
function decodeUtf8(bytes: Uint8Array): string {
  return Buffer.isBuffer(bytes) && isAscii(bytes) ? bytes.toString('latin1') : DECODER.decode(bytes);
}

function failed(code: number, message: string): MessageReading {
  return { ok: false, failure: { code, message } };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
// `[` and `{`, `]` and `}` differ in this bit only.
const CURLY = 0x20;
const OPENING = 0x5b;
const CLOSING = 0x5d;

/** There is a bracket for each level, and whether there are so many is found faster than how deep they go. */
function hasManyBrackets(text: string): boolean {
  // Each level is opened and closed, or the text is not JSON
  if (text.length <= 2 * MAXIMUM_DEPTH) return false;
  let count = 0;
  for (const bracket of ['{', '[']) {
    for (let place = text.indexOf(bracket); place !== -1; place = text.indexOf(bracket, place + 1)) {
      count += 1;
      if (count > MAXIMUM_DEPTH) return true;
    }
  }
  return false;
}

/** Reads the text, so that no deep value is ever built. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) isInString = false;
    } else if (code === QUOTE) {
      isInString = true;
    } else if ((code & ~CURLY) === OPENING) {
      depth += 1;
      if (depth > MAXIMUM_DEPTH) return true;
    } else if ((code & ~CURLY) === CLOSING) {
      depth -= 1;
    }
  }
  return false;
}

const REVISION = 'io.modelcontextprotocol/protocolVersion';
const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** True for what the protocol takes as a message (JSON-RPC 2.0; spec: basic, Messages). */
export function isProtocolMessage(value: unknown): boolean {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return false;
  if ('method' in value) return isCall(value);
  return 'result' in value ? isResult(value) : isErrorAnswer(value);
}

const CALL_MEMBERS: readonly string[] = ['jsonrpc', 'id', 'method', 'params'];

/** A request, or without an id a notification. */
function isCall(value: Members): boolean {
  const { id, method, params } = value;
  return (
    hasOnly(value, CALL_MEMBERS) &&
    (!('id' in value) || isId(id)) &&
    isShort(method) &&
    (params === undefined || hasMeta(params))
  );
}

function isResult(value: Members): boolean {
  return hasOnly(value, ['jsonrpc', 'id', 'result']) && isId(value['id']) && hasMeta(value['result']);
}

/** The id of an unreadable message is unknown. */
function isErrorAnswer(value: Members): boolean {
  const { id, error } = value;
  return (
    hasOnly(value, ['jsonrpc', 'id', 'error']) &&
    (id === undefined || isId(id)) &&
    isObject(error) &&
    Number.isSafeInteger(error['code']) &&
    typeof error['message'] === 'string'
  );
}

/** An object whose `_meta`, if present, is valid in every revision. */
function hasMeta(value: unknown): boolean {
  if (!isObject(value)) return false;
  const meta = value['_meta'];
  if (meta === undefined) return true;
  if (!isObject(meta)) return false;
  const { progressToken, [RELATED_TASK]: task, [REVISION]: revision } = meta;
  return (
    (typeof revision !== 'string' || isShort(revision)) &&
    (progressToken === undefined || isId(progressToken)) &&
    (task === undefined || (isObject(task) && typeof task['taskId'] === 'string'))
  );
}

function hasOnly(value: Members, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
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

/** What a message says of itself, if anything. */
export function metaOf(message: unknown): Members | undefined {
  const params = isObject(message) ? message['params'] : undefined;
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) ? meta : undefined;
}

/** In characters. A client's id is repeated in every message about its request, and in errors. */
export const LONGEST_NAME = 512;

/** Whether it is short enough to be repeated. */
export function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_NAME;
}

/** The id of a request, which its answer repeats, or a progress token. */
export function isId(value: unknown): value is string | number {
  return isShort(value) || Number.isSafeInteger(value);
}

/** A message that JSON can carry, and its JSON. */
interface WrittenMessage<Message> {
  readonly message: Message;
  readonly text: string;
}

/**
 * An answer that JSON cannot carry becomes an error, because its request needs an answer.
 * @throws the error of JSON.stringify for any other message
 */
export function writeMessage<Message>(
  message: Message,
  report: (error: Error) => void,
): WrittenMessage<Message | ErrorAnswer> {
  try {
    return { message, text: JSON.stringify(message) };
  } catch (error) {
    report(error as Error);
    const id = answeredId(message);
    if (id === undefined) throw error;
    const failure = errorAnswer(id);
    return { message: failure, text: JSON.stringify(failure) };
  }
}

type ErrorAnswer = ReturnType<typeof errorAnswer>;

function errorAnswer(id: string | number) {
  const message = 'The answer could not be written as JSON';
  return { jsonrpc: '2.0', id, error: { code: jsonRpcCodes.internalError, message } } as const;
}

/** The answer to a request. */
export type Reply = EncodedResult | { readonly result: object } | ErrorReply;

export interface ErrorReply {
  readonly error: WireFailure;
}

/** The answer as a message. Its members stand in the order that other servers give them. */
export function replyMessage(reply: Reply, id: string | number): object {
  if ('result' in reply) return { result: reply.result, jsonrpc: '2.0', id };
  const { code, message, data } = reply.error;
  const known = Number.isSafeInteger(code) ? code : jsonRpcCodes.internalError;
  const error = { code: known, message, ...(data === undefined ? {} : { data }) };
  return { jsonrpc: '2.0', id, error };
}

/** The answer as JSON. */
export function replyText(reply: Reply, id: string | number, report: (error: Error) => void): string {
  if (reply instanceof EncodedResult) return encodedText(reply, id);
  const json = 'result' in reply ? textResultJson(reply.result) : undefined;
  if (json !== undefined) return `${BEFORE}${json}${behind(id)}`;
  return writeMessage(replyMessage(reply, id), report).text;
}

const WRITTEN = new WeakMap<object, string>();

/** Keeps the JSON of a frozen object that many results carry. */
export function writtenOnce<Value extends object>(value: Value): Value {
  WRITTEN.set(value, JSON.stringify(value));
  return value;
}

/** As JSON.stringify, but several times faster for what most results are: one text. Undefined for all others. */
function textResultJson(result: object): string | undefined {
  const { content, resultType, _meta: meta } = result as Members;
  const text = soleText(content);
  if (text === undefined || 'toJSON' in result) return undefined;
  const json = `{"content":[{"type":"text","text":${JSON.stringify(text)}}]`;
  if (hasOnlyNames(result, ['content'])) return `${json}}`;
  const stamp = isObject(meta) ? WRITTEN.get(meta) : undefined;
  if (stamp === undefined || resultType !== 'complete' || !hasOnlyNames(result, COMPLETE_RESULT))
    return undefined;
  return `${json},"resultType":"complete","_meta":${stamp}}`;
}

const COMPLETE_RESULT = ['content', 'resultType', '_meta'];
const TEXT_BLOCK = ['type', 'text'];
function soleText(content: unknown): string | undefined {
  const block: unknown = Array.isArray(content) && content.length === 1 ? content[0] : undefined;
  if (!isObject(block) || 'toJSON' in block || !hasOnlyNames(block, TEXT_BLOCK)) return undefined;
  return block['type'] === 'text' && typeof block['text'] === 'string' ? block['text'] : undefined;
}

export function encodedText(reply: EncodedResult, id: string | number): string {
  return `${BEFORE}${reply.json}${behind(id)}`;
}

/** Gives the bytes in pieces, of which the long one is not copied. */
export function encodedBytes(reply: EncodedResult, id: string | number): readonly Uint8Array[] {
  return [BEFORE_BYTES, reply.bytes, encoder.encode(behind(id))];
}

const encoder = new TextEncoder();
const BEFORE = '{"result":';
const BEFORE_BYTES = encoder.encode(BEFORE);

function behind(id: string | number): string {
  return `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}
