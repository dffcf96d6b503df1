import { afterEach, describe, expect, test } from '@jest/globals';
import { StreamableHTTPClientTransport, type Client } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer, Server, type McpHttpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { attachService, type Attachment } from '../../src/attach/attach-service.ts';
import { registerMethod } from '../../src/attach/register-handlers.ts';
import { findServer, type RequestHandler } from '../../src/attach/server-target.ts';
import type { McpService } from '../../src/runtime/service.ts';
import { codeOf } from '../support/thrown.ts';
import { fakePrompts, fakeResources, fullService } from '../support/fake-service.ts';
import { echo, MemoryLogger, toolsOnly } from '../support/fake-application.ts';
import { connectInMemory, client2025, client2026 } from '../support/client-of-2026.ts';
import { hearingChanges } from '../support/hearing-2026.ts';

/* oxlint-disable typescript/no-deprecated -- users attach to the low-level server, too */
const servers: Readonly<Record<string, () => Server | McpServer>> = {
  Server: () => new Server({ name: 'owner', version: '1' }, { capabilities: { logging: {} } }),
  McpServer: () => new McpServer({ name: 'owner', version: '1' }, { capabilities: { logging: {} } }),
};

type Serve = (factory: () => Server | McpServer) => Promise<Client>;
/* oxlint-enable typescript/no-deprecated */

async function throwNothing(): Promise<never> {
  // oxlint-disable-next-line typescript/only-throw-error -- user code may throw anything
  throw undefined;
}

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function overHandler(client: Client, handler: McpHttpHandler): Promise<Client> {
  const fetch = (url: string | URL, init?: RequestInit): Promise<Response> =>
    handler.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch }));
  cleanups.push(() => handler.close());
  return client;
}

const ways: Readonly<Record<string, Serve>> = {
  'createMcpHandler, 2026-07-28': (factory) => overHandler(client2026(), createMcpHandler(factory)),
  'createMcpHandler, 2025-11-25': (factory) => overHandler(client2025(), createMcpHandler(factory)),
  'serveStdio, 2026-07-28': (factory) =>
    connectInMemory(client2026(), async (transport) =>
      serveStdio(factory, { transport: transport as never }),
    ),
  'serveStdio, 2025-11-25': (factory) =>
    connectInMemory(client2025(), async (transport) =>
      serveStdio(factory, { transport: transport as never }),
    ),
  'connect, 2025-11-25': (factory) =>
    connectInMemory(client2025(), (transport) => factory().connect(transport as never)),
};

async function attached(kind: string, way: string, service: McpService) {
  const attachments: Attachment[] = [];
  const client = await ways[way]!(() => {
    const server = servers[kind]!();
    attachments.push(attachService(server, service, new MemoryLogger()));
    return server;
  });
  cleanups.push(() => client.close());
  return { client, attachments };
}

const cases = Object.keys(servers).flatMap((kind) => Object.keys(ways).map((way) => [kind, way] as const));

describe.each(cases)('a real %s of SDK v2, by %s', (kind, way) => {
  test('serves everything that is attached', async () => {
    const { client } = await attached(kind, way, fullService({ fakeTools: { echo } }));
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      completions: {},
      logging: {},
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
    expect(await client.callTool({ name: 'echo', arguments: { a: 1 } })).toMatchObject({
      content: [{ text: '{"a":1}' }],
    });
    expect((await client.listPrompts()).prompts).toHaveLength(1);
    expect(await client.getPrompt({ name: 'greet' })).toMatchObject({ messages: [{ role: 'user' }] });
    expect((await client.listResources()).resources).toHaveLength(2);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
    expect((await client.readResource({ uri: 'memo:one' })).contents).toMatchObject([{ text: 'first' }]);
    const ref = { type: 'ref/prompt', name: 'greet' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'a', value: 'x' } });
    expect(completion.values).toEqual(['x…']);
  });

  test('lets nothing of a failure escape', async () => {
    const fail = (): never => {
      throw Object.assign(new Error('secret'), { code: -32021, data: { password: 'secret' } });
    };
    const service = fullService({
      fakeTools: { fail },
      resources: { ...fakeResources({}), read: fail },
      // The SDKs never answer what throws nothing at all.
      prompts: { ...fakePrompts({}), get: () => throwNothing() },
    });
    const { client } = await attached(kind, way, service);
    expect(JSON.stringify(await client.callTool({ name: 'fail' }))).not.toContain('secret');
    const read = client.readResource({ uri: 'memo:one' });
    await expect(read).rejects.toMatchObject({
      code: -32603,
      message: 'The server failed while it answered resources/read',
      data: undefined,
    });
    await expect(client.getPrompt({ name: 'greet' })).rejects.toMatchObject({ code: -32603 });
  });

  test('says what is wrong with params', async () => {
    const { client } = await attached(kind, way, fullService());
    const request = { method: 'prompts/get', params: { name: 'greet', arguments: { a: 1 } } } as never;
    await expect(client.request(request)).rejects.toMatchObject({
      code: -32602,
      message: 'arguments.a must be a string, but is a number',
    });
  });

  test('sends structured content that is an object', async () => {
    const result = { content: [], structuredContent: { result: [1, 2] } };
    const { client } = await attached(kind, way, toolsOnly({ list: () => result }));
    expect(await client.callTool({ name: 'list' })).toMatchObject({ structuredContent: { result: [1, 2] } });
  });
});

describe('a method of an extension', () => {
  const answer: RequestHandler = async (request) => ({
    resultType: 'complete',
    given: (request as { params: Record<string, unknown> }).params['taskId'],
  });
  const anything = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } };

  test.each(Object.keys(ways).flatMap((way) => [[way, 'tasks/get'] as const, [way, 'x/custom'] as const]))(
    'can be registered: by %s, %s',
    async (way, method) => {
      const client = await ways[way]!(() => {
        const server = servers['Server']!();
        attachService(server, toolsOnly({ echo }), new MemoryLogger());
        expect(registerMethod(findServer(server), method, answer)).toBeUndefined();
        return server;
      });
      cleanups.push(() => client.close());
      const request = { method, params: { taskId: 't1' } } as never;
      expect(await client.request(request, anything as never)).toMatchObject({ given: 't1' });
    },
  );
});

describe('changes', () => {
  test('reach the subscriptions of a connection of 2026-07-28', async () => {
    const { client, attachments } = await attached('McpServer', 'serveStdio, 2026-07-28', fullService());
    const { heard, count } = hearingChanges(client);
    await client.listen({ toolsListChanged: true, resourceSubscriptions: ['memo:one'] });
    const { notify } = attachments[0]!;
    notify({ kind: 'resource', uri: 'memo:two' });
    notify({ kind: 'prompts' });
    notify({ kind: 'resource', uri: 'memo:one' });
    notify({ kind: 'tools' });
    await count(2);
    expect(heard).toEqual(['resources/updated memo:one', 'tools/list_changed']);
  });

  test('reach a client of 2025-11-25 that subscribed', async () => {
    const { client, attachments } = await attached('Server', 'connect, 2025-11-25', fullService());
    const { heard, count } = hearingChanges(client);
    await client.subscribeResource({ uri: 'memo:one' });
    const { notify } = attachments[0]!;
    notify({ kind: 'resource', uri: 'memo:two' });
    notify({ kind: 'resource', uri: 'memo:one' });
    await count(1);
    expect(heard).toEqual(['resources/updated memo:one']);
  });
});

test('a connected server without the capability is refused', async () => {
  const server = servers['Server']!();
  await connectInMemory(client2025(), (transport) => server.connect(transport as never));
  expect(codeOf(() => attachService(server, fullService()))).toBe('TW_ATTACH_CAPABILITY');
});
