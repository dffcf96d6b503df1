import { jsonRpcCodes, ID_IS_TAKEN } from '../../../engine/json-rpc/json-rpc-error.ts';
import { isProtocolMessage, isRequest, idOf } from '../../../engine/json-rpc/message.ts';
import { refuseMessage } from '../../../engine/json-rpc/refuse-message.ts';
import { isObject } from '../../../shared/json.ts';
import { HttpRefusal } from '../http-answer.ts';
import type { BodyBytes } from '../http-exchange.ts';
import { METHODS_2025 } from '../../../engine/protocol.ts';
import { initializeFaults } from '../../../engine/revisions/2025/handshake.ts';
import type { RpcRequest } from '../../../engine/revision.ts';

/** For the developer who mounts the server; a client cannot fix it. */
export const READ_BEFORE =
  'The body of this request was already read. Pass on what was made of it, app.node(request, response, ' +
  'request.body), or mount the server before whatever parses bodies';

/** Why a body without bytes is refused. */
export function bodyFault(reason: Exclude<BodyBytes, Uint8Array>, limit: number): HttpRefusal {
  if (reason === 'too-large') return tooLarge(limit);
  if (reason === 'scattered') return new HttpRefusal(400, 'The body comes in too many small pieces');
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

/** Whether a message of a batch, or a body, answers a question. */
export function isReply(message: unknown): boolean {
  return isObject(message) && !('method' in message);
}

export type RequestId = string | number;

const LARGEST_BATCH = 100;
/** The revision of a client that does not name one (spec 2025-11-25: basic/transports, Protocol Version Header). */
const SILENT_VERSION = '2025-03-26';
const FIRST_WITH_EMPTY_EVENTS = '2025-11-25';

/** Older clients cannot read an event without data (same spec page, Sending Messages to the Server). */
export function readsEmptyEvents(revision: string | null, message: unknown): boolean {
  const params = isInitialize(message) ? (message as { params?: { protocolVersion?: unknown } }).params : {};
  const version = params?.protocolVersion ?? revision ?? SILENT_VERSION;
  return typeof version === 'string' && version >= FIRST_WITH_EMPTY_EVENTS;
}

/** Spec 2025-03-26: basic/lifecycle, Initialization: initialize must not be part of a batch. */
export function checkBatch(messages: readonly unknown[]): void {
  const reason =
    messages.length > LARGEST_BATCH
      ? `a batch has at most ${String(LARGEST_BATCH)} messages`
      : messages.length > 1 && messages.some(isInitialize)
        ? 'initialize cannot be part of a batch'
        : undefined;
  if (reason === undefined) return;
  throw new HttpRefusal(400, `Invalid request: ${reason}`, { code: jsonRpcCodes.invalidRequest });
}

export function isInitialize(message: unknown): boolean {
  return isRequest(message) && METHODS_2025.get(message.method)?.opensSession === true;
}

/** Refuses an incomplete `initialize`, and one with more client data than is kept. */
export function checkInitialize(message: RpcRequest): void {
  const faults = initializeFaults(message.params);
  if (faults.length === 0) return;
  const text = `initialize needs protocolVersion, capabilities and clientInfo: ${faults.join('; ')}`;
  throw new HttpRefusal(400, text, { code: jsonRpcCodes.invalidParams, id: idOf(message) });
}

/** Two running requests cannot share an id. */
export function freeIds(messages: readonly unknown[], isTaken: (id: RequestId) => boolean): RequestId[] {
  const ids = new Set<RequestId>();
  for (const { id } of messages.filter(isRequest)) {
    if (ids.has(id) || isTaken(id)) throw idIsTaken(id);
    ids.add(id);
  }
  return [...ids];
}

export function idIsTaken(id: RequestId): HttpRefusal {
  return new HttpRefusal(400, ID_IS_TAKEN, { code: jsonRpcCodes.invalidRequest, id });
}

/** Running requests are kept in memory, so their number is limited. */
export function runsTooMany(maximum: number, id: RequestId): HttpRefusal {
  const text = `This session runs its limit of ${String(maximum)} requests; wait for an answer and try again`;
  return new HttpRefusal(503, text, { id });
}

/** Refuses a request without a session id, or with the id of another owner's session. */
export function sessionNotFound(sessionId: string | null): never {
  if (sessionId === null) {
    throw new HttpRefusal(400, 'The Mcp-Session-Id header is missing; send initialize first');
  }
  // 404 makes the client initialize again (spec 2025-11-25: basic/transports, Session Management).
  const options = { code: jsonRpcCodes.sessionNotFound };
  throw new HttpRefusal(404, 'Session not found; initialize a new one', options);
}
