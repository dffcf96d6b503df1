import { afterEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { HttpOptions } from '../../../../src/transports/http/http-options.ts';
import { serveHttp } from '../../../../src/transports/http/serve-http.ts';
import { refusalOf } from '../../../support/attached-client.ts';
import { fullService } from '../../../support/fake-service.ts';
import { latch, MemoryLogger, type FakeTool } from '../../../support/fake-application.ts';
import { JSON_HEADERS, message, send } from '../../../support/raw-http.ts';
import { STDIO_SERVER } from '../../../support/stdio-process.ts';
import { factsOf } from '../../../support/text-of.ts';

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(options: Partial<HttpOptions> = {}, fakeTools: Readonly<Record<string, FakeTool>> = {}) {
  const info = { name: 'fake', version: '1.2.3' };
  const application = { info, service: fullService({ fakeTools }), logger: new MemoryLogger() };
  const serving = await serveHttp(application, { port: 0, ...options });
  cleanups.push(() => serving.close());
  return serving;
}

/** A client and what it receives; `until` resolves when it has received so much. */
function listeningClient() {
  const client = new Client(
    { name: 'tester', version: '1' },
    { capabilities: { elicitation: {}, roots: {} } },
  );
  const heard: string[] = [];
  let waiting: () => void = () => undefined;
  client.fallbackNotificationHandler = async ({ method, params }) => {
    heard.push([method, (params as { uri?: string } | undefined)?.uri].filter(Boolean).join(' '));
    waiting();
  };
  const until = async (count: number): Promise<readonly string[]> => {
    while (heard.length < count) await new Promise<void>((resolve) => (waiting = resolve));
    return heard;
  };
  cleanups.push(() => client.close());
  return { client, until };
}

/** Connected over HTTP, with its standalone stream open. */
async function connected(url: string) {
  const listening = listeningClient();
  const hasStream = latch();
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method === 'GET') hasStream.open();
      return response;
    },
  });
  await listening.client.connect(transport);
  await hasStream.promise;
  return { ...listening, transport };
}

const FORM = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } };

const ask: FakeTool = async (_args, exchange) => {
  try {
    return JSON.stringify(await exchange.request('elicitation/create', FORM));
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
};

describe('clients with sessions', () => {
  test('get changes of what each subscribed to, and all get changes of lists', async () => {
    const serving = await serve();
    const [first, second] = [await connected(serving.url), await connected(serving.url)];
    await first.client.subscribeResource({ uri: 'memo:one' });
    await second.client.subscribeResource({ uri: 'memo:two' });
    serving.notify({ kind: 'resource', uri: 'memo:one' });
    serving.notify({ kind: 'resource', uri: 'memo:two' });
    serving.notify({ kind: 'prompts' });
    expect(await first.until(2)).toEqual([
      'notifications/resources/updated memo:one',
      'notifications/prompts/list_changed',
    ]);
    expect(await second.until(2)).toEqual([
      'notifications/resources/updated memo:two',
      'notifications/prompts/list_changed',
    ]);
  });

  test('get nothing after they unsubscribed', async () => {
    const serving = await serve();
    const { client, until } = await connected(serving.url);
    await client.subscribeResource({ uri: 'memo:one' });
    await client.unsubscribeResource({ uri: 'memo:one' });
    serving.notify({ kind: 'resource', uri: 'memo:one' });
    serving.notify({ kind: 'resources' });
    expect(await until(1)).toEqual(['notifications/resources/list_changed']);
  });

  test('answer what a call asks', async () => {
    const { url } = await serve({}, { ask });
    const { client } = await connected(url);
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }));
    expect(await client.callTool({ name: 'ask' })).toMatchObject({
      content: [{ text: '{"action":"decline"}' }],
    });
  });

  test('may still answer, but ask nothing more, once the server stops', async () => {
    const serving = await serve({}, { ask });
    const { client, transport } = await connected(serving.url);
    const [asked, answer] = [latch(), latch()];
    client.setRequestHandler(ElicitRequestSchema, async () => {
      asked.open();
      await answer.promise;
      return { action: 'decline' };
    });
    const call = client.callTool({ name: 'ask' });
    await asked.promise;
    const stopped = serving.stop();
    const headers = { ...JSON_HEADERS, 'mcp-session-id': transport.sessionId ?? '' };
    expect((await send(serving.url, { body: message('ping'), headers })).status).toBe(503);
    answer.open();
    expect(await call).toMatchObject({ content: [{ text: '{"action":"decline"}' }] });
    await stopped;
  });
});

describe('a connection that carries nothing to the client', () => {
  test.each([
    ['without sessions', { sessions: false }],
    ['with plain JSON', { json: true }],
    ['with neither', { sessions: false, json: true }],
  ])('refuses a question at once: %s', async (_name, options) => {
    const { url } = await serve(options, { ask });
    const { client } = listeningClient();
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const result = await client.callTool({ name: 'ask' });
    expect([result.content, factsOf(result)]).toEqual([
      [{ type: 'text', text: 'CLIENT_UNREACHABLE' }],
      undefined,
    ]);
  });

  test('takes no subscription without sessions', async () => {
    const { url } = await serve({ sessions: false });
    const { client } = listeningClient();
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    expect(await refusalOf(client, 'resources/subscribe', { uri: 'memo:one' })).toEqual({
      code: -32602,
      message: expect.stringContaining('without a session'),
      data: { uri: 'memo:one' },
    });
    expect((await client.listPrompts()).prompts).toHaveLength(1);
    expect(await client.readResource({ uri: 'memo:one' })).toMatchObject({ contents: [{ text: 'first' }] });
  });
});

test('over stdio a client subscribes, receives and answers', async () => {
  const { client, until } = listeningClient();
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///here' }] }));
  await client.connect(
    new StdioClientTransport({ ...STDIO_SERVER, args: [...STDIO_SERVER.args], stderr: 'ignore' }),
  );
  await client.subscribeResource({ uri: 'memo:two' });
  await client.callTool({ name: 'touch' });
  expect(await until(2)).toEqual([
    'notifications/resources/updated memo:two',
    'notifications/prompts/list_changed',
  ]);
  expect(await client.callTool({ name: 'ask' })).toMatchObject({
    content: [{ text: '{"roots":[{"uri":"file:///here"}]}' }],
  });
});
