import { describe, expect, test } from '@jest/globals';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as McpServerOfVersion1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { createMcpHandler, McpServer as McpServerOfVersion2 } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ClientTransport } from '../../src/client/client-transport.ts';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { McpClient, type McpClientOptions } from '../../src/client/mcp-client.ts';

const onElicitation: McpClientOptions['onElicitation'] = () => ({
  action: 'accept',
  content: { name: 'Ada' },
});

function serverOfVersion1(): McpServerOfVersion1 {
  const server = new McpServerOfVersion1({ name: 'one', version: '1.0.0' });
  server.registerTool('echo', { inputSchema: { text: z.string() } }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  server.registerTool('greet', {}, async () => {
    const answer = await server.server.elicitInput({
      message: 'Who?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    });
    return { content: [{ type: 'text', text: `Hello ${String(answer.content?.['name'])}` }] };
  });
  return server;
}

async function sessionsOfVersion1(): Promise<ClientTransport> {
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => 'session-1' });
  await serverOfVersion1().connect(transport);
  return new HttpTransport('http://one.test/mcp', {
    fetch: (url, init) => transport.handleRequest(new Request(url, init)),
  });
}

/** A transport of the SDK as one of ours. */
async function memoryOfVersion1(): Promise<ClientTransport> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await serverOfVersion1().connect(far);
  return {
    place: 'memory',
    hasResponses: false,
    start: (receiver) => {
      near.onmessage = (message) => {
        receiver.message(message);
      };
      near.onclose = () => {
        receiver.closed();
      };
      return near.start();
    },
    send: (message) => near.send(message as never),
    close: () => near.close(),
  };
}

function handlerOfVersion2(): ClientTransport {
  const handler = createMcpHandler(() => {
    const server = new McpServerOfVersion2({ name: 'two', version: '2.0.0' });
    server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
      content: [{ type: 'text', text }],
    }));
    return server;
  });
  return new HttpTransport('http://two.test/mcp', {
    fetch: (url, init) => handler.fetch(new Request(url, init)),
  });
}

describe.each([
  ['an SDK v1 server with sessions', sessionsOfVersion1, '2025-11-25', 'one'],
  ['an SDK v1 server in memory', memoryOfVersion1, '2025-11-25', 'one'],
  ['an SDK v2 server', handlerOfVersion2, '2026-07-28', 'two'],
] as const)('a client of %s', (_name, open, revision, name) => {
  test('finds out its revision, lists and calls', async () => {
    const client = await McpClient.connect(await open(), { onElicitation });
    expect(client.revision).toBe(revision);
    expect(client.server.name).toBe(name);
    expect((await client.listTools()).map((tool) => tool.name)).toContain('echo');
    expect(await client.callTool('echo', { text: 'hi' })).toMatchObject({ content: [{ text: 'hi' }] });
    await client.close();
  });

  test('gets errors as such', async () => {
    const client = await McpClient.connect(await open(), {});
    await expect(client.request('nothing/at-all')).rejects.toMatchObject({ code: -32601 });
    await client.close();
  });
});

test.each([
  ['with sessions', sessionsOfVersion1],
  ['in memory', memoryOfVersion1],
])('an SDK v1 server %s asks its client', async (_name, open) => {
  const client = await McpClient.connect(await open(), { onElicitation });
  expect(await client.callTool('greet')).toMatchObject({ content: [{ text: 'Hello Ada' }] });
  await client.close();
});
