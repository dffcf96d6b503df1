import { describe, expect, test } from '@jest/globals';
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { eraOfBody, eraOfMessage } from '../../src/engine/request.ts';
import { isProtocolMessage } from '../../src/engine/json-rpc/message.ts';
import { tries } from '../support/thorough.ts';

const PREFIX = 'io.modelcontextprotocol/';
// Of what is not a date and comes later than the dates, the SDK says that it belongs to 2026-07-28; here it is not.
const REVISIONS = ['2026-07-28', '2027-01-01', '2025-11-25', '2024-11-05', '2025-draft', ''];

/** A member that is there or not, and in its form or not. */
const member = (name: string, values: readonly unknown[]): fc.Arbitrary<Record<string, unknown>> =>
  fc.oneof(
    fc.constant({}),
    fc.constantFrom(...values).map((value) => ({ [name]: value })),
  );

const envelope = fc
  .tuple(
    member(`${PREFIX}protocolVersion`, [...REVISIONS, 7, null]),
    member(`${PREFIX}clientCapabilities`, [
      {},
      { sampling: {} },
      { elicitation: {} },
      { roots: 'all' },
      'all',
      null,
    ]),
    member(`${PREFIX}clientInfo`, [{ name: 'a', version: '1' }, { name: 'a' }, 'me']),
    member(`${PREFIX}logLevel`, ['info', 'loud']),
    member('progressToken', ['a', 1]),
  )
  .map((members): unknown => Object.assign({}, ...members));

const params = fc.oneof(
  fc.constant({}),
  envelope.map((_meta) => ({ params: { _meta } })),
  envelope.map((_meta) => ({ params: { _meta, protocolVersion: '2025-11-25' } })),
  fc.constant({ params: {} }),
);
const method = fc.constantFrom('initialize', 'tools/call', 'server/discover', 'notifications/cancelled');
const request = fc
  .tuple(fc.constantFrom(1, 'a'), method, params)
  .map(([id, name, rest]) => ({ jsonrpc: '2.0', id, method: name, ...rest }));
const notification = fc
  .tuple(method, params)
  .map(([name, rest]) => ({ jsonrpc: '2.0', method: name, ...rest }));
const answer = fc.constantFrom(
  { jsonrpc: '2.0', id: 1, result: {} },
  { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } },
);
const message = fc.oneof(request, notification, answer);
const body = fc.oneof(
  { weight: 4, arbitrary: message },
  { weight: 1, arbitrary: fc.array(message, { minLength: 1, maxLength: 3 }) },
);

describe('the era of a request', () => {
  test('is the one that the SDK would find', () => {
    fc.assert(
      fc.property(body, fc.option(fc.constantFrom(...REVISIONS), { nil: undefined }), (given, revision) => {
        const messages = Array.isArray(given) ? given : [given];
        // Anything else is refused before.
        fc.pre(messages.every(isProtocolMessage));
        const headers = new Headers(revision === undefined ? {} : { 'mcp-protocol-version': revision });
        const { kind } = classifyInboundRequest({
          httpMethod: 'POST',
          body: given,
          ...(revision === undefined ? {} : { protocolVersionHeader: revision }),
        });
        // What it rejects is refused in the terms of 2026-07-28.
        expect(eraOfBody(given, headers)).toBe(kind === 'legacy' ? '2025' : '2026');
      }),
      { numRuns: tries(500, 5000) },
    );
  });

  test('knows its header in any spelling', () => {
    const headers = new Headers({ 'MCP-Protocol-Version': ' 2026-07-28 ' });
    expect(eraOfBody({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers)).toBe('2026');
  });
});

test('the era of a message without headers depends on what it says of itself only', () => {
  const claim = { _meta: { [`${PREFIX}protocolVersion`]: '2026-07-28' } };
  expect(eraOfMessage({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).toBe('2025');
  expect(eraOfMessage({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: claim })).toBe('2026');
  expect(eraOfMessage({ jsonrpc: '2.0', id: 1, method: 'initialize', params: claim })).toBe('2025');
  expect(eraOfMessage({ jsonrpc: '2.0', id: 1, result: claim })).toBe('2025');
});
