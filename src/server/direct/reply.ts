import type { WireFailure } from '../../runtime/attach/answer-request.ts';
import { jsonRpcCodes } from '../json-rpc/json-rpc-error.ts';
import { writeMessage } from '../json-rpc/write-message.ts';

/** What a request is answered with: a result, whose JSON is there already where it never changes, or an error. */
export type Reply = { readonly result: object; readonly json?: string } | { readonly error: WireFailure };

/** The answer as a message. Its members stand as in the messages of the SDKs. */
export function replyMessage(reply: Reply, id: string | number): object {
  if ('result' in reply) return { result: reply.result, jsonrpc: '2.0', id };
  const { code, message, data } = reply.error;
  const known = Number.isSafeInteger(code) ? code : jsonRpcCodes.internalError;
  const error = { code: known, message, ...(data === undefined ? {} : { data }) };
  return { jsonrpc: '2.0', id, error };
}

/** The answer as JSON. */
export function replyText(reply: Reply, id: string | number, report: (error: Error) => void): string {
  if ('result' in reply && reply.json !== undefined) {
    return `{"result":${reply.json},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
  }
  return writeMessage(replyMessage(reply, id), report).text;
}
