import type { WireFailure } from '../runtime/outcome.ts';
import { jsonRpcCodes } from './json-rpc/json-rpc-error.ts';
import { writeMessage } from './json-rpc/write-message.ts';
import { KnownReply } from './known-reply.ts';

/** What a request is answered with. */
export type Reply = KnownReply | { readonly result: object } | { readonly error: WireFailure };

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
  if (reply instanceof KnownReply) return knownText(reply, id);
  return writeMessage(replyMessage(reply, id), report).text;
}

export function knownText(reply: KnownReply, id: string | number): string {
  return `${BEFORE}${reply.json}${behind(id)}`;
}

/** The same bytes in pieces, of which the long one is not copied. */
export function replyBytes(reply: KnownReply, id: string | number): readonly Uint8Array[] {
  return [BEFORE_BYTES, reply.bytes, encoder.encode(behind(id))];
}

const encoder = new TextEncoder();
const BEFORE = '{"result":';
const BEFORE_BYTES = encoder.encode(BEFORE);

function behind(id: string | number): string {
  return `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}
