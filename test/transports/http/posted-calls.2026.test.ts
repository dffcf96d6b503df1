import { afterEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { connectHttp, client2025, client2026 } from '../../support/client-of-2026.ts';
import { fullService } from '../../support/fake-service.ts';
import { echo, fakeApplication } from '../../support/fake-application.ts';
import { clientOf, modes, serve } from '../../support/http-server.ts';

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function connected(client: Client, url: string, headers: Record<string, string> = {}): Promise<Client> {
  clients.push(client);
  return connectHttp(client, url, headers);
}

describe.each(modes)('a client of 2026-07-28 at a server %s', (_name, options) => {
  test('discovers the server, and lists and calls its tools', async () => {
    const { url } = await serve(options);
    const client = await connected(client2026(), url);
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect(client.getServerVersion()).toEqual({ name: 'fake', version: '1.2.3', title: 'Fake' });
    expect(client.getInstructions()).toBe('Try it.');
    // Plain JSON has no place for log messages.
    const logging = options.json === true ? {} : { logging: {} };
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true }, ...logging });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
    expect(await client.callTool({ name: 'echo', arguments: { a: 'ä€😀' } })).toMatchObject({
      content: [{ text: '{"a":"ä€😀"}' }],
    });
  });

  test('is served beside clients of earlier revisions', async () => {
    const { url } = await serve(options);
    const in2026 = await connected(client2026(), url);
    const probing = await connected(client2026({ versionNegotiation: { mode: 'auto' } }), url);
    const in2025 = await connected(client2025(), url);
    const { client: version1 } = await clientOf(url);
    expect(probing.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect(in2025.getNegotiatedProtocolVersion()).toBe('2025-11-25');
    const calls = [0, 1, 2, 3, 4].flatMap((n) =>
      [in2026, probing, in2025, version1].map((client, m) =>
        client.callTool({ name: 'echo', arguments: { n, m } }),
      ),
    );
    const texts = (await Promise.all(calls)).map(({ content }) => (content as { text: string }[])[0]?.text);
    expect(texts).toEqual([0, 1, 2, 3, 4].flatMap((n) => [0, 1, 2, 3].map((m) => JSON.stringify({ n, m }))));
  });
});

describe('everything that an application may serve', () => {
  test('is served to clients of 2026-07-28', async () => {
    const { url } = await serve(
      {},
      {},
      { ...fakeApplication({}), service: fullService({ fakeTools: { echo } }) },
    );
    const client = await connected(client2026(), url);
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      completions: {},
      logging: {},
    });
    expect((await client.listPrompts()).prompts).toEqual([{ name: 'greet', title: 'Greet' }]);
    expect(await client.getPrompt({ name: 'greet', arguments: { a: 'b' } })).toMatchObject({
      messages: [{ content: { text: 'hello {"a":"b"}' } }],
    });
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['memo:one', 'memo:two']);
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([{ name: 'item' }]);
    expect((await client.readResource({ uri: 'memo:one' })).contents).toMatchObject([{ text: 'first' }]);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'a', value: 'x' },
    });
    expect(completion.values).toEqual(['x…']);
  });

  test('knows who calls, and by which headers', async () => {
    const { url } = await serve(
      {
        authenticate: ({ headers }) =>
          headers['authorization'] === 'Bearer good'
            ? { token: 'good', clientId: 'someone', scopes: [] }
            : undefined,
      },
      {
        whoami: (_args, exchange) =>
          JSON.stringify({
            who: exchange.authInfo?.clientId,
            trace: exchange.header('X-Trace'),
            client: exchange.client(),
            session: exchange.sessionId,
          }),
      },
    );
    const client = await connected(client2026({ capabilities: { roots: {} } }), url, {
      authorization: 'Bearer good',
      'x-trace': 't1',
      'mcp-session-id': 'made-up',
    });
    const { content } = await client.callTool({ name: 'whoami' });
    expect(JSON.parse((content[0] as { text: string }).text)).toEqual({
      who: 'someone',
      trace: 't1',
      client: { name: 'tester-2026', version: '2.0.0', capabilities: { roots: {} } },
    });
    await expect(connected(client2026(), url)).rejects.toThrow();
  });
});

describe('the stream of a call', () => {
  const work = async (_args: unknown, exchange: Parameters<typeof echo>[1]): Promise<string> => {
    const { progressToken } = exchange.meta;
    await exchange.log('debug', 'too little', undefined);
    await exchange.log('info', 'begun', 'worker');
    await exchange.notify('notifications/progress', { progressToken, progress: 1 });
    return 'done';
  };

  async function heard(options: object, meta?: object): Promise<unknown[]> {
    const { url } = await serve(options, { work });
    const client = await connected(client2026(), url);
    const logs: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => void logs.push(params.data));
    const reports: unknown[] = [];
    const params = {
      name: 'work',
      ...(meta === undefined ? {} : { _meta: meta as Record<string, unknown> }),
    };
    const { content } = await client.callTool(params, { onprogress: (report) => reports.push(report) });
    expect(content).toMatchObject([{ text: 'done' }]);
    return [logs, reports];
  }

  test('carries progress, and the log messages that the request asked for', async () => {
    const meta = { 'io.modelcontextprotocol/logLevel': 'info' };
    expect(await heard({}, meta)).toEqual([['begun'], [{ progress: 1 }]]);
  });

  test('carries no log messages unless the request asked for them', async () => {
    expect(await heard({})).toEqual([[], [{ progress: 1 }]]);
  });

  test('is not opened where answers are plain JSON', async () => {
    expect(await heard({ json: true }, { 'io.modelcontextprotocol/logLevel': 'info' })).toEqual([[], []]);
  });
});
