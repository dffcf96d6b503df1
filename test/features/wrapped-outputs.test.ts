import { expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createTool, structured, ToolRegistry, type SchemaSource } from 'toolwright';
import { z } from 'zod';

const Room = z.object({ name: z.string() });

async function answerOf(output: SchemaSource, value: unknown): Promise<unknown> {
  const server = new McpServer({ name: 'rooms', version: '1.0.0' });
  const tool = createTool('rooms').action({ name: 'get', output, handler: () => value });
  new ToolRegistry().register(tool).attachToServer(server);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: 'tester', version: '1.0.0' });
  await client.connect(near);
  // The client checks structured content against the schemas that it has listed
  await client.listTools();
  const { structuredContent } = await client.callTool({ name: 'rooms', arguments: { action: 'get' } });
  await client.close();
  return structuredContent;
}

test.each([
  ['a nullable object', Room.nullable(), { name: 'A' }, { result: { name: 'A' } }],
  ['a nullable object without a value', Room.nullable(), null, { result: null }],
  ['an object or a text', z.union([Room, z.string()]), { name: 'A' }, { result: { name: 'A' } }],
  ['anything', z.any(), { name: 'A' }, { result: { name: 'A' } }],
  ['a list', z.array(Room), [{ name: 'A' }], { result: [{ name: 'A' }] }],
  ['one of two objects', z.union([Room, z.object({ id: z.number() })]), { id: 1 }, { id: 1 }],
  ['free names', z.record(z.string(), z.number()), { a: 1 }, { a: 1 }],
  [
    'a made result of a nullable',
    Room.nullable(),
    structured({ result: { name: 'A' } }),
    { result: { name: 'A' } },
  ],
] as const)(
  'an output that is %s is sent in the form that its schema publishes',
  async (_name, output, value, sent) => {
    expect(await answerOf(output, value)).toEqual(sent);
  },
);
