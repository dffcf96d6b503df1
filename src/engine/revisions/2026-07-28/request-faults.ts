import { REVISIONS_2026 } from '../../../shared/protocol.ts';
import { jsonRpcCodes, type JsonRpcFailure } from '../../json-rpc/json-rpc-error.ts';
import type { Members } from '../../json-rpc/message.ts';
import { ENVELOPE, ENVELOPE_FORM } from '../../protocol.ts';
import type { EngineReply, RpcRequest, HeaderReader } from '../../revision.ts';
import type { HeaderParameter } from '../../../schema/header-parameters.ts';

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

export function refused({ id }: RpcRequest, error: JsonRpcFailure, status: number): EngineReply {
  return { id, reply: { error }, status };
}

export function notFound(request: RpcRequest): EngineReply {
  return refused(request, { code: jsonRpcCodes.methodNotFound, message: 'Method not found' }, 404);
}

/** What a client sends to go on with a call; whether its state is a good one, those say who gave it out. */
export function wrongAnswers(request: RpcRequest, wrong: string): EngineReply {
  return refused(request, { code: jsonRpcCodes.invalidParams, message: `Invalid params: ${wrong}` }, 200);
}

export function missingEnvelope(meta: Members | undefined): JsonRpcFailure {
  const { required } = ENVELOPE_FORM;
  const missing = meta === undefined ? ['_meta'] : required.filter((key) => meta[key] === undefined);
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

/** Why the headers of a call contradict its body. */
export interface HeaderMismatch {
  readonly header: string;
  readonly reason: string;
}

const PREFIX = 'Mcp-Param-';
/** Encoded text begins and ends so. */
export const ENCODED = '=?base64?';
const ENCODED_END = '?=';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const DECIMAL = /^-?\d+(\.\d+)?$/;

/**
 * Compares the arguments of a call with the headers that repeat them. Something between client and server may have
 * decided by the headers, so they must say what the body says
 * (spec 2026-07-28: basic/transports/streamable-http, Server Behavior for Custom Headers).
 */
export function findHeaderMismatch(
  parameters: readonly HeaderParameter[],
  args: unknown,
  headers: HeaderReader,
): HeaderMismatch | undefined {
  for (const parameter of parameters) {
    const header = `${PREFIX}${parameter.header}`;
    const value = valueAt(args, parameter.path);
    const reason = mismatchOf(value, headers.get(header.toLowerCase()), parameter.type);
    if (reason !== undefined) return { header, reason: `${parameter.path.join('.')} ${reason} ${header}` };
  }
  return undefined;
}

function mismatchOf(
  value: unknown,
  header: string | null,
  type: HeaderParameter['type'],
): string | undefined {
  const text = parameterText(value);
  // What cannot be a header is refused as an argument.
  if (text === undefined) return undefined;
  if (header === null) return 'is given, but not in the header';
  const decoded = decodeHeader(header);
  if (decoded === undefined) return 'is not what stands in wrong Base64 in the header';
  const isNumber = type === 'integer' && typeof value === 'number' && DECIMAL.test(decoded);
  return (isNumber ? Number(decoded) === value : decoded === text)
    ? undefined
    : 'is not what stands in the header';
}

/** An argument as clients write it into its header; undefined for what they leave out. */
export function parameterText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

/** Text beyond plain ASCII comes encoded; undefined where that is not UTF-8 in canonical Base64. */
export function decodeHeader(header: string): string | undefined {
  if (!header.startsWith(ENCODED) || !header.endsWith(ENCODED_END)) return header;
  const encoded = header.slice(ENCODED.length, -ENCODED_END.length);
  if (!BASE64.test(encoded)) return undefined;
  try {
    // A byte order mark belongs to the argument.
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
