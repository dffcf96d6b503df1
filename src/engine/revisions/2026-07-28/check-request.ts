import { isObject } from '../../../shared/json.ts';
import { REVISIONS_2026 } from '../../../shared/protocol-era.ts';
import { claimOf, ENVELOPE, envelopeFault, isValidEnvelope, metaOf, REQUIRED_MEMBERS } from './envelope.ts';
import type { HeaderReader } from '../../header-reader.ts';
import { jsonRpcCodes, type JsonRpcFailure } from '../../json-rpc/json-rpc-error.ts';
import type { RpcRequest } from '../../rpc-request.ts';
import { traitsOf } from '../../method-traits.ts';
import { decodeHeader } from './param-headers.ts';

/** What a client may hear again of what it sent. */
const LONGEST_ECHO = 100;

const REVISION_HEADER = 'MCP-Protocol-Version';
const METHOD_HEADER = 'Mcp-Method';
const NAME_HEADER = 'Mcp-Name';

/**
 * What is wrong with a request of 2026-07-28 before anybody asks for its method: its envelope, its revision, and the
 * headers that repeat it (spec: basic, `_meta`; basic/versioning; basic/transports/streamable-http, Standard Headers).
 * @param headers undefined where no HTTP request carried it
 */
export function requestFault(
  request: RpcRequest,
  headers: HeaderReader | undefined,
): JsonRpcFailure | undefined {
  if (headers !== undefined && request.method === 'initialize' && !isValidEnvelope(request)) {
    const reason = `initialize belongs to an earlier revision than ${REVISION_HEADER} names`;
    return headerMismatch(REVISION_HEADER, reason);
  }
  const meta = metaOf(request);
  if (meta === undefined || !(ENVELOPE.protocolVersion in meta)) return missingEnvelope(request);
  const fault = envelopeFault(meta);
  if (fault !== undefined) {
    const message = `Invalid params: _meta ${fault.key} ${fault.problem}`;
    return { code: jsonRpcCodes.invalidParams, message, data: { envelope: { ...fault } } };
  }
  const revision = meta[ENVELOPE.protocolVersion] as string;
  const mismatch = headers && contradiction(headers, revision, request.method);
  if (mismatch !== undefined) return mismatch;
  if (!REVISIONS_2026.includes(revision)) return unsupportedRevision(revision);
  return headers && (missingHeader(headers) ?? nameFault(request, headers));
}

/** The same of what expects no answer: neither an envelope nor a header has to be there. */
export function notificationFault(message: unknown, headers: HeaderReader): JsonRpcFailure | undefined {
  const method = isObject(message) ? message['method'] : undefined;
  const claim = claimOf(message);
  const revision = claim === undefined ? headers.get('mcp-protocol-version') : claim.revision;
  if (typeof revision !== 'string') {
    const problem = 'must be a string';
    const message = `Invalid params: _meta ${ENVELOPE.protocolVersion} ${problem}`;
    const data = { envelope: { key: ENVELOPE.protocolVersion, problem } };
    return { code: jsonRpcCodes.invalidParams, message, data };
  }
  const mismatch = contradiction(headers, revision, String(method));
  if (mismatch !== undefined) return mismatch;
  return REVISIONS_2026.includes(revision) ? undefined : unsupportedRevision(revision);
}

function missingEnvelope(request: RpcRequest): JsonRpcFailure {
  const meta = metaOf(request);
  const missing = meta === undefined ? ['_meta'] : REQUIRED_MEMBERS.filter((key) => meta[key] === undefined);
  const message = `Invalid params: a request of 2026-07-28 needs ${missing.join(' and ')} in its params`;
  return { code: jsonRpcCodes.invalidParams, message, data: { envelope: { missing } } };
}

function unsupportedRevision(revision: string): JsonRpcFailure {
  const requested = revision.slice(0, LONGEST_ECHO);
  return {
    code: jsonRpcCodes.unsupportedVersion,
    message: `Unsupported protocol version: ${requested}`,
    data: { supported: REVISIONS_2026, requested },
  };
}

/** A header that is there and says something else than the body. */
function contradiction(headers: HeaderReader, revision: string, method: string): JsonRpcFailure | undefined {
  const [header, named] = [headers.get('mcp-protocol-version'), headers.get('mcp-method')];
  if (header !== null && header !== revision) return differs(REVISION_HEADER, header, revision);
  return named === null || named === method ? undefined : differs(METHOD_HEADER, named, method);
}

function missingHeader(headers: HeaderReader): JsonRpcFailure | undefined {
  if (!headers.has('mcp-protocol-version')) return missing(REVISION_HEADER);
  return headers.has('mcp-method') ? undefined : missing(METHOD_HEADER);
}

function nameFault({ method, params }: RpcRequest, headers: HeaderReader): JsonRpcFailure | undefined {
  const { namedBy } = traitsOf(method);
  if (namedBy === undefined) return undefined;
  const name = params?.[namedBy];
  const header = headers.get('mcp-name');
  if (header === null) return typeof name === 'string' ? missing(NAME_HEADER) : undefined;
  const decoded = decodeHeader(header);
  if (decoded === undefined) return headerMismatch(NAME_HEADER, `${NAME_HEADER} is wrong Base64`);
  // What is no name at all is refused as a parameter.
  return typeof name !== 'string' || decoded === name ? undefined : differs(NAME_HEADER, decoded, name);
}

function differs(header: string, said: string, body: string): JsonRpcFailure {
  const [there, here] = [said, body].map((text) => JSON.stringify(text.slice(0, LONGEST_ECHO)));
  return headerMismatch(header, `${header} says ${String(there)}, and the body ${String(here)}`);
}

function missing(header: string): JsonRpcFailure {
  return headerMismatch(header, `${header} is missing`);
}

/** Something between client and server may have decided by the headers, so they must say what the body says. */
export function headerMismatch(header: string, reason: string): JsonRpcFailure {
  return {
    code: jsonRpcCodes.headerMismatch,
    message: `The headers of the request and its body disagree: ${reason}`,
    data: { mismatch: { header, body: reason } },
  };
}
