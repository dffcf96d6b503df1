import { envelopeOf, headerValue, parameterHeaders } from '../../../../client/era-2026.ts';
import type { JsonObject } from '../../../contract.ts';

/** A call as it is copied: its arguments are masked already. */
export interface CopiedCall {
  readonly tool: string;
  readonly args: JsonObject;
  /** Of the tool: some arguments are repeated as headers. */
  readonly schema: JsonObject;
  /** Where other clients reach the application. */
  readonly endpoint: string;
  readonly era: '2025' | '2026';
}

const REVISION = '2026-07-28';

/** A line for a shell. */
export function commandOf({ tool, args, endpoint, era }: CopiedCall): string {
  return `toolwright call ${quoted(endpoint)} ${quoted(tool)} --era ${era} --input ${quoted(JSON.stringify(args))}`;
}

/** In 2026-07-28, where a request needs no session. */
export function curlOf({ tool, args, schema, endpoint }: CopiedCall): string {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': 'tools/call',
    'mcp-name': headerValue(tool),
    ...parameterHeaders(schema, args),
  };
  const meta = envelopeOf({ info: { name: 'curl', version: '0.0.0' }, capabilities: {} });
  const params = { name: tool, arguments: args, _meta: meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const given = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return ['curl', quoted(endpoint), ...given, '--data', quoted(body)].join(' ');
}

/** For `createTestApplication()`, as `app`. */
export function testOf({ tool, args }: CopiedCall): string {
  return `test(${JSON.stringify(`answers ${tool}`)}, async () => {
  const result = await app.call(${JSON.stringify(tool)}, ${JSON.stringify(args)});
  expect(result.isError).not.toBe(true);
});`;
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
