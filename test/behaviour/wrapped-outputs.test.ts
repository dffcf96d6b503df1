import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { IsString } from 'class-validator';
import {
  createTool,
  Module,
  structured,
  ToolRegistry,
  type SchemaSource,
  Action,
  McpApplication,
  ToolGroup,
  type LogRecord,
} from 'toolwright';
import { z } from 'zod';
import { connectedClient } from '../support/attached-client.ts';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import type { FeatureClient } from '../support/connections/feature-client.ts';

const Room = z.object({ name: z.string() });

const OUTPUTS = [
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
] as const;

const toolOf = (name: string, output: SchemaSource, value: unknown) =>
  createTool(name).action({ name: 'get', output, handler: () => value });

const nameOf = (output: string): string => output.replaceAll(' ', '-');

const answerOf = async (client: Pick<Client, 'callTool'>, name: string): Promise<unknown> =>
  (await client.callTool({ name, arguments: { action: 'get' } })).structuredContent;

@Module()
class RoomsModule {}

describe.each(CONNECTIONS)('$name', (kind) => {
  let app: ConnectedApplication;
  let client: FeatureClient;

  beforeAll(async () => {
    app = await createConnectedApplication(kind, RoomsModule);
    for (const [name, output, value] of OUTPUTS)
      app.app.registry.register(toolOf(nameOf(name), output, value));
    client = await app.client();
    // The client checks structured content against the schemas that it has listed
    await client.listTools();
  });
  afterAll(() => app.close());

  test.each(OUTPUTS)(
    'an output that is %s is sent in the form that its schema publishes',
    async (name, _output, _value, sent) => {
      expect(await answerOf(client, nameOf(name))).toEqual(sent);
    },
  );
});

test.each(OUTPUTS)(
  'an output that is %s is sent in the form that its schema publishes, on a server of your own',
  async (_name, output, value, sent) => {
    const server = new McpServer({ name: 'rooms', version: '1.0.0' });
    new ToolRegistry().register(toolOf('rooms', output, value)).attachToServer(server);
    const client = await connectedClient(server);
    // The client checks structured content against the schemas that it has listed
    await client.listTools();
    expect(await answerOf(client, 'rooms')).toEqual(sent);
    await client.close();
  },
);

class Book {
  @IsString() title!: string;
}

@ToolGroup('books')
class BookTools {
  @Action({ output: Book }) find(): object {
    return { title: 't' };
  }

  @Action() add(): string {
    return 'added';
  }
}

@ToolGroup('shelves')
class ShelfTools {
  @Action({ output: Book }) first(): object {
    return { title: 't' };
  }
}

@Module({ controllers: [BookTools, ShelfTools] })
class BooksModule {}

test('a declared output that cannot be published is reported at the start', async () => {
  const records: LogRecord[] = [];
  const app = await McpApplication.create(BooksModule, { logger: (record) => records.push(record) });
  expect(records.filter(({ event }) => event === 'schema.output-unpublished')).toMatchObject([
    {
      level: 'notice',
      message: 'tool "books" checks the output of find, but does not publish it: add declares none.',
    },
  ]);
  await app.close();
});
