import { jsonRpcCodes } from '../../../engine/json-rpc/json-rpc-error.ts';
import { isProtocolMessage, isRequest } from '../../../engine/json-rpc/message.ts';
import { refuseMessage } from '../../../engine/json-rpc/refuse-message.ts';
import { HttpRefusal } from '../http-answer.ts';
import type { BodyBytes } from '../http-exchange.ts';

/** For the developer who mounts the server; a client cannot fix it. */
export const READ_BEFORE =
  'The body of this request was already read. Pass on what was made of it, app.node(request, response, ' +
  'request.body), or mount the server before whatever parses bodies';

/** Why a body without bytes is refused. */
export function bodyFault(reason: Exclude<BodyBytes, Uint8Array>, limit: number): HttpRefusal {
  if (reason === 'too-large') return tooLarge(limit);
  if (reason === 'aborted') return new HttpRefusal(400, 'The request ended before its body did');
  return new HttpRefusal(500, READ_BEFORE, { code: jsonRpcCodes.internalError });
}

export function tooLarge(limit: number): HttpRefusal {
  return new HttpRefusal(413, `Invalid request: the body is larger than ${String(limit)} bytes`, {
    code: jsonRpcCodes.invalidRequest,
  });
}

/**
 * Checks a body that is not a single message: it may be a batch.
 * @throws HttpRefusal for the first invalid element, so that a batch is either served whole or refused
 */
export function checkBatchForm(body: unknown): void {
  const messages: readonly unknown[] = Array.isArray(body) && body.length > 0 ? body : [body];
  const stranger = messages.find((message) => !isProtocolMessage(message));
  if (stranger === undefined) return;
  const { failure, id } = refuseMessage(stranger);
  throw new HttpRefusal(400, failure.message, { code: failure.code, id });
}

/** False when nothing in a body expects an answer. */
export function hasRequests(body: unknown): boolean {
  return Array.isArray(body) ? body.some(isRequest) : isRequest(body);
}
