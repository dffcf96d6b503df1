import { afterEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { IsString } from 'class-validator';
import {
  Complete,
  Injectable,
  McpApplication,
  Module,
  Notifier,
  Prompt,
  Resource,
  ToolContext,
  type ListedResource,
} from 'toolwright';
import { refusalOf } from '../support/attached-client.ts';
import { hearing } from '../support/hearing.ts';

class Page {
  @IsString() name!: string;
}

@Injectable()
class WikiOffers {
  @Prompt() ask({ name }: Page, ctx: ToolContext): string {
    return `${name} for ${ctx.header('x-tenant') ?? 'nobody'}`;
  }

  @Complete('ask', 'name') names(): readonly string[] {
    return ['home'];
  }

  @Resource('wiki://{name}', { list: 'pages' }) page({ name }: Page): string | undefined {
    return name === 'none' ? undefined : name;
  }

  pages(): readonly ListedResource[] {
    return ['a', 'b', 'c'].map((name) => ({ uri: `wiki://${name}`, name }));
  }
}

@Module({ controllers: [WikiOffers] })
class WikiModule {}

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(): Promise<McpApplication> {
  const app = await McpApplication.create(WikiModule, { pageSize: 2 });
  cleanups.push(() => app.close());
  return app;
}

async function overHttp(url: string, fetch?: (request: Request) => Promise<Response>): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { 'x-tenant': 'acme' } },
    ...(fetch === undefined ? {} : { fetch: (input, init) => fetch(new Request(input, init)) }),
  });
  await client.connect(transport);
  cleanups.push(() => client.close());
  return client;
}

async function attached(app: McpApplication): Promise<Client> {
  const server = new McpServer({ name: 'own', version: '1.0.0' });
  app.attach(server);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'tester', version: '1.0.0' });
  await server.connect(far);
  await client.connect(near);
  return client;
}

const CONNECTIONS: Readonly<Record<string, (app: McpApplication) => Promise<Client>>> = {
  'over HTTP': async (app) => overHttp((await app.listen({ port: 0, signals: false })).url),
  'over HTTP without sessions': async (app) =>
    overHttp((await app.listen({ port: 0, signals: false, sessions: false })).url),
  'by fetch': async (app) => overHttp('http://localhost/mcp', app.fetch),
  'attached to a server of one’s own': attached,
};

describe.each(Object.keys(CONNECTIONS))('%s', (name) => {
  const connect = async (): Promise<Client> => {
    const client = await CONNECTIONS[name]?.(await serve());
    if (client === undefined) throw new Error(`There is no connection ${name}`);
    return client;
  };

  test('prompts, resources and completions are served, in pages', async () => {
    const client = await connect();
    const tenant = name.startsWith('attached') ? 'nobody' : 'acme';
    const params = { name: 'ask', arguments: { name: 'home' } };
    expect((await client.getPrompt(params)).messages).toMatchObject([
      { content: { text: `home for ${tenant}` } },
    ]);
    const ref = { type: 'ref/prompt', name: 'ask' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'name', value: '' } });
    expect(completion.values).toEqual(['home']);
    expect(await client.readResource({ uri: 'wiki://x%20y' })).toMatchObject({ contents: [{ text: 'x y' }] });
    const { resources, nextCursor } = await client.listResources();
    const rest = await client.listResources({ cursor: nextCursor });
    expect([...resources, ...rest.resources].map((resource) => resource.name)).toEqual(['a', 'b', 'c']);
  });

  test('what is wrong is refused, and the server goes on', async () => {
    const client = await connect();
    expect(await refusalOf(client, 'prompts/get', { name: 'aks' })).toMatchObject({
      code: -32602,
      data: { suggestion: 'ask' },
    });
    expect(await refusalOf(client, 'resources/read', { uri: 'wiki://none' })).toMatchObject({ code: -32602 });
    expect(await refusalOf(client, 'resources/list', { cursor: 'AAAA' })).toMatchObject({ code: -32602 });
    expect((await client.listPrompts()).prompts).toHaveLength(1);
  });
});

test('clients of an attached server subscribe, and are notified of changes', async () => {
  const app = await serve();
  const client = await attached(app);
  const heard = hearing(client);
  await client.subscribeResource({ uri: 'wiki://a' });
  app.get(Notifier).resourceUpdated('wiki://a');
  app.prompts.disable('ask');
  await client.ping();
  expect(heard).toEqual(['resources/updated wiki://a', 'prompts/list_changed']);
});

test('who subscribed to a resource receives nothing of it while it is disabled', async () => {
  const app = await serve();
  const client = await attached(app);
  await client.subscribeResource({ uri: 'wiki://a' });
  app.resources.disable('page');
  await client.ping();
  const heard = hearing(client);
  app.get(Notifier).resourceUpdated('wiki://a');
  await client.ping();
  expect(heard).toEqual([]);
  app.resources.enable('page');
  app.get(Notifier).resourceUpdated('wiki://a');
  await client.ping();
  expect(heard).toEqual(['resources/list_changed', 'resources/updated wiki://a']);
});
