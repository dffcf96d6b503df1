import { Buffer } from 'node:buffer';
import { jsonRpcCodes, jsonRpcError } from '../../../engine/json-rpc/json-rpc-error.ts';
import type { RequestId } from '../guards/check-post.ts';
import type { PlainAnswer } from '../http-answer.ts';
import type { HttpExchange } from '../http-exchange.ts';

/** In characters; an unusually long id is left out. */
const LONGEST_ID = 256;
/** Ends the id of the error, with which clients may come back once more. */
const TOLD = '!';
const MARK = /^call-((?:[0-9a-f]{2})+)(!?)$/;

/**
 * The id of the first event of a stream that cannot be resumed. 2026-07-28 has no resumption, and does not forbid ids; a
 * client of an official SDK that has got none waits for a stream that broke until its time is over. With one it asks for
 * the rest, at any instance, and learns that there is none.
 */
export function markOf(id: RequestId): string | undefined {
  const text = JSON.stringify(id);
  return text.length > LONGEST_ID ? undefined : `call-${Buffer.from(text).toString('hex')}`;
}

/** The answer to a client that comes back for the rest of such a stream; undefined for any other request. */
export function lostCallAnswer({ method, sessionId, headers }: HttpExchange): PlainAnswer | undefined {
  if (method !== 'GET' || sessionId !== null) return undefined;
  const [mark, hex = '', told] = MARK.exec(headers.get('last-event-id') ?? '') ?? [];
  const id = mark === undefined ? undefined : readId(hex);
  if (mark === undefined || id === undefined) return undefined;
  if (told === TOLD) return { status: 204, headers: {}, text: '' };
  const event = ['event: message', `id: ${mark}${TOLD}`, `data: ${lostCall(id, BROKEN)}`];
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' },
    text: `${event.join('\n')}\n\n`,
  };
}

const BROKEN =
  'The stream of the request broke before its answer, and its outcome is unknown; repeat what may run twice';

/** The error in the place of an answer that nobody will give. */
export function lostCall(id: RequestId, message: string): string {
  return jsonRpcError({ code: jsonRpcCodes.internalError, message, data: { code: 'OUTCOME_UNKNOWN' } }, id);
}

/** The client may have made it up; then it only answers itself. */
function readId(hex: string): RequestId | undefined {
  try {
    const id = JSON.parse(Buffer.from(hex, 'hex').toString()) as unknown;
    return isId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

export function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}
