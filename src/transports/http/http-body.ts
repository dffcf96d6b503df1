import { eraOfBody } from '../../engine/request.ts';
import { METHODS_2026 } from '../../engine/protocol.ts';
import type { ProtocolEra } from '../../shared/protocol-era.ts';
import { isRequest, isProtocolMessage, readMessage } from '../../engine/json-rpc/message.ts';
import { refuseMessage } from '../../engine/json-rpc/refuse-message.ts';
import { jsonRpcCodes } from '../../engine/json-rpc/json-rpc-error.ts';
import type { GuardedHeaders } from './decisive-headers.ts';
import type { HeaderReader } from '../../engine/revision.ts';
import { HttpRefusal } from './http-answer.ts';
import type { BodyBytes } from './http-request.ts';

/** The messages of a POST, checked so far that each request among them will be answered. */
export interface PostedMessages {
  readonly body: unknown;
  readonly era: ProtocolEra;
  /** False when nothing in it expects an answer. */
  readonly hasRequests: boolean;
  /** True for a subscription, whose response ends with the server or the client only. */
  readonly isStanding: boolean;
}

/** For the developer who mounts the server: no client can do anything about it. */
export const READ_BEFORE =
  'The body of this request was already read. Pass on what was made of it, app.node(request, response, ' +
  'request.body), or mount the server before whatever parses bodies';

const UTF_8 = /^charset\s*=\s*"?utf-?8"?$/;

/** @param isDecoded whether encodings are undone already */
export function checkContentType(headers: GuardedHeaders, isDecoded: boolean): void {
  const [mediaType, ...parameters] = (headers.get('content-type') ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  if (mediaType !== 'application/json') throw new HttpRefusal(415, 'Content-Type must be application/json');
  if (isDecoded) return;
  if (parameters.some((parameter) => parameter.startsWith('charset') && !UTF_8.test(parameter))) {
    // RFC 8259, 8.1; read as UTF-8, another encoding would be another text.
    throw new HttpRefusal(415, 'JSON must be sent in UTF-8');
  }
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding.trim().toLowerCase() === 'identity') return;
  // RFC 9110, 12.5.3: this response says which codings would have been accepted.
  throw new HttpRefusal(415, `Content-Encoding ${encoding.slice(0, 20)} is not supported; send it as it is`, {
    headers: { 'accept-encoding': 'identity' },
  });
}

/** Refuses by the declared length already, before anything is read. */
export function checkContentLength(headers: GuardedHeaders, limit: number): void {
  if (Number(headers.get('content-length') ?? 0) > limit) throw tooLarge(limit);
}

export function readPost(bytes: BodyBytes, limit: number, headers: HeaderReader): PostedMessages {
  if (bytes === 'too-large') throw tooLarge(limit);
  if (bytes === 'aborted') throw new HttpRefusal(400, 'The request ended before its body did');
  if (bytes === 'read-before') throw new HttpRefusal(500, READ_BEFORE, { code: jsonRpcCodes.internalError });
  const reading = readMessage(bytes);
  if (!reading.ok) throw new HttpRefusal(400, reading.failure.message, { code: reading.failure.code });
  const body: unknown = reading.value;
  const messages: readonly unknown[] = Array.isArray(body) && body.length > 0 ? body : [body];
  const stranger = messages.find((message) => !isProtocolMessage(message));
  if (stranger !== undefined) {
    const { failure, id } = refuseMessage(stranger);
    throw new HttpRefusal(400, failure.message, { code: failure.code, id });
  }
  const era = eraOfBody(body, headers);
  const isStanding = era === '2026' && isRequest(body) && METHODS_2026.get(body.method)?.isStanding === true;
  return { body, era, hasRequests: messages.some(isRequest), isStanding };
}

function tooLarge(limit: number): HttpRefusal {
  return new HttpRefusal(413, `Invalid request: the body is larger than ${String(limit)} bytes`, {
    code: jsonRpcCodes.invalidRequest,
  });
}
