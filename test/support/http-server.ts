import { afterEach, expect } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { HttpOptions } from '../../src/transports/http/http-options.ts';
import { serveHttp } from '../../src/transports/http/serve-http.ts';
import type { HttpServing } from '../../src/transports/serving.ts';
import { echo, fakeApplication, latch, type FakeTool } from './fake-application.ts';
import { initialize, JSON_HEADERS, message } from './raw-http.ts';

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

export const modes: [string, Partial<HttpOptions>][] = [
  ['with sessions', {}],
  ['without sessions', { sessions: false }],
  ['with sessions and plain JSON', { json: true }],
  ['without sessions and with plain JSON', { sessions: false, json: true }],
];

/** Serves until the test has ended. */
export async function serve(
  options: Partial<HttpOptions> = {},
  tools: Readonly<Record<string, FakeTool>> = { echo },
  application = fakeApplication(tools),
): Promise<HttpServing> {
  const serving = await serveHttp(application, { port: 0, ...options });
  cleanups.push(() => serving.close());
  return serving;
}

/** A tool that runs until its call is aborted, and says when it began and when it was aborted. */
export function waitingTool() {
  const started = latch();
  const aborted = latch();
  const wait: FakeTool = (_args, { signal }) => {
    signal.addEventListener('abort', () => {
      aborted.open();
    });
    started.open();
    return aborted.promise;
  };
  return { wait, started: started.promise, aborted: aborted.promise };
}

/** A tool that runs until the test lets it finish, and gives `done`. */
export function finishingTool() {
  const [started, finish] = [latch(), latch()];
  const wait: FakeTool = async () => {
    started.open();
    await finish.promise;
    return 'done';
  };
  return { wait, started: started.promise, finish: finish.open };
}

/** A client by hand: what it posts is in one session, and its responses are not read unless the test does. */
export async function rawSession(url: string) {
  const session = { 'mcp-session-id': await initialize(url) };
  const post = (body: string, signal?: AbortSignal): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      body,
      headers: { ...JSON_HEADERS, ...session },
      ...(signal === undefined ? {} : { signal }),
    });
  return {
    headers: session,
    post,
    call: (name: string, id: string | number, signal?: AbortSignal) =>
      post(message('tools/call', { name }, id), signal),
    cancel: (requestId: string | number) =>
      post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })),
  };
}

/** The official client, connected until the test has ended. */
export async function clientOf(url: string, headers: Record<string, string> = {}) {
  const client = new Client({ name: 'tester', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  cleanups.push(() => client.close());
  return { client, transport };
}

export async function expectServing({ url }: HttpServing): Promise<void> {
  const { client } = await clientOf(url);
  expect(await client.callTool({ name: 'echo', arguments: { fine: true } })).toMatchObject({
    content: [{ text: '{"fine":true}' }],
  });
}
