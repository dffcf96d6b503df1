import type { HeaderParameter } from '../../../schema/header-parameters.ts';
import type { HeaderReader } from '../../revision.ts';

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
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, 'base64'));
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
