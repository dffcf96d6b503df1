import { parameterText, valueAt } from '../engine/revisions/2026-07-28/param-headers.ts';
import { headerParametersOf } from '../shared/header-parameters.ts';
import type { JsonSchema } from '../shared/json-schema.ts';

const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const SENTINEL = /^=\?base64\?.*\?=$/;

/** The arguments that a call over HTTP repeats as headers (spec 2026-07-28: server/tools, x-mcp-header). */
export function parameterHeaders(schema: JsonSchema, args: unknown): Readonly<Record<string, string>> {
  const headers = headerParametersOf(schema).parameters.flatMap(({ header, path }) => {
    const text = parameterText(valueAt(args, path));
    return text === undefined ? [] : [[`mcp-param-${header.toLowerCase()}`, headerValue(text)] as const];
  });
  return Object.fromEntries(headers);
}

/** A text as a header can carry it (basic/transports, Value Encoding). */
export function headerValue(text: string): string {
  if (PLAIN.test(text) && !SENTINEL.test(text)) return text;
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
