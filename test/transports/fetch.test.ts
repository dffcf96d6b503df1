import { afterEach, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { HttpHandlerOptions } from '../../src/transports/http/http-options.ts';
import { createFetchHandler, type FetchHandler } from '../../src/transports/fetch/create-fetch-handler.ts';
import { echo, fakeApplication, latch, type FakeTool } from '../support/fake-application.ts';
import { INITIALIZE, JSON_HEADERS, message } from '../support/raw-http.ts';

const URL_OF_SERVER = 'https://mcp.example/any/path';
const handlers: FetchHandler[] = [];

afterEach(async () => {
  await Promise.all(handlers.splice(0).map((handler) => handler.close()));
});

function handlerOf(options: HttpHandlerOptions = {}, tools: Readonly<Record<string, FakeTool>> = { echo }) {
  const handler = createFetchHandler(fakeApplication(tools), options);
  handlers.push(handler);
  return handler;
}

async function clientOf(handler: FetchHandler): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(URL_OF_SERVER), {
    fetch: (url, init) => handler.fetch(new Request(url, init)),
  });
  await client.connect(transport);
  return client;
}

function post(
  body: string | Uint8Array | ReadableStream,
  init: Omit<RequestInit, 'headers'> & {
    readonly duplex?: 'half';
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Request {
  return new Request(URL_OF_SERVER, {
    method: 'POST',
    body,
    ...init,
    headers: { ...JSON_HEADERS, ...init.headers },
  });
}

test.each([[{}], [{ sessions: false }], [{ json: true }], [{ sessions: false, json: true }]])(
  'serves a client with %j',
  async (options) => {
    const handler = handlerOf(options);
    const client = await clientOf(handler);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
    expect(await client.callTool({ name: 'echo', arguments: { a: 1 } })).toMatchObject({
      content: [{ text: '{"a":1}' }],
    });
    await client.close();
  },
);

test('answers bad requests and goes on serving', async () => {
  const handler = handlerOf({ maxBodyBytes: 1000, path: '/any/path', allowedHosts: ['mcp.example'] });
  const status = async (request: Request) => (await handler.fetch(request)).status;
  expect(await status(post('{'))).toBe(400);
  expect(await status(post(`"${'x'.repeat(2000)}"`))).toBe(413);
  expect(await status(post('{}', { headers: { 'content-type': 'text/plain' } }))).toBe(415);
  // A fetch runtime decodes responses, and never the body of a request
  expect(await status(post(INITIALIZE, { headers: { 'content-encoding': 'gzip' } }))).toBe(415);
  expect(await status(post(INITIALIZE, { headers: { origin: 'https://evil.example' } }))).toBe(403);
  expect(await status(new Request('https://evil.example/any/path', { method: 'POST' }))).toBe(403);
  expect(await status(new Request('https://mcp.example/other', { method: 'POST' }))).toBe(404);
  expect(await status(new Request(URL_OF_SERVER, { method: 'PATCH' }))).toBe(405);
  expect(await status(post(INITIALIZE))).toBe(200);
});

test('counts a body that is streamed', async () => {
  const handler = handlerOf({ maxBodyBytes: 1000 });
  let pulls = 0;
  const endless = new ReadableStream({
    pull: (controller) => {
      pulls += 1;
      controller.enqueue(new Uint8Array(100));
    },
  });
  expect((await handler.fetch(post(endless, { duplex: 'half' }))).status).toBe(413);
  expect(pulls).toBeLessThan(20);
});

test('answers a body that breaks off', async () => {
  const handler = handlerOf();
  const broken = new ReadableStream({
    start: (controller) => {
      controller.error(new Error('gone'));
    },
  });
  expect((await handler.fetch(post(broken, { duplex: 'half' }))).status).toBe(400);
});

test('aborts the call of a client that stops reading, where there are no sessions', async () => {
  const aborted = latch();
  const handler = handlerOf(
    { sessions: false },
    {
      wait: (_args, { signal }) => {
        signal.addEventListener('abort', () => {
          aborted.open();
        });
        return aborted.promise;
      },
    },
  );
  const response = await handler.fetch(post(message('tools/call', { name: 'wait' })));
  await response.body?.cancel();
  await aborted.promise;
  await handler.stop();
});

test('answers 503 once it is stopped', async () => {
  const handler = handlerOf();
  await handler.stop();
  expect((await handler.fetch(post(INITIALIZE))).status).toBe(503);
});

test('opens no session for a body that arrives after the end', async () => {
  const handler = handlerOf();
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const response = handler.fetch(post(body.readable, { duplex: 'half' }));
  await handler.close();
  const writer = body.writable.getWriter();
  await writer.write(new TextEncoder().encode(INITIALIZE));
  await writer.close();
  expect((await response).status).toBe(503);
});
