import { describe, expect, test } from '@jest/globals';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { findHeaderMismatch } from '../../../../src/engine/revisions/2026-07-28/request-faults.ts';
import { headerParametersOf } from '../../../../src/schema/header-parameters.ts';
import { headers2026, message2026 } from '../../../support/client-of-2026.ts';
import { JSON_HEADERS } from '../../../support/raw-http.ts';
import { tries } from '../../../support/thorough.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    nested: { type: 'object', properties: { isDry: { type: 'boolean', 'x-mcp-header': 'Is-Dry' } } },
  },
} as const;
const { parameters } = headerParametersOf(SCHEMA);

/** The SDK's own server, whose high-level class makes the same check. */
const reference = createMcpHandler(() => {
  const server = new McpServer({ name: 'reference', version: '1' });
  const inputSchema = fromJsonSchema({ ...SCHEMA, properties: { ...SCHEMA.properties } });
  server.registerTool('call', { inputSchema }, () => ({ content: [] }));
  return server;
});

async function isRefusedByReference(args: object, headers: Headers): Promise<boolean> {
  const all = new Headers({ ...JSON_HEADERS, ...headers2026('tools/call', 'call') });
  for (const [name, value] of headers) all.set(name, value);
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: all,
    body: JSON.stringify(message2026('tools/call', { name: 'call', arguments: args })),
  });
  const { error } = (await (await reference.fetch(request)).json()) as { error?: { code: number } };
  return error?.code === -32020;
}

const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;
const ascii = fc.string({ unit: fc.constantFrom('a', 'B', '1', '.', '=', '?', '-'), maxLength: 6 });
const region = fc.oneof(ascii, fc.constantFrom('ä', 'a b', '=?base64?YQ==?=', 'eu'));
const header = fc.oneof(
  ascii,
  region.map(base64),
  fc.constantFrom(
    'eu',
    '42',
    '42.0',
    '042',
    '1e2',
    'true',
    'TRUE',
    '=?base64?!!?=',
    '=?base64?/w==?=',
    '=?base64?=',
    'null',
  ),
);
const count = fc.constantFrom(42, 0, -1, 100, 1.5, 2 ** 60, '42');
const sometimes = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constantFrom(null, undefined) });

describe('the headers of a call', () => {
  test('are refused where the SDK refuses them', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({ region: sometimes(region), count: sometimes(count), isDry: sometimes(fc.boolean()) }),
        fc.record({ region: sometimes(header), count: sometimes(header), isDry: sometimes(header) }),
        fc.boolean(),
        async ({ region: given, count: number, isDry }, sent, isHonest) => {
          const args = { region: given, count: number, nested: { isDry } };
          const headers = new Headers();
          const honest = { region: base64(String(given)), count: String(number), isDry: String(isDry) };
          const { region: first, count: second, isDry: third } = isHonest ? { ...honest } : sent;
          if (typeof first === 'string') headers.set('Mcp-Param-Region', first);
          if (typeof second === 'string') headers.set('mcp-param-count', second);
          if (typeof third === 'string') headers.set('Mcp-Param-Is-Dry', third);
          const isRefused = findHeaderMismatch(parameters, args, headers) !== undefined;
          if (isRefused) refused += 1;
          expect(isRefused).toBe(await isRefusedByReference(args, headers));
        },
      ),
      { numRuns: tries(50, 300) },
    );
    expect(refused).toBeGreaterThan(tries(2, 20));
  });

  test('may hold a byte order mark', () => {
    const headers = new Headers({ 'Mcp-Param-Region': base64('\uFEFFeu') });
    expect(findHeaderMismatch(parameters, { region: '\uFEFFeu' }, headers)).toBeUndefined();
  });

  test('are named in the reason, with the argument', () => {
    expect(findHeaderMismatch(parameters, { nested: { isDry: true } }, new Headers())).toEqual({
      header: 'Mcp-Param-Is-Dry',
      reason: 'nested.isDry is given, but not in the header Mcp-Param-Is-Dry',
    });
  });

  test('are not looked for on prototypes', () => {
    const { parameters: inherited } = headerParametersOf({
      type: 'object',
      properties: { toString: { type: 'string', 'x-mcp-header': 'Text' } },
    });
    expect(findHeaderMismatch(inherited, {}, new Headers())).toBeUndefined();
  });
});
