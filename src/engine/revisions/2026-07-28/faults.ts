import { REVISIONS_2026 } from '../../../shared/protocol-era.ts';
import { jsonRpcCodes, type JsonRpcFailure } from '../../json-rpc/json-rpc-error.ts';
import type { Members } from '../../json-rpc/message.ts';
import { ENVELOPE, ENVELOPE_MEMBERS } from '../../protocol.ts';
import type { AnsweredCall, RpcRequest } from '../../revision.ts';
import { decodeHeader } from './param-headers.ts';

/** In characters: how much of what a client sent is repeated to it. */
export const LONGEST_ECHO = 100;

export const REVISION_HEADER = 'MCP-Protocol-Version';
export const METHOD_HEADER = 'Mcp-Method';
const NAME_HEADER = 'Mcp-Name';

/** What is wrong with a member of a message. */
export interface ShapeFault {
  /** The way to the member. */
  readonly key: string;
  readonly problem: string;
}

export function refused({ id }: RpcRequest, error: JsonRpcFailure, status: number): AnsweredCall {
  return { id, reply: { error }, status };
}

export function notFound(request: RpcRequest): AnsweredCall {
  return refused(request, { code: jsonRpcCodes.methodNotFound, message: 'Method not found' }, 404);
}

/** What a client sends to go on with a call; whether its state is a good one, those say who gave it out. */
export function wrongAnswers(request: RpcRequest, wrong: string): AnsweredCall {
  return refused(request, { code: jsonRpcCodes.invalidParams, message: `Invalid params: ${wrong}` }, 200);
}

export function missingEnvelope(meta: Members | undefined): JsonRpcFailure {
  const required = ENVELOPE_MEMBERS.filter(([, { isRequired }]) => isRequired === true);
  const missing =
    meta === undefined ? ['_meta'] : required.map(([key]) => key).filter((key) => meta[key] === undefined);
  const message = `Invalid params: a request of 2026-07-28 needs ${missing.join(' and ')} in its params`;
  return { code: jsonRpcCodes.invalidParams, message, data: { envelope: { missing } } };
}

export function wrongEnvelope(fault: ShapeFault): JsonRpcFailure {
  const message = `Invalid params: _meta ${fault.key} ${fault.problem}`;
  return { code: jsonRpcCodes.invalidParams, message, data: { envelope: { ...fault } } };
}

export function wrongRevision(): JsonRpcFailure {
  return wrongEnvelope({ key: ENVELOPE.protocolVersion, problem: 'must be a string' });
}

export function unsupportedRevision(revision: string): JsonRpcFailure {
  const requested = revision.slice(0, LONGEST_ECHO);
  return {
    code: jsonRpcCodes.unsupportedVersion,
    message: `Unsupported protocol version: ${requested}`,
    data: { supported: REVISIONS_2026, requested },
  };
}

/** Something between client and server may have decided by the headers, so they must say what the body says. */
export function headerMismatch(header: string, reason: string): JsonRpcFailure {
  return {
    code: jsonRpcCodes.headerMismatch,
    message: `The headers of the request and its body disagree: ${reason}`,
    data: { mismatch: { header, body: reason } },
  };
}

export function earlierMethod(): JsonRpcFailure {
  const reason = `initialize belongs to an earlier revision than ${REVISION_HEADER} names`;
  return headerMismatch(REVISION_HEADER, reason);
}

export function missingHeader(header: string): JsonRpcFailure {
  return headerMismatch(header, `${header} is missing`);
}

export function differs(header: string, said: string, body: string): JsonRpcFailure {
  const [there, here] = [said, body].map((text) => JSON.stringify(text.slice(0, LONGEST_ECHO)));
  return headerMismatch(header, `${header} says ${String(there)}, and the body ${String(here)}`);
}

/** Where the name in the header is not literally that of the body. */
export function nameFault(name: unknown, header: string | null): JsonRpcFailure | undefined {
  if (header === null) return typeof name === 'string' ? missingHeader(NAME_HEADER) : undefined;
  const decoded = decodeHeader(header);
  if (decoded === undefined) return headerMismatch(NAME_HEADER, `${NAME_HEADER} is wrong Base64`);
  // Anything but a string is refused as a parameter.
  return typeof name !== 'string' || decoded === name ? undefined : differs(NAME_HEADER, decoded, name);
}
