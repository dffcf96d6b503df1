import { afterEach, describe, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import type { McpApplication } from 'toolwright';
import { connect, type ConnectOptions, type ServerTarget } from 'toolwright/client';
import { HostileServer, PENDING } from '../support/hostile-server.ts';
import { WITH_PACKAGE } from '../support/line-process.ts';
import { createTasksApp } from './typed/tasks-app.ts';
import type { TaskBoard } from './typed/tasks-server.ts';

let closing: (() => Promise<void>)[] = [];
const closeLater = <Closable extends { close(): Promise<void> }>(opened: Closable): Closable => {
  closing.push(() => opened.close());
  return opened;
};
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
});

async function startApp(): Promise<McpApplication> {
  return closeLater(await createTasksApp());
}

const KINDS: Readonly<Record<string, () => Promise<ServerTarget>>> = {
  'in memory': () => startApp(),
  'over HTTP': async () => (await (await startApp()).listen({ port: 0 })).url,
};
const CASES = Object.entries(KINDS).flatMap(([name, target]) =>
  (['2025', '2026'] as const).map((era) => ({ name, era, target })),
);

describe.each(CASES)('a typed client $name, in the era of $era', ({ era, target }) => {
  const open = async (options: ConnectOptions = {}) =>
    closeLater(await connect<TaskBoard>(await target(), { era, ...options }));

  test('calls actions and tools, gets prompts, and knows what they give', async () => {
    const client = await open();
    expect([client.era, client.server.name]).toEqual([era, 'task-board']);
    const created = await client.callTool('tasks', { action: 'create', title: 'Milk', priority: 1 });
    const id: number | undefined = created.structuredContent?.id;
    expect(id).toBe(1);
    const listed = await client.callTool('tasks', { action: 'list' });
    const titles: readonly string[] | undefined = listed.structuredContent?.titles;
    expect(titles).toEqual(['Milk']);
    expect((await client.callTool('clock_now')).content).toEqual([{ type: 'text', text: 'noon' }]);
    const { messages } = await client.getPrompt('weekly', { week: '12' });
    expect(messages).toMatchObject([{ content: { text: 'Week 12' } }]);
  });

  test('asks for an older version of an action', async () => {
    const client = await open();
    const old = { action: 'create', name: 'Bread' } as unknown as { action: 'create'; title: string };
    const { structuredContent } = await client.callTool('tasks', old, { version: '^1' });
    expect(structuredContent?.title).toBe('Bread (first version)');
    const asTask = await client.callTool('tasks', old, { version: '^1', task: {} });
    expect(asTask.structuredContent?.id).toBe(2);
  });

  test('calls a tool as a task, answers what it asks, and reports its status', async () => {
    const asked: unknown[] = [];
    const statuses: string[] = [];
    const client = await open({
      onElicitation: ({ message }) => {
        asked.push(message);
        return { action: 'decline' };
      },
    });
    const task = { ttl: 60_000, onStatus: (status: string) => statuses.push(status) };
    const { content } = await client.callTool('tasks', { action: 'finish', id: 7 }, { task });
    expect(content).toMatchObject([{ text: 'finished 7: decline' }]);
    expect(asked).toEqual(['Who has done 7?']);
    expect(statuses.at(-1)).toBe('completed');
  });
});

test.each(['2025', '2026'] as const)(
  'a typed client starts a server over stdio, in the era of %s',
  async (era) => {
    const file = fileURLToPath(new URL('typed/stdio-tasks.ts', import.meta.url));
    const args = [...WITH_PACKAGE, file];
    const target = { command: process.execPath, args, stderr: 'ignore' } as const;
    const client = closeLater(await connect<TaskBoard>(target, { era }));
    const { structuredContent } = await client.callTool('tasks', { action: 'create', title: 'Milk' });
    expect(structuredContent?.title).toBe('Milk');
  },
);

test('a client without types calls by any name', async () => {
  const client = closeLater(await connect(await startApp()));
  const { structuredContent } = await client.callTool('tasks', { action: 'create', title: 'Milk' });
  expect(structuredContent?.['id']).toBe(1);
  expect((await client.callTool('nothing')).isError).toBe(true);
  await expect(client.request('nothing/at-all')).rejects.toMatchObject({ code: -32_601 });
  expect((await client.listTools()).map(({ name }) => name)).toEqual(['tasks', 'clock_now']);
});

test('each request has the token of the moment', async () => {
  const server = closeLater(await HostileServer.open());
  const tokens = ['first', 'second', 'third', 'fourth', 'fifth'];
  const client = closeLater(
    await connect(server.url, {
      era: '2025',
      token: () => Promise.resolve(tokens.shift() ?? ''),
      headers: { 'x-tenant': 'acme' },
    }),
  );
  await client.listTools();
  const sent = server.received.filter(({ message }) => message.method !== undefined);
  expect(sent.map(({ headers }) => headers.authorization)).toEqual(
    expect.arrayContaining(['Bearer first', 'Bearer second']),
  );
  expect(new Set(sent.map(({ headers }) => headers.authorization)).size).toBe(sent.length);
  expect(new Set(sent.map(({ headers }) => headers['x-tenant']))).toEqual(new Set(['acme']));
});

test('a server that answers with a page, or not at all, is named', async () => {
  const page = closeLater(
    await HostileServer.open((_received, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
      return PENDING;
    }),
  );
  await expect(connect(page.url)).rejects.toMatchObject({
    code: 'TW_CLIENT_CONNECTION',
    where: page.url,
    what: expect.stringContaining('<h1>Welcome</h1>'),
  });
  const { url } = page;
  await page.close();
  await expect(connect(url)).rejects.toMatchObject({ code: 'TW_CLIENT_CONNECTION' });
  await expect(connect({ command: 'no-such-program' })).rejects.toMatchObject({
    code: 'TW_CLIENT_CONNECTION',
  });
});

describe('options are refused', () => {
  const url = 'http://127.0.0.1:1/mcp';
  const openBrowser = (): void => undefined;
  test.each<[string, unknown, unknown, string]>([
    ['a file', 'server.ts', {}, 'is not the URL of a server'],
    ['another protocol', 'ftp://example.com', {}, 'is not the URL of a server'],
    ['nothing', undefined, {}, 'undefined'],
    ['a command without a program', { args: [] }, {}, 'lacks the option command'],
    ['a misspelt command', { comand: 'node' }, {}, 'comand'],
    ['a token over stdio', { command: 'node' }, { token: 'x' }, 'sets token'],
    ['a sign-in without a browser', url, { signIn: {} }, 'signIn.openBrowser'],
    ['two ways to sign in', url, { token: 'x', signIn: { openBrowser } }, 'both token and signIn'],
    ['a sign-in without TLS', 'http://tasks.example/mcp', { signIn: { openBrowser } }, 'without TLS'],
    ['a misspelt option', url, { tokens: 'x' }, '"tokens"'],
    ['a text as headers', url, { headers: 'authorization: x' }, 'headers'],
  ])('%s', async (_name, target, options, words) => {
    const failed = await connect(target as ServerTarget, options as ConnectOptions).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ code: 'TW_CLIENT_OPTION', where: 'connect()' });
    expect((failed as Error).message).toContain(words);
  });

  test('and the message does not repeat a secret', async () => {
    const failed = connect(url, { token: 123_456 as unknown as string });
    await expect(failed).rejects.toMatchObject({ what: expect.not.stringContaining('123456') });
  });
});
