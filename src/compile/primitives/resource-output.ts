import { isBase64, toBase64 } from '../../call/check-content.ts';
import { formatValue, isMadeBlock, isMadeResult, plainData } from '../../call/handler-value.ts';
import { describeReceived, type CheckOutcome } from '../../call/issue.ts';
import type { ReadResourceResult, ResourceContents } from '../../call/results.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';

const ACCEPTED =
  'a resource gives a string, bytes, a value for JSON, contents ({ text } or { blob: base64 or bytes }), ' +
  'a list of contents, or { contents }';

const CONTENTS_KEYS: ReadonlySet<string> = new Set(['uri', 'mimeType', 'text', 'blob', '_meta']);

/** Turns a handler's value into contents; undefined says that there is no such resource. */
export type ConvertResource = (value: unknown, uri: string) => CheckOutcome<ReadResourceResult | undefined>;

/** Compiles the conversion of what a resource's handler gives. */
export function compileResourceOutput(mimeType: string | undefined): ConvertResource {
  return (value, uri) => {
    if (value === undefined || value === null) return { ok: true, value: undefined };
    if (isReadResult(value)) return settle(value, value.contents, uri);
    const parts = contentsOf(value);
    if (parts !== undefined) return settle({}, parts, uri);
    // a tool's result or another kind of block would be sent as JSON of its insides
    if (isMadeResult(value) || isMadeBlock(value)) return refused('', value);
    return { ok: true, value: { contents: [{ uri, ...bodyOf(value, mimeType) }] } };
  };
}

/** Text, bytes, or anything else as JSON. */
function bodyOf(value: unknown, mimeType: string | undefined): Omit<ResourceContents, 'uri'> {
  if (typeof value === 'string') return { mimeType: mimeType ?? 'text/plain', text: value };
  const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
  if (ArrayBuffer.isView(bytes)) {
    return { mimeType: mimeType ?? 'application/octet-stream', blob: toBase64(bytes) };
  }
  // `application/geo+json` says more than `application/json`; `text/html` would be wrong
  const isJson = mimeType !== undefined && /[/+]json\b/i.test(mimeType);
  return { mimeType: isJson ? mimeType : 'application/json', text: formatValue(value) };
}

function contentsOf(value: unknown): readonly PlainObject[] | undefined {
  if (isEmbedded(value)) return [value.resource];
  if (isContents(value)) return [value];
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const parts = (value as readonly unknown[]).map((item) => (isEmbedded(item) ? item.resource : item));
  return parts.every(isContents) ? parts : undefined;
}

/** What embeddedResource() made. */
function isEmbedded(value: unknown): value is { readonly resource: PlainObject } {
  return isMadeBlock(value) && value.type === 'resource';
}

/** An object that can only be contents: no other keys, and a text or a blob. */
function isContents(value: unknown): value is PlainObject {
  if (!isPlainObject(value) || !Object.keys(value).every((key) => CONTENTS_KEYS.has(key))) return false;
  const { uri, mimeType, text, blob, _meta: meta } = value;
  const hasBlob = typeof blob === 'string' || ArrayBuffer.isView(blob);
  return (
    [uri, mimeType].every((member) => member === undefined || typeof member === 'string') &&
    (meta === undefined || isPlainObject(meta)) &&
    (typeof text === 'string' ? blob === undefined : text === undefined && hasBlob)
  );
}

function isReadResult(value: unknown): value is { readonly contents: readonly PlainObject[] } {
  if (!isPlainObject(value) || !Array.isArray(value['contents'])) return false;
  const isExact = Object.keys(value).every((key) => key === 'contents' || key === '_meta');
  return isExact && value['contents'].every(isContents);
}

function settle(
  result: PlainObject,
  parts: readonly PlainObject[],
  uri: string,
): CheckOutcome<ReadResourceResult> {
  const broken = parts.findIndex(({ blob }) => typeof blob === 'string' && !isBase64(blob));
  if (broken >= 0) return refused(`contents.${String(broken)}.blob`, parts[broken]?.['blob']);
  const contents = parts.map((part) => ({ uri, ...part, ...encoded(part) }));
  return { ok: true, value: plainData({ ...result, contents }) as ReadResourceResult };
}

function encoded({ blob }: PlainObject): { readonly blob?: string } {
  return ArrayBuffer.isView(blob) ? { blob: toBase64(blob) } : {};
}

function refused(path: string, value: unknown): CheckOutcome<never> {
  const message = path === '' ? ACCEPTED : 'is not base64';
  return { ok: false, issues: [{ path, message, received: describeReceived(value) }] };
}
