import { describe, expect, test } from '@jest/globals';
import { McpApplication } from 'toolwright';
import type { Progress } from '../../src/client/client-connection.ts';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { McpClient } from '../../src/client/mcp-client.ts';
import { StdioTransport } from '../../src/client/stdio-transport.ts';
import { WorkModule, WorkTools } from './client-app.ts';
import { SERVER_KINDS, withClient } from './server-kinds.ts';

describe.each(SERVER_KINDS)('a client $name', (kind) => {
  test('learns who the server is and what it serves', () =>
    withClient(kind, {}, async (client) => {
      expect(client.era).toBe(kind.era);
      expect(client.revision).toBe(kind.era === '2025' ? '2025-11-25' : '2026-07-28');
      expect(client.server).toMatchObject({ name: 'work', version: '1.2.3', instructions: 'Work well' });
      expect(Object.keys(client.server.capabilities)).toEqual(expect.arrayContaining(['tools', 'prompts']));
    }));

  test('lists all pages, calls, reads, gets and completes', () =>
    withClient(kind, {}, async (client) => {
      const tools = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(
        ['add', 'where', 'greet', 'count', 'leave', 'hang'].map((name) => `work_${name}`),
      );
      expect((await client.callTool('work_add', { a: 1, b: 2 })).content).toEqual([
        { type: 'text', text: '{"sum":3}' },
      ]);
      expect(await client.callTool('work_add', { a: 'one', b: 2 })).toMatchObject({ isError: true });
      expect((await client.listPrompts()).map(({ name }) => name)).toEqual(['praise']);
      expect(await client.getPrompt('praise', { name: 'Ada' })).toMatchObject({
        messages: [{ content: { text: 'Praise Ada' } }],
      });
      expect(
        await client.complete({ type: 'ref/prompt', name: 'praise' }, { name: 'name', value: 'A' }),
      ).toMatchObject({
        values: ['Ada', 'Alan'],
      });
      expect((await client.listResources()).map(({ uri }) => uri)).toEqual(['memo://one']);
      expect((await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate)).toEqual([
        'memo://all/{id}',
      ]);
      expect((await client.readResource('memo://one')).contents).toMatchObject([{ text: 'the memo' }]);
    }));

  test('answers questions, and gets the final result', () =>
    withClient(
      kind,
      {
        onElicitation: ({ message }) => ({
          action: 'accept',
          content: { name: `you who asked "${String(message)}"` },
        }),
      },
      async (client) => {
        expect(await client.callTool('work_greet')).toMatchObject({
          content: [{ text: 'Hello you who asked "What is your name?"' }],
        });
      },
    ));

  test('that takes no questions is not asked', () =>
    withClient(kind, {}, async (client) => {
      await expect(
        client.callTool('work_greet').then(({ isError }) => {
          if (isError === true) throw new Error('refused');
        }),
      ).rejects.toThrow();
    }));

  test('is notified of progress and log messages', () => {
    const progress: Progress[] = [];
    const heard: string[] = [];
    const onNotification = (method: string): void => {
      heard.push(method);
    };
    return withClient(kind, { logLevel: 'debug', onNotification }, async (client) => {
      await client.callTool('work_count', { count: 2 }, { onProgress: (step) => progress.push(step) });
      expect(progress).toEqual([
        { progress: 1, total: 2, message: 'step 1' },
        { progress: 2, total: 2, message: 'step 2' },
      ]);
      expect(heard).toContain('notifications/message');
    });
  });

  test('gives a call up, and the server stops working for it', () =>
    withClient(kind, {}, async (client, { app }) => {
      const stop = new AbortController();
      // Given up before it has begun, it would never come to the server
      const onProgress = (): void => {
        stop.abort(new Error('enough'));
      };
      const call = client.callTool('work_hang', {}, { signal: stop.signal, onProgress });
      await expect(call).rejects.toThrow('enough');
      if (app !== undefined) await until(() => app.get(WorkTools).cancelled.length === 1);
      expect((await client.callTool('work_add', { a: 1, b: 1 })).isError).not.toBe(true);
    }));

  test('names a request that took too long', () =>
    withClient(kind, {}, async (client) => {
      await expect(client.callTool('work_hang', {}, { timeout: 50 })).rejects.toMatchObject({
        code: 'TW_CLIENT_TIMEOUT',
        what: 'did not answer tools/call within 50 milliseconds.',
      });
    }));

  test('gets the error of a request that the server does not know', () =>
    withClient(kind, {}, async (client) => {
      await expect(client.request('nothing/at-all')).rejects.toMatchObject({ code: -32601 });
    }));

  test('is notified of changed lists once it has subscribed', () => {
    const heard: string[] = [];
    const onNotification = (method: string): void => {
      heard.push(method);
    };
    return withClient(kind, { onNotification }, async (client, { app }) => {
      const end = await client.subscribe({ tools: true });
      if (app !== undefined) {
        app.registry.disable('work', 'where');
        await until(() => heard.includes('notifications/tools/list_changed'));
      }
      await end();
      expect((await client.listTools()).length).toBe(app === undefined ? 6 : 5);
    });
  });
});

test.each(SERVER_KINDS.filter(({ era }) => era === '2026'))(
  'without a word on eras, the newest revision is spoken $name',
  (kind) =>
    withClient(kind, { era: 'auto', probeTimeout: 300_000, timeout: 300_000 }, (client) => {
      expect(client.revision).toBe('2026-07-28');
      return Promise.resolve();
    }),
);

test('arguments that headers repeat are sent along, also by a client that never listed tools', async () => {
  const app = await McpApplication.create(WorkModule, { name: 'work', version: '1.0.0' });
  const { url } = await app.listen({ port: 0 });
  const client = await McpClient.connect(new HttpTransport(url), { era: '2026' });
  expect(await client.callTool('work_where', { region: 'Österreich' })).toMatchObject({
    content: [{ text: 'Österreich' }],
  });
  await client.close();
  await app.close();
});

test('a call that is sent as a request, such as one with _meta, has these headers as well', async () => {
  const app = await McpApplication.create(WorkModule, { name: 'work', version: '1.0.0' });
  const { url } = await app.listen({ port: 0 });
  const client = await McpClient.connect(new HttpTransport(url), { era: '2026' });
  const params = { name: 'work_where', arguments: { region: 'Norden' }, _meta: { 'example.com/trace': 'a' } };
  expect(await client.request('tools/call', params)).toMatchObject({ content: [{ text: 'Norden' }] });
  const wrong = { headers: { 'mcp-param-region': 'Süden' } };
  await expect(client.request('tools/call', params, wrong)).rejects.toThrow();
  await client.close();
  await app.close();
});

test('an answer is fetched where the response ended before it', async () => {
  const app = await McpApplication.create(WorkModule, { name: 'work', version: '1.0.0' });
  const { url } = await app.listen({ port: 0, sessions: { retryInterval: 10 } });
  const seen: string[] = [];
  const transport = new HttpTransport(url, {
    fetch: (to, init) => {
      seen.push(init?.method ?? 'GET');
      return fetch(to, init);
    },
  });
  const client = await McpClient.connect(transport, { era: '2025' });
  seen.length = 0;
  expect(await client.callTool('work_leave')).toMatchObject({ content: [{ text: 'back again' }] });
  expect(seen).toEqual(['POST', 'GET']);
  await client.close();
  await app.close();
});

test('a server that ends takes its open requests along', async () => {
  const transport = new StdioTransport(process.execPath, {
    args: ['-e', "process.stdin.once('data', () => process.exit(3))"],
    stderr: 'ignore',
  });
  await expect(McpClient.connect(transport, { era: '2025' })).rejects.toMatchObject({
    code: 'TW_CLIENT_CONNECTION',
    what: 'ended with the exit code 3.',
  });
});

test('a command that does not exist is named', async () => {
  await expect(McpClient.connect(new StdioTransport('no-such-command-here'))).rejects.toMatchObject({
    code: 'TW_CLIENT_CONNECTION',
    where: 'no-such-command-here',
  });
});

test('what cannot be reached is named, with the reason', async () => {
  await expect(McpClient.connect(new HttpTransport('http://127.0.0.1:1/mcp'))).rejects.toMatchObject({
    code: 'TW_CLIENT_CONNECTION',
    where: 'http://127.0.0.1:1/mcp',
  });
});

test('a wrong option is refused before anything is started', async () => {
  await expect(
    McpClient.connect(new HttpTransport('http://127.0.0.1:1/mcp'), { era: '2024' as never }),
  ).rejects.toMatchObject({ code: 'TW_CLIENT_OPTION' });
});

test('a server that wants to know who calls is not asked in another revision', async () => {
  const app = await McpApplication.create(WorkModule, { name: 'work', version: '1.0.0' });
  let asked = 0;
  const authenticate = (): undefined => {
    asked += 1;
    return undefined;
  };
  const { url } = await app.listen({ port: 0, authenticate });
  await expect(McpClient.connect(new HttpTransport(url))).rejects.toMatchObject({
    code: 'TW_CLIENT_UNAUTHORIZED',
  });
  expect(asked).toBe(1);
  await app.close();
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
