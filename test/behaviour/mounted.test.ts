import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { IsString } from 'class-validator';
import { Action, McpApplication, Module, ToolContext, ToolGroup, type ApplicationOptions } from 'toolwright';
import { MemoryLogger } from '../support/fake-application.ts';
import { JSON_HEADERS } from '../support/raw-http.ts';
import { textOf } from '../support/text-of.ts';

class Words {
  @IsString() text!: string;
}

@ToolGroup('echo')
class EchoTools {
  @Action() async say({ text }: Words, ctx: ToolContext): Promise<string> {
    await ctx.progress(1, 2, 'half');
    return `${text} for ${ctx.sessionId === undefined ? 'anybody' : 'a session'}`;
  }
}

@Module({ controllers: [EchoTools] })
class EchoModule {}

type Parsed = IncomingMessage & { body?: unknown };
type Answering = (app: McpApplication, request: Parsed, response: ServerResponse) => unknown;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
let logger: MemoryLogger;

/** Somebody else's HTTP server, with the application in it. */
async function mount(
  answer: Answering,
  options: ApplicationOptions = {},
): Promise<{ readonly url: string; readonly app: McpApplication }> {
  logger = new MemoryLogger();
  const app = await McpApplication.create(EchoModule, { logger, ...options });
  const server = createServer((request, response) => void answer(app, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(
    () => app.close(),
    () => new Promise((resolve) => server.close(resolve)),
    () => server.closeAllConnections(),
  );
  return { app, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/any/path` };
}

async function say(url: string): Promise<{ readonly said: string; readonly progress: number }> {
  const client = new Client({ name: 'tester', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  let progress = 0;
  const result = await client.callTool(
    { name: 'echo', arguments: { action: 'say', text: 'hé' } },
    undefined,
    {
      onprogress: () => (progress += 1),
    },
  );
  await client.close();
  return { said: textOf(result as { content: unknown }), progress };
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** As `express.json()` does. */
async function parse(request: Parsed): Promise<unknown> {
  const bytes = await readAll(request);
  return bytes.length === 0 ? undefined : JSON.parse(bytes.toString());
}

const next = (): void => undefined;
const mounts: [string, Answering][] = [
  ['with its body unread', (app, request, response) => app.node(request, response)],
  [
    'as a router calls it',
    (app, request, response) => (app.node as (...args: unknown[]) => unknown)(request, response, next),
  ],
  [
    'behind a parser that leaves the body on the request',
    async (app, request, response) => {
      request.body = await parse(request);
      await app.node(request, response);
    },
  ],
  [
    'with a parsed body that is handed over',
    async (app, request, response) => app.node(request, response, await parse(request)),
  ],
  [
    'with the bytes of the body',
    async (app, request, response) => app.node(request, response, await readAll(request)),
  ],
  [
    'with the text of the body',
    async (app, request, response) => app.node(request, response, (await readAll(request)).toString()),
  ],
  [
    'beside a body that nobody has read yet',
    (app, request, response) => {
      request.body = {};
      return app.node(request, response);
    },
  ],
];

describe('a request of node:http', () => {
  test.each(mounts)('is answered %s', async (_how, answer) => {
    const { url } = await mount(answer);
    expect(await say(url)).toEqual({ said: 'hé for anybody', progress: 1 });
  });

  test.each(mounts.slice(0, 3))(
    'has a session %s, where the application wants them',
    async (_how, answer) => {
      const { url } = await mount(answer, { fetch: { sessions: true } });
      expect(await say(url)).toEqual({ said: 'hé for a session', progress: 1 });
    },
  );

  test('is counted by the limit of bodies, however it came', async () => {
    const big = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { text: 'x'.repeat(500) } });
    for (const [, answer] of mounts.slice(0, 6)) {
      const { url } = await mount(answer, { fetch: { maxBodyBytes: 300 } });
      const response = await fetch(url, { method: 'POST', body: big, headers: JSON_HEADERS });
      expect(response.status).toBe(413);
      await response.text();
    }
  });

  test.each(mounts.slice(2, 6))('was compressed or recoded, and is answered %s', async (_how, answer) => {
    const { url } = await mount(answer);
    // After it was read, the headers no longer hold.
    for (const headers of [
      { 'content-encoding': 'gzip' },
      { 'content-type': 'application/json; charset=utf-16' },
    ]) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      const response = await fetch(url, { method: 'POST', body, headers: { ...JSON_HEADERS, ...headers } });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"echo"')]);
    }
  });

  test.each(mounts.slice(0, 2))('that is compressed is refused %s', async (_how, answer) => {
    const { url } = await mount(answer);
    const headers = { ...JSON_HEADERS, 'content-encoding': 'gzip' };
    const response = await fetch(url, { method: 'POST', body: '{}', headers });
    expect([response.status, response.headers.get('accept-encoding')]).toEqual([415, 'identity']);
  });

  test('keeps the headers that its server set, and is checked for its host like any other', async () => {
    const answer: Answering = (app, request, response) => {
      response.setHeader('x-served-by', 'somebody');
      return app.node(request, response);
    };
    const { url } = await mount(answer, { fetch: { allowedHosts: ['mcp.example'] } });
    const response = await fetch(url, { method: 'POST', body: '{}', headers: JSON_HEADERS });
    expect([response.status, response.headers.get('x-served-by')]).toEqual([403, 'somebody']);
  });

  test('is refused when the application is closed', async () => {
    const { url, app } = await mount((mounted, request, response) => mounted.node(request, response));
    await app.close();
    const response = await fetch(url, { method: 'POST', body: '{}', headers: JSON_HEADERS });
    expect(response.status).toBe(503);
  });
});

describe('a body that was already read', () => {
  const lost = 'The body of this request was already read';

  test('is named as what it is, to client and log', async () => {
    const { url } = await mount(async (app, request, response) => {
      await readAll(request);
      await app.node(request, response);
    });
    const response = await fetch(url, { method: 'POST', body: '{}', headers: JSON_HEADERS });
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining('app.node(request, response, request.body)') },
    });
    expect(logger.records).toContainEqual(
      expect.objectContaining({ event: 'http.body-read', message: expect.stringContaining(lost) }),
    );
  });

  test('is named by fetch as well', async () => {
    const { app } = await mount(() => undefined);
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      body: '{}',
      headers: JSON_HEADERS,
    });
    await request.json();
    const response = await app.fetch(request);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(lost) } });
  });
});

test.each([[{}], [undefined], [{ raw: {}, headers: {} }]])(
  '%j is not a request of node:http',
  async (request) => {
    const { app } = await mount(() => undefined);
    await expect(app.node(request as never, {} as never)).rejects.toMatchObject({
      code: 'TW_SERVER_MOUNT',
      fix: expect.stringContaining('request.raw'),
    });
  },
);

test('does not serve, or wait for, a client that left before the request was handed over', async () => {
  let handOver = (): void => undefined;
  const handedOver = new Promise<void>((resolve) => (handOver = resolve));
  const leaving = new AbortController();
  const answer: Answering = async (app, incoming, response) => {
    await parse(incoming);
    leaving.abort();
    await once(response, 'close');
    void app.node(incoming, response, { jsonrpc: '2.0', id: 1, method: 'ping' }).then(handOver);
  };
  const { url, app } = await mount(answer, { drainTimeout: Infinity, fetch: { sessions: false } });
  const left = fetch(url, { method: 'POST', headers: JSON_HEADERS, body: '{}', signal: leaving.signal });
  await expect(left).rejects.toThrow('aborted');
  await handedOver;
  await app.close();
  expect(logger.records).toEqual([]);
});
