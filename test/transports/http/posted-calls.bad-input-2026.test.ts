import { describe, expect, test } from '@jest/globals';
import { fakeResources, fullService } from '../../support/fake-service.ts';
import { fakeApplication } from '../../support/fake-application.ts';
import { envelope, headers2026, message2026, REVISION_2026, post2026 } from '../../support/client-of-2026.ts';
import { send, type RawResponse } from '../../support/raw-http.ts';
import { serve } from '../../support/http-server.ts';

const VERSION = 'io.modelcontextprotocol/protocolVersion';

async function post(
  body: unknown,
  headers: Readonly<Record<string, string>> = headers2026('tools/list'),
): Promise<RawResponse> {
  const { url } = await serve();
  return send(url, { headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
}

const withMeta = (_meta: unknown): object => message2026('tools/list', { _meta });

describe('a request of 2026-07-28 is refused with 400', () => {
  test.each<[string, number, unknown, Readonly<Record<string, string>>?]>([
    [
      'in a revision that does not exist',
      -32022,
      withMeta({ ...envelope(), [VERSION]: '2099-01-01' }),
      { ...headers2026('tools/list'), 'mcp-protocol-version': '2099-01-01' },
    ],
    ['in a revision of the other era', -32022, withMeta({ ...envelope(), [VERSION]: '2025-11-25' }), {}],
    ['whose revision is not a text', -32602, withMeta({ ...envelope(), [VERSION]: 20260728 })],
    ['without the capabilities of its client', -32602, withMeta({ [VERSION]: REVISION_2026 })],
    ['whose capabilities are no object', -32602, withMeta(envelope('all' as never))],
    [
      'whose log level does not exist',
      -32602,
      withMeta(envelope({}, { 'io.modelcontextprotocol/logLevel': 'loud' })),
    ],
    [
      'that its header announces, but has no envelope',
      -32602,
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    ],
    [
      'whose header names another revision',
      -32020,
      message2026('tools/list'),
      { ...headers2026('tools/list'), 'mcp-protocol-version': '2025-11-25' },
    ],
    ['whose header names another method', -32020, message2026('tools/list'), headers2026('tools/call')],
    ['without the header of its revision', -32020, message2026('tools/list'), { 'mcp-method': 'tools/list' }],
    [
      'without the header of its method',
      -32020,
      message2026('tools/list'),
      { 'mcp-protocol-version': REVISION_2026 },
    ],
    [
      'without the header of its target',
      -32020,
      message2026('tools/call', { name: 'echo' }),
      headers2026('tools/call'),
    ],
    [
      'whose header names another target',
      -32020,
      message2026('tools/call', { name: 'echo' }),
      headers2026('tools/call', 'other'),
    ],
    [
      'whose header is wrong Base64',
      -32020,
      message2026('tools/call', { name: 'echo' }),
      headers2026('tools/call', '=?base64?!?='),
    ],
    ['that initializes by its header', -32020, { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }],
  ])('%s', async (...[, code, body, headers]) => {
    const response = await post(body, headers);
    expect([response.status, response.error?.code]).toEqual([400, code]);
    expect(JSON.parse(response.body)).toMatchObject({ jsonrpc: '2.0', id: 1 });
  });

  test('in a batch', async () => {
    const batch = [message2026('tools/list'), { jsonrpc: '2.0', id: 2, method: 'ping' }];
    const { status, error } = await post(batch);
    expect([status, error?.code]).toEqual([400, -32600]);
  });

  test('that names the revisions which are served', async () => {
    const { body } = await post(withMeta({ ...envelope(), [VERSION]: '2099-01-01' }), {});
    expect(JSON.parse(body)).toMatchObject({
      error: { data: { supported: ['2026-07-28'], requested: '2099-01-01' } },
    });
  });
});

describe('a request of 2026-07-28', () => {
  test.each(['ping', 'initialize', 'logging/setLevel', 'resources/subscribe', 'tasks/list', 'constructor'])(
    'for %s finds no such method',
    async (method) => {
      const { url } = await serve({}, {}, { ...fakeApplication({}), service: fullService() });
      const { status, error } = await post2026(url, method);
      expect([status, error?.code]).toEqual([404, -32601]);
    },
  );

  test.each<[string, string, object]>([
    ['tools/call', 'without a name', {}],
    ['tools/call', 'with a name that is a number', { name: 5 }],
    ['prompts/get', 'with a name that is a number', { name: 5 }],
    ['prompts/get', 'with arguments that are numbers', { name: 'greet', arguments: { a: 1 } }],
    ['resources/read', 'without a URI', {}],
    ['completion/complete', 'without a reference', {}],
    ['tools/list', 'with a cursor that nobody gave out', { cursor: 'x' }],
    ['subscriptions/listen', 'without a filter', {}],
  ])('%s %s says what is wrong', async (method, _how, params) => {
    const { url } = await serve({}, {}, { ...fakeApplication({}), service: fullService() });
    const { error, body } = await post2026(
      url,
      method,
      params,
      method === 'prompts/get' ? { 'mcp-name': 'greet' } : {},
    );
    expect(error?.code).toBe(-32602);
    // No dump of a schema library.
    expect(body).not.toMatch(/invalid_type|\\n/);
  });

  test('that fails does not say why', async () => {
    const read = (): never => {
      throw Object.assign(new Error('secret'), { code: -32021, data: { password: 'secret' } });
    };
    const { url } = await serve(
      {},
      {},
      {
        ...fakeApplication({}),
        service: fullService({
          resources: { ...fakeResources({}), read },
        }),
      },
    );
    const { status, body } = await post2026(url, 'resources/read', { uri: 'memo:none' });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ error: { code: -32603 } });
    expect(body).not.toContain('secret');
  });

  test('may carry a session and an event id, which mean nothing', async () => {
    const { url } = await serve();
    const headers = { 'mcp-session-id': 'unknown', 'last-event-id': '7' };
    const { status, headers: answered } = await post2026(url, 'tools/list', {}, headers);
    expect([status, answered['mcp-session-id']]).toEqual([200, undefined]);
  });

  test('is answered with what every result of it has', async () => {
    const { url } = await serve();
    const { body } = await post2026(url, 'tools/list');
    expect(JSON.parse(body)).toMatchObject({
      id: 1,
      result: {
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'fake', version: '1.2.3' } },
      },
    });
  });

  test('as a notification is accepted', async () => {
    const { url } = await serve();
    const body = JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1, _meta: envelope() },
    });
    expect(await send(url, { headers: headers2026('notifications/cancelled'), body })).toMatchObject({
      status: 202,
      body: '',
    });
  });

  test.each(['GET', 'DELETE'])('cannot be a %s', async (method) => {
    const { url } = await serve({ sessions: false });
    const { status, headers } = await send(url, {
      method,
      headers: { 'mcp-protocol-version': REVISION_2026 },
    });
    expect([status, headers['allow']]).toEqual([405, 'POST']);
  });
});
