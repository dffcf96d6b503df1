import { afterEach, describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { CallExchange } from '../../src/call/call-exchange.ts';
import { ToolwrightError } from '../../src/errors/toolwright-error.ts';
import type { HttpOptions } from '../../src/server/http/http-options.ts';
import { serveHttp } from '../../src/server/http/serve-http.ts';
import type { HttpServing } from '../../src/server/serving.ts';
import { echo, fakeSurface, latch, type FakeTool } from '../fixtures/fake-surface.ts';
import { INITIALIZE, initialize, message, send, type RawRequest } from '../fixtures/raw-http.ts';

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(
  options: Partial<HttpOptions> = {},
  tools: Readonly<Record<string, FakeTool>> = { echo },
): Promise<HttpServing> {
  const serving = await serveHttp(fakeSurface(tools), { port: 0, ...options });
  cleanups.push(() => serving.close());
  return serving;
}

async function clientOf(url: string, headers: Record<string, string> = {}) {
  const client = new Client({ name: 'tester', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  cleanups.push(() => client.close());
  return { client, transport };
}

async function expectServing({ url }: HttpServing): Promise<void> {
  const { client } = await clientOf(url);
  expect(await client.callTool({ name: 'echo', arguments: { fine: true } })).toMatchObject({
    content: [{ text: '{"fine":true}' }],
  });
}

const modes: [string, Partial<HttpOptions>][] = [
  ['with sessions', {}],
  ['without sessions', { sessions: false }],
  ['with sessions and plain JSON', { json: true }],
  ['without sessions and with plain JSON', { sessions: false, json: true }],
];

describe.each(modes)('a client %s', (_name, options) => {
  test('lists and calls tools', async () => {
    const { url } = await serve(options);
    const { client } = await clientOf(url);
    expect(client.getServerVersion()).toEqual({ name: 'fake', version: '1.2.3', title: 'Fake' });
    expect(client.getInstructions()).toBe('Try it.');
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true }, logging: {} });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
    expect(await client.callTool({ name: 'echo', arguments: { a: 'ä€😀' } })).toMatchObject({
      content: [{ text: '{"a":"ä€😀"}' }],
    });
  });

  test('runs calls beside each other and gets each its own answer', async () => {
    const { url } = await serve(options);
    const { client } = await clientOf(url);
    const calls = Array.from({ length: 20 }, (_, n) => client.callTool({ name: 'echo', arguments: { n } }));
    const results = await Promise.all(calls);
    expect(results.map(({ content }) => (content as { text: string }[])[0]?.text)).toEqual(
      Array.from({ length: 20 }, (_, n) => `{"n":${String(n)}}`),
    );
  });
});

describe.each(modes.slice(0, 2))('the stream of a call %s', (_name, options) => {
  test('carries its progress and log messages', async () => {
    const { url } = await serve(options, {
      work: async (_args, exchange) => {
        const { progressToken } = exchange.meta;
        await exchange.log('info', 'begun', undefined);
        await exchange.notify('notifications/progress', { progressToken, progress: 1 });
        return 'done';
      },
    });
    const { client } = await clientOf(url);
    const logs: unknown[] = [];
    client.setNotificationHandler(
      LoggingMessageNotificationSchema,
      ({ params }) => void logs.push(params.data),
    );
    const reports: unknown[] = [];
    await client.callTool({ name: 'work' }, undefined, { onprogress: (report) => reports.push(report) });
    expect([logs, reports]).toEqual([['begun'], [{ progress: 1 }]]);
  });
});

describe('bad input', () => {
  const cases: [string, RawRequest, number, number, RegExp][] = [
    ['malformed JSON', { body: '{"jsonrpc":' }, 400, -32700, /Parse error: .*JSON/],
    ['an empty body', { body: '' }, 400, -32700, /Parse error/],
    ['invalid UTF-8', { body: Uint8Array.of(0x22, 0xff, 0x22) }, 400, -32700, /UTF-8/],
    ['JSON that is no message', { body: '42' }, 400, -32600, /must be an object/],
    ['another JSON-RPC version', { body: '{"id":1,"method":"ping"}' }, 400, -32600, /jsonrpc must be "2.0"/],
    ['an id that is no id', { body: '{"jsonrpc":"2.0","id":{},"method":"ping"}' }, 400, -32600, /id must be/],
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
      const serving = await serve({ bodyLimit: 2000 });
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

describe('authentication', () => {
  const authenticate: HttpOptions['authenticate'] = ({ headers }) => {
    const [, token = ''] = /^Bearer (.+)$/.exec(headers['authorization'] ?? '') ?? [];
    if (token === 'broken') throw new Error('secret database down');
    if (token === 'old') return { token, clientId: 'old', scopes: [], expiresAt: 1 };
    return token === '' ? undefined : { token, clientId: token, scopes: ['read'] };
  };
  const as = (token: string) => ({ authorization: `Bearer ${token}` });

  test('refuses who is unknown or late, and says how to come back', async () => {
    const { url } = await serve({ authenticate });
    const nobody = await send(url, { body: INITIALIZE });
    expect([nobody.status, nobody.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    const late = await send(url, { body: INITIALIZE, headers: as('old') });
    expect([late.status, late.headers['www-authenticate']]).toEqual([
      401,
      'Bearer error="invalid_token", error_description="The token has expired"',
    ]);
  });

  test('keeps its own failure to itself', async () => {
    const { url } = await serve({ authenticate });
    const response = await send(url, { body: INITIALIZE, headers: as('broken') });
    expect(response.status).toBe(500);
    expect(response.body).not.toContain('secret');
    expect((await send(url, { body: INITIALIZE, headers: as('ann') })).status).toBe(200);
  });

  test.each(modes)('hands over who calls %s', async (_name, options) => {
    const tools = { who: (_args: unknown, exchange: CallExchange) => exchange.authInfo?.clientId };
    const { url } = await serve({ ...options, authenticate }, tools);
    const { client } = await clientOf(url, as('ann'));
    expect(await client.callTool({ name: 'who' })).toMatchObject({ content: [{ text: 'ann' }] });
  });

  test('does not know the session of another client', async () => {
    const { url } = await serve({ authenticate });
    const session = { 'mcp-session-id': await initialize(url, as('ann')) };
    const list = { body: message('tools/list') };
    expect((await send(url, { ...list, headers: { ...session, ...as('bob') } })).status).toBe(404);
    expect((await send(url, { ...list, headers: { ...session, ...as('ann') } })).status).toBe(200);
  });
});

describe('sessions', () => {
  test('end by DELETE', async () => {
    const { url } = await serve();
    const headers = { 'mcp-session-id': await initialize(url) };
    expect((await send(url, { method: 'DELETE', headers })).status).toBe(200);
    expect((await send(url, { body: message('tools/list'), headers })).status).toBe(404);
    await initialize(url);
  });

  test('are limited, and the refusal names the limit', async () => {
    const { url } = await serve({ sessions: { maximum: 2 } });
    const leave = new AbortController();
    for (let n = 0; n < 2; n += 1) {
      const headers = { 'mcp-session-id': await initialize(url), accept: 'text/event-stream' };
      expect((await fetch(url, { headers, signal: leave.signal })).status).toBe(200);
    }
    const refused = await send(url, { body: INITIALIZE });
    expect([refused.status, refused.error?.message]).toEqual([503, expect.stringContaining('2 sessions')]);
    leave.abort();
  });

  test('that nobody uses make room for new ones', async () => {
    const { url } = await serve({ sessions: { maximum: 2 } });
    const { client } = await clientOf(url);
    for (let n = 0; n < 5; n += 1) await initialize(url);
    expect((await client.listTools()).tools).toHaveLength(1);
  });

  test('cost nothing when initialize is refused', async () => {
    const { url } = await serve({ sessions: { maximum: 1 } });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await send(url, { body: INITIALIZE, headers: { accept: '*/*' } })).status).toBe(406);
    }
    await initialize(url);
  });

  test('keep a call running whose client went away', async () => {
    const started = latch<CallExchange>();
    const finish = latch();
    const ended = latch<boolean>();
    const { url } = await serve(
      {},
      {
        wait: async (_args, exchange) => {
          started.open(exchange);
          await finish.promise;
          ended.open(exchange.signal.aborted);
          return 'done';
        },
        echo,
      },
    );
    const headers = { 'mcp-session-id': await initialize(url) };
    const leave = new AbortController();
    const call = fetch(url, {
      method: 'POST',
      body: message('tools/call', { name: 'wait' }),
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      signal: leave.signal,
    });
    await started.promise;
    await call;
    leave.abort();
    expect((await send(url, { body: message('tools/list', {}, 2), headers })).status).toBe(200);
    finish.open();
    expect(await ended.promise).toBe(false);
    expect((await send(url, { body: message('tools/list', {}, 3), headers })).status).toBe(200);
  });

  test('stop a call that the client cancels', async () => {
    const started = latch();
    const aborted = latch();
    const { url } = await serve(
      {},
      {
        wait: (_args, { signal }) => {
          signal.addEventListener('abort', () => {
            aborted.open();
          });
          started.open();
          return aborted.promise;
        },
      },
    );
    const { client } = await clientOf(url);
    const cancel = new AbortController();
    const call = client.callTool({ name: 'wait' }, undefined, { signal: cancel.signal });
    await started.promise;
    cancel.abort();
    await expect(call).rejects.toThrow();
    await aborted.promise;
  });

  test.each([
    ['a stream', false],
    ['plain JSON', true],
  ])('leave no call without a response when they end, with %s', async (_name, json) => {
    const started = latch();
    const aborted = latch();
    const { url } = await serve(
      { json },
      {
        wait: (_args, { signal }) => {
          signal.addEventListener('abort', () => {
            aborted.open();
          });
          started.open();
          return aborted.promise;
        },
      },
    );
    const headers = { 'mcp-session-id': await initialize(url) };
    const call = send(url, { body: message('tools/call', { name: 'wait' }), headers });
    await started.promise;
    expect((await send(url, { method: 'DELETE', headers })).status).toBe(200);
    await aborted.promise;
    expect((await call).status).toBe(json ? 404 : 200);
  });

  test('are told that the list changed', async () => {
    const serving = await serve();
    const headers = { 'mcp-session-id': await initialize(serving.url), accept: 'text/event-stream' };
    const { body } = await fetch(serving.url, { headers });
    serving.notify({ kind: 'tools' });
    const chunk = await body?.getReader().read();
    expect(new TextDecoder().decode(chunk?.value)).toContain('notifications/tools/list_changed');
  });

  test('have one standalone stream each', async () => {
    const { url } = await serve();
    const headers = { 'mcp-session-id': await initialize(url), accept: 'text/event-stream' };
    const leave = new AbortController();
    const first = await fetch(url, { headers, signal: leave.signal });
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect((await send(url, { method: 'GET', headers })).status).toBe(409);
    leave.abort();
  });
});

describe('without sessions', () => {
  test('only POST is known', async () => {
    const { url } = await serve({ sessions: false });
    for (const method of ['GET', 'DELETE']) {
      const response = await send(url, { method });
      expect([response.status, response.headers['allow']]).toEqual([405, 'POST']);
    }
  });

  test('a tool can be called without initialize', async () => {
    const { url } = await serve({ sessions: false, json: true });
    const response = await send(url, { body: message('tools/call', { name: 'echo' }) });
    expect(JSON.parse(response.body)).toMatchObject({ result: { content: [{ text: '{}' }] } });
    expect(response.headers['mcp-session-id']).toBeUndefined();
  });

  test.each([
    ['a stream', false],
    ['plain JSON', true],
  ])('a client that goes away aborts its call, with %s', async (_name, json) => {
    const started = latch();
    const aborted = latch();
    const serving = await serve(
      { sessions: false, json },
      {
        wait: (_args, { signal }) => {
          signal.addEventListener('abort', () => {
            aborted.open();
          });
          started.open();
          return aborted.promise;
        },
        echo,
      },
    );
    const leave = new AbortController();
    const call = fetch(serving.url, {
      method: 'POST',
      body: message('tools/call', { name: 'wait' }),
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      signal: leave.signal,
    }).catch(() => 'gone');
    await started.promise;
    leave.abort();
    await aborted.promise;
    await call;
    await serving.stop();
  });
});

describe('ending', () => {
  test.each(modes)('stop() answers what runs and refuses what is new, %s', async (_name, options) => {
    const started = latch();
    const finish = latch();
    const serving = await serve(options, {
      wait: async () => {
        started.open();
        await finish.promise;
        return 'done';
      },
    });
    const { client } = await clientOf(serving.url);
    const call = client.callTool({ name: 'wait' });
    await started.promise;
    let isStopped = false;
    const stopped = serving.stop().then(() => (isStopped = true));
    const refused = await send(serving.url, { body: INITIALIZE });
    expect([refused.status, refused.error?.message]).toEqual([503, 'The server is shutting down']);
    expect(isStopped).toBe(false);
    finish.open();
    expect(await call).toMatchObject({ content: [{ text: 'done' }] });
    await stopped;
    await serving.close();
    await serving.closed;
    await expect(send(serving.url, { body: INITIALIZE })).rejects.toThrow();
  });

  test.each(modes)('close() aborts what runs, %s', async (_name, options) => {
    const started = latch();
    const aborted = latch();
    const serving = await serve(options, {
      wait: (_args, { signal }) => {
        signal.addEventListener('abort', () => {
          aborted.open();
        });
        started.open();
        return aborted.promise;
      },
    });
    const { client } = await clientOf(serving.url);
    const call = client.callTool({ name: 'wait' }).catch(() => 'ended');
    await started.promise;
    await Promise.all([serving.close(), serving.close(), aborted.promise]);
    await client.close();
    expect(await call).toBe('ended');
  });
});

describe('listening', () => {
  test('refuses a port that is taken and says what to do', async () => {
    const { port } = await serve();
    const failure: unknown = await serve({ port }).catch((error: unknown) => error);
    if (!ToolwrightError.is(failure)) throw failure;
    expect([failure.code, failure.message]).toEqual([
      'TW_SERVER_LISTEN',
      expect.stringContaining('EADDRINUSE'),
    ]);
    expect(failure.fix).toContain('port 0');
  });

  test.each([
    [{ host: '192.0.2.1' }, 'TW_SERVER_LISTEN'],
    [{ path: 'mcp' }, 'TW_SERVER_OPTION'],
    [{ bodyLimit: 0 }, 'TW_SERVER_OPTION'],
    [{ sessions: { maximum: NaN } }, 'TW_SERVER_OPTION'],
  ] as [Partial<HttpOptions>, string][])('refuses %j', async (options, code) => {
    await expect(serve(options)).rejects.toMatchObject({ code });
  });

  test('tells a URL that works for every way of binding', async () => {
    const { url, port } = await serve({ path: '/api/tools', host: '0.0.0.0' });
    expect(url).toBe(`http://127.0.0.1:${String(port)}/api/tools`);
    await initialize(url);
  });
});
