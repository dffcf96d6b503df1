import { describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import type { HttpOptions } from '../../../../src/transports/http/http-options.ts';

import { INITIALIZE, initialize, message, send, type RawRequest } from '../../../support/raw-http.ts';
import { clientOf, expectServing, serve } from '../../../support/http-server.ts';

describe('bad input', () => {
  const cases: [string, RawRequest, number, number, RegExp][] = [
    ['malformed JSON', { body: '{"jsonrpc":' }, 400, -32700, /Parse error: .*JSON/],
    ['an empty body', { body: '' }, 400, -32700, /Parse error/],
    ['invalid UTF-8', { body: Uint8Array.of(0x22, 0xff, 0x22) }, 400, -32700, /UTF-8/],
    ['JSON that is not a message', { body: '42' }, 400, -32600, /must be an object/],
    ['another JSON-RPC version', { body: '{"id":1,"method":"ping"}' }, 400, -32600, /jsonrpc must be "2.0"/],
    [
      'an id that is not an id',
      { body: '{"jsonrpc":"2.0","id":{},"method":"ping"}' },
      400,
      -32600,
      /id must be/,
    ],
    ['an unknown member', { body: '{"jsonrpc":"2.0","id":1,"method":"ping","x":1}' }, 400, -32600, /"x"/],
    ['params that are no object', { body: message('tools/list', [1]) }, 400, -32600, /params/],
    ['an empty batch', { body: '[]' }, 400, -32600, /batch is empty/],
    ['an incomplete initialize', { body: message('initialize', {}) }, 400, -32602, /protocolVersion/],
    ['a body over the limit', { body: `"${'x'.repeat(3000)}"` }, 413, -32600, /larger than 2000 bytes/],
    ['nothing but open brackets', { body: '['.repeat(1900) }, 400, -32600, /nested deeper/],
    [
      'a wrong content type',
      { body: '{}', headers: { 'content-type': 'text/plain' } },
      415,
      -32000,
      /application\/json/,
    ],
    ['a wrong Accept', { body: INITIALIZE, headers: { accept: 'text/html' } }, 406, -32000, /accept/],
    ['an unknown path', { body: INITIALIZE, path: '/other' }, 404, -32000, /\/mcp/],
    ['an unknown method', { method: 'PUT', body: '{}' }, 405, -32000, /GET, POST, DELETE/],
    ['no session', { body: message('tools/list') }, 400, -32000, /initialize first/],
    [
      'an unknown session',
      { body: message('tools/list'), headers: { 'mcp-session-id': 'x' } },
      404,
      -32001,
      /not found/,
    ],
    ['a GET without a session', { method: 'GET' }, 400, -32000, /Mcp-Session-Id/],
    [
      'a foreign Host',
      { body: INITIALIZE, headers: { host: 'evil.example' } },
      403,
      -32000,
      /Host "evil.example"/,
    ],
    [
      'a Host that only begins like ours',
      { body: INITIALIZE, headers: { host: 'localhost.evil.example' } },
      403,
      -32000,
      /Host/,
    ],
    [
      'a foreign Origin',
      { body: INITIALIZE, headers: { origin: 'https://evil.example' } },
      403,
      -32000,
      /Origin/,
    ],
    ['an opaque Origin', { body: INITIALIZE, headers: { origin: 'null' } }, 403, -32000, /Origin/],
  ];

  test.each(cases)(
    '%s is refused clearly, and serving goes on',
    async (_name, request, status, code, text) => {
      const serving = await serve({ maxBodyBytes: 2000 });
      const response = await send(serving.url, request);
      expect(response.status).toBe(status);
      expect(response.error).toEqual({ code, message: expect.stringMatching(text) });
      await expectServing(serving);
    },
  );

  test('a body that is far over the limit is refused by its length and in pieces', async () => {
    const serving = await serve();
    const body = new Uint8Array(5 * 1024 * 1024).fill(0x20);
    expect((await send(serving.url, { body })).status).toBe(413);
    const chunked = await send(serving.url, { body, headers: { 'transfer-encoding': 'chunked' } });
    expect(chunked.status).toBe(413);
    const fetched = await fetch(serving.url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(fetched.status).toBe(413);
    await expectServing(serving);
  });

  test('nesting is data up to 64 levels and an error at 100,000', async () => {
    const serving = await serve();
    const { client } = await clientOf(serving.url);
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const nested: unknown = JSON.parse(deep(64));
    const result = await client.callTool({ name: 'echo', arguments: { nested } });
    expect(result).toMatchObject({ content: [{ text: `{"nested":${deep(64)}}` }] });
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"n":${deep(100_000)}}}}`;
    expect((await send(serving.url, { body })).error?.message).toMatch(/nested deeper than \d+ levels/);
    await expectServing(serving);
  });

  test('brackets within strings are not nesting', async () => {
    const { url } = await serve();
    const { client } = await clientOf(url);
    const text = `\\"${'[{'.repeat(5000)}"\\`;
    expect(await client.callTool({ name: 'echo', arguments: { text } })).toMatchObject({
      content: [{ text: JSON.stringify({ text }) }],
    });
  });

  test('a request that breaks off does no harm', async () => {
    const serving = await serve();
    const socket = connect(serving.port, '127.0.0.1');
    await new Promise<void>((resolve) => {
      socket.write(
        'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"js',
        () => {
          resolve();
        },
      );
    });
    socket.destroy();
    await expectServing(serving);
  });

  test('a request line or header that HTTP does not know is answered by 400', async () => {
    const serving = await serve();
    const socket = connect(serving.port, '127.0.0.1');
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
    socket.write('NONSENSE\r\n\r\n');
    expect(await answer).toMatch(/^HTTP\/1.1 400/);
    expect((await send(serving.url, { body: INITIALIZE, headers: { host: 'a b' } })).status).toBe(400);
    await expectServing(serving);
  });

  test('a batch of the oldest protocol versions is answered as one', async () => {
    const { url } = await serve({ json: true });
    const session = await initialize(url);
    const body = `[${message('tools/list', {}, 'a')},${message('ping', undefined, 'b')}]`;
    const response = await send(url, { body, headers: { 'mcp-session-id': session } });
    expect((JSON.parse(response.body) as { id: string }[]).map(({ id }) => id)).toEqual(['a', 'b']);
  });
});

describe('Host and Origin', () => {
  test.each([
    ['a loopback name with any port', {}, { host: 'localhost:1' }, 200],
    ['an IPv6 loopback', {}, { host: '[::1]:99' }, 200],
    ['a loopback Origin', {}, { origin: 'http://localhost:5173' }, 200],
    [
      'an allowed Origin',
      { allowedOrigins: ['https://app.example/'] },
      { origin: 'https://app.example' },
      200,
    ],
    ['an allowed Host', { allowedHosts: ['mcp.example'] }, { host: 'MCP.example:8443' }, 200],
    ['an allowed Host with its port', { allowedHosts: ['mcp.example:1'] }, { host: 'mcp.example:1' }, 200],
    [
      'an allowed Host with another port',
      { allowedHosts: ['mcp.example:1'] },
      { host: 'mcp.example:2' },
      403,
    ],
    ['loopback when other Hosts are listed', { allowedHosts: ['mcp.example'] }, {}, 403],
    ['any Host when all interfaces are served', { host: '0.0.0.0' }, { host: 'anything.example' }, 200],
  ] as [string, Partial<HttpOptions>, Record<string, string>, number][])(
    'for %s',
    async (_name, options, headers, status) => {
      const { url } = await serve(options);
      expect((await send(url, { body: INITIALIZE, headers })).status).toBe(status);
    },
  );
});
