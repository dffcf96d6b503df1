import { afterEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { IsString } from 'class-validator';
import {
  createTool,
  toolContextOf,
  ToolContext,
  ToolRegistry,
  type CallToolResult,
  type GroupedToolBuilder,
} from 'toolwright';
import { factsOf, textOf } from '../support/text-of.ts';

class Find {
  @IsString() text!: string;
}

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const info = { name: 'existing', version: '1.0.0' };

/** The SDK's two servers; a tool set that is computed elsewhere is what `Server` is kept for. */
const servers = {
  // oxlint-disable-next-line typescript/no-deprecated
  Server: () => new Server(info, { capabilities: {} }),
  McpServer: () => new McpServer(info),
} as const;
const kinds = Object.keys(servers) as (keyof typeof servers)[];
type SdkServer = ReturnType<(typeof servers)[keyof typeof servers]>;

async function clientOf(server: SdkServer): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'tester', version: '9.9.9' });
  await server.connect(far);
  await client.connect(near);
  cleanups.push(() => client.close());
  return client;
}

async function call(client: Client, name: string, args?: Record<string, unknown>): Promise<CallToolResult> {
  return (await client.callTool({
    name,
    ...(args === undefined ? {} : { arguments: args }),
  })) as CallToolResult;
}

async function namesOf(client: Client): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

function books(): GroupedToolBuilder {
  return createTool('books')
    .description('Manage books')
    .action({ name: 'find', schema: Find, readOnly: true, handler: ({ text }) => `looking for ${text}` })
    .action({ name: 'drop', tags: ['danger'], destructive: true, handler: () => 'dropped' });
}

const clock = (): GroupedToolBuilder =>
  createTool('clock')
    .tags('time')
    .action({ name: 'now', handler: () => 'noon' });

describe.each(kinds)('a registry on a %s of the SDK', (kind) => {
  test('lists its tools and routes calls, one without arguments included', async () => {
    const server = servers[kind]();
    new ToolRegistry().registerAll(books(), clock()).attachToServer(server);
    const client = await clientOf(server);
    expect(await namesOf(client)).toEqual(['books', 'clock']);
    expect(textOf(await call(client, 'books', { action: 'find', text: 'moon' }))).toBe('looking for moon');
    expect(textOf(await call(client, 'clock'))).toMatch(/^action is required\. Available: now/);
  });

  test('hides from calls what its filter hides from the list', async () => {
    const server = servers[kind]();
    const filter = { exclude: ['danger', 'time'] };
    new ToolRegistry().registerAll(books(), clock()).attachToServer(server, { filter });
    const client = await clientOf(server);
    const [tool, ...others] = (await client.listTools()).tools;
    expect(others).toEqual([]);
    expect(tool?.inputSchema.properties?.['action']).toMatchObject({ enum: ['find'] });
    expect(tool?.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(textOf(await call(client, 'books', { action: 'drop' }))).toMatch(
      /^Unknown action "drop"\. Available: find\n/,
    );
    expect(textOf(await call(client, 'clock', { action: 'now' }))).toMatch(
      /^Unknown tool "clock"\. Available: books\n/,
    );
  });

  test('makes a context for each call, from what the SDK hands over', async () => {
    const server = servers[kind]();
    const contexts: unknown[] = [];
    const tool = createTool('look').action({
      name: 'at',
      handler: (_input, context) => void contexts.push(context),
    });
    const contextFactory = (extra: unknown): unknown =>
      Promise.resolve({ hasRequestId: 'requestId' in (extra as object), call: contexts.length });
    new ToolRegistry().register(tool).attachToServer(server, { contextFactory });
    const client = await clientOf(server);
    await call(client, 'look', { action: 'at' });
    await call(client, 'look', { action: 'at' });
    expect(contexts).toEqual([
      { hasRequestId: true, call: 0 },
      { hasRequestId: true, call: 1 },
    ]);
  });

  test('gives handlers no context unless asked, and a ToolContext by toolContextOf', async () => {
    const contexts: unknown[] = [];
    const look = (name: string): GroupedToolBuilder =>
      createTool(name).action({ name: 'at', handler: (_input, context) => void contexts.push(context) });
    const [bare, full] = [servers[kind](), servers[kind]()];
    new ToolRegistry().register(look('bare')).attachToServer(bare);
    new ToolRegistry().register(look('full')).attachToServer(full, { contextFactory: toolContextOf });
    await call(await clientOf(bare), 'bare', { action: 'at' });
    await call(await clientOf(full), 'full', { action: 'at' });
    expect(contexts[0]).toBeUndefined();
    expect(contexts[1]).toBeInstanceOf(ToolContext);
    expect((contexts[1] as ToolContext).client).toMatchObject({ name: 'tester', version: '9.9.9' });
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('no tenant');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no tenant'))],
  ])('answers CONTEXT_FAILED when the factory %s, and goes on serving', async (_name, contextFactory) => {
    const server = servers[kind]();
    new ToolRegistry().register(clock()).attachToServer(server, { contextFactory });
    const client = await clientOf(server);
    const result = await call(client, 'clock', { action: 'now' });
    expect(textOf(result)).toMatch(/^\[clock\] no tenant\n/);
    expect(factsOf(result)).toEqual({ code: 'CONTEXT_FAILED', message: 'no tenant', tool: 'clock' });
    expect(await namesOf(client)).toEqual(['clock']);
  });

  test('serves what is registered later, and notifies the client that the list changed', async () => {
    const server = servers[kind]();
    const registry = new ToolRegistry().register(books());
    registry.attachToServer(server);
    const client = await clientOf(server);
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
        resolve();
      });
    });
    registry.register(clock());
    await changed;
    expect(await namesOf(client)).toEqual(['books', 'clock']);
    expect(textOf(await call(client, 'clock', { action: 'now' }))).toBe('noon');
  });

  test('is gone after detach, however often that is called', async () => {
    const server = servers[kind]();
    const registry = new ToolRegistry().register(clock());
    const detach = registry.attachToServer(server);
    expect(await Promise.resolve(detach)).toBe(detach);
    const client = await clientOf(server);
    expect(await namesOf(client)).toEqual(['clock']);
    detach();
    detach();
    expect(await namesOf(client)).toEqual([]);
    const result = await call(client, 'clock', { action: 'now' });
    expect(textOf(result)).toMatch(/^Tools are no longer served here/);
    expect(factsOf(result)).toMatchObject({ code: 'DETACHED' });
    registry.register(books());
    expect(await namesOf(client)).toEqual([]);
  });

  test('gives way to a second registry, which the first one leaves alone when it detaches', async () => {
    const server = servers[kind]();
    const detachFirst = new ToolRegistry().register(clock()).attachToServer(server);
    const client = await clientOf(server);
    const detachSecond = new ToolRegistry().register(books()).attachToServer(server);
    expect(await namesOf(client)).toEqual(['books']);
    detachFirst();
    expect(await namesOf(client)).toEqual(['books']);
    expect(textOf(await call(client, 'books', { action: 'drop' }))).toBe('dropped');
    detachSecond();
    expect(await namesOf(client)).toEqual([]);
  });
});

test('one registry serves several servers, each through its own filter', async () => {
  const registry = new ToolRegistry().registerAll(books(), clock());
  const [all, some] = [servers.McpServer(), servers.Server()];
  const detach = registry.attachToServer(all);
  registry.attachToServer(some, { filter: { tags: ['time'] } });
  const [first, second] = [await clientOf(all), await clientOf(some)];
  expect(await namesOf(first)).toEqual(['books', 'clock']);
  expect(await namesOf(second)).toEqual(['clock']);
  detach();
  expect(await namesOf(second)).toEqual(['clock']);
});
