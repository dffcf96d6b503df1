import { METHODS_2025, REVISIONS_2025 } from '../../../engine/protocol.ts';
import type { GuardedHeaders } from '../decisive-headers.ts';
import type { HeaderReader } from '../../../engine/revision.ts';
import { HttpRefusal } from '../http-answer.ts';
import { isRequest } from '../../../engine/json-rpc/message.ts';
import { ID_IS_TAKEN, jsonRpcCodes } from '../../../engine/json-rpc/json-rpc-error.ts';
import type { RequestId } from './posted-requests.ts';

const JSON_TYPE = 'application/json';
export const EVENT_STREAM = 'text/event-stream';
const LARGEST_BATCH = 100;
/** What a client speaks that says nothing (spec 2025-11-25: basic/transports, Protocol Version Header). */
const SILENT_VERSION = '2025-03-26';
const FIRST_WITH_EMPTY_EVENTS = '2025-11-25';

export function checkPostAccept(headers: GuardedHeaders): void {
  const accept = headers.get('accept') ?? '';
  if (accept.includes(JSON_TYPE) && accept.includes(EVENT_STREAM)) return;
  throw new HttpRefusal(
    406,
    `Not Acceptable: the client must accept both application/json and text/event-stream`,
  );
}

export function checkGetAccept(headers: HeaderReader): void {
  if (headers.get('accept')?.includes(EVENT_STREAM) === true) return;
  throw new HttpRefusal(406, 'Not Acceptable: the client must accept text/event-stream');
}

/** Same spec page: what is unsupported is answered with 400. */
export function checkProtocolVersion(headers: GuardedHeaders): void {
  const version = headers.get('mcp-protocol-version');
  if (version === null || REVISIONS_2025.includes(version)) return;
  const supported = REVISIONS_2025.join(', ');
  const given = JSON.stringify(version.slice(0, 40));
  throw new HttpRefusal(400, `Unsupported protocol version ${given}; supported are ${supported}`);
}

/** Older clients cannot read an event without data (same spec page, Sending Messages to the Server). */
export function readsEmptyEvents(headers: HeaderReader, message: unknown): boolean {
  const params = isInitialize(message) ? (message as { params?: { protocolVersion?: unknown } }).params : {};
  const version = params?.protocolVersion ?? headers.get('mcp-protocol-version') ?? SILENT_VERSION;
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

/** Two running requests cannot share an id. */
export function freeIds(messages: readonly unknown[], isTaken: (id: RequestId) => boolean): RequestId[] {
  const ids = new Set<RequestId>();
  for (const { id } of messages.filter(isRequest)) {
    if (ids.has(id) || isTaken(id)) {
      throw new HttpRefusal(400, ID_IS_TAKEN, {
        code: jsonRpcCodes.invalidRequest,
        id,
      });
    }
    ids.add(id);
  }
  return [...ids];
}

/** What runs is kept until it is answered, so a session must not ask without end. */
export function checkRoom(running: number, maximum: number, id: RequestId | undefined): void {
  if (id === undefined || running <= maximum) return;
  const text = `This session runs its limit of ${String(maximum)} requests; wait for an answer and try again`;
  throw new HttpRefusal(503, text, { id });
}
