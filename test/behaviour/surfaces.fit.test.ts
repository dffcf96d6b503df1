import { afterEach, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createTool, McpApplication, Module, type ApplicationOptions } from 'toolwright';
import { MemoryLogger } from '../support/fake-application.ts';
import { textOf } from '../support/text-of.ts';
import { rejectionOf } from '../support/thrown.ts';

@Module({})
class EmptyModule {}

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

type Builder = ReturnType<typeof createTool>;

interface Given {
  readonly key: string;
  readonly fields?: number;
}

/** A tool whose actions only read, with as many described fields as it is said. */
function tool(name: string, ...actions: readonly Given[]): Builder {
  const built = createTool(name).description(`The ${name}`);
  for (const { key, fields = 0 } of actions) {
    const names = Array.from({ length: fields }, (_, index) => `field${String(index)}`);
    built.action({
      name: key,
      description: `Does ${key}`,
      readOnly: true,
      input: {
        type: 'object',
        properties: Object.fromEntries(
          names.map((field) => [
            field,
            { type: 'string', description: `What is said of ${field}. `.repeat(6) },
          ]),
        ),
        additionalProperties: false,
      },
      handler: () => key,
    });
  }
  return built;
}

async function open(tools: readonly Builder[], options: ApplicationOptions = {}): Promise<McpApplication> {
  const app = await McpApplication.create(EmptyModule, {
    ...{ logger: new MemoryLogger(), surface: 'auto' },
    ...options,
  });
  opened.push(app);
  app.registry.registerAll(...tools);
  return app;
}

async function connect(app: McpApplication, name: string): Promise<Client> {
  const { url } = await app.listen({ port: 0 });
  const client = new Client({ name, version: '1.0.0' });
  opened.push(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

const listFor = async (app: McpApplication, name: string) => (await connect(app, name)).listTools();
const namesFor = async (app: McpApplication, name: string): Promise<readonly string[]> =>
  (await listFor(app, name)).tools.map((each) => each.name);

const DESK = [tool('notes', { key: 'find' }, { key: 'list' })];
const LARGE = [tool('desk', { key: 'find', fields: 40 }, { key: 'list' }), ...DESK];

test('36: a group whose schema a client would not read whole is listed flat for that client alone', async () => {
  const app = await open(LARGE);
  expect(await namesFor(app, 'codex-mcp-client')).toEqual([
    ...['desk_find', 'desk_list', 'notes_read'],
    'read_result',
  ]);
  expect(await namesFor(app, 'claude-code')).toEqual(['desk_read', 'notes_read']);
  const { _meta } = await listFor(app, 'codex-mcp-client');
  expect(_meta?.['toolwright/surface']).toMatch(/^grouped-by-risk\/signatures\/schema-5000@[0-9a-f]{12}$/);
});

test('36: advice says that a group is listed flat for some clients', async () => {
  const codes = async (app: Promise<McpApplication>) => (await app).advice().map(({ code }) => code);
  expect(await codes(open(LARGE))).toContain('TW_SURFACE_SHORTENED');
  expect(await codes(open(DESK))).not.toContain('TW_SURFACE_SHORTENED');
  expect(await codes(open(LARGE, { surface: 'own' }))).not.toContain('TW_SURFACE_SHORTENED');
});

test('36: a client whose tools are flat may go on to call the groups that others are listed', async () => {
  const client = await connect(await open(LARGE), 'codex-mcp-client');
  for (const [name, args] of [
    ['desk_list', {}],
    ['desk_read', { action: 'list' }],
  ] as const)
    expect(textOf((await client.callTool({ name, arguments: args })) as never)).toBe('list');
});

test('defaults stand in the signatures of a client that drops them from schemas, and of no other one', async () => {
  const orders = createTool('orders').description('Orders');
  for (const name of ['find', 'list'])
    orders.action({
      ...{ name, description: `Does ${name}`, readOnly: true, handler: () => name },
      input: {
        type: 'object',
        properties: { limit: { type: 'integer', default: 10 }, [name]: { type: 'string', default: 'a b' } },
      },
    });
  const app = await open([orders, ...DESK]);
  const describe = async (name: string) => (await listFor(app, name)).tools[0]?.description;
  expect(await describe('codex-mcp-client')).toBe(
    'Orders. Actions:\nfind(limit=10, find="a b"): Does find\nlist(limit=10, list="a b"): Does list',
  );
  expect(await describe('claude-code')).toBe(
    'Orders. Actions:\nfind(limit?, find?): Does find\nlist(limit?, list?): Does list',
  );
});

test('a description is as short as a client takes it, with the same actions, and whole for others', async () => {
  const desk = createTool('desk').description('The desk');
  for (let index = 0; index < 12; index += 1)
    desk.action({
      ...{ name: `act${String(index)}`, readOnly: true, handler: () => 'done' },
      description: `Does the ${String(index)}th of all things that are to be done here. ${'And more of it. '.repeat(5)}`,
    });
  const app = await open([desk]);
  const read = async (name: string) => (await listFor(app, name)).tools[0];
  const [short, whole] = [await read('gemini-cli-mcp-client'), await read('claude-code')];
  expect([short?.name, whole?.name]).toEqual(['desk_read', 'desk_read']);
  expect(short?.description?.length).toBeLessThanOrEqual(1024);
  expect(whole?.description?.length).toBeGreaterThan(1024);
  const keysIn = (text = '') => text.match(/^act\d+(?=\()/gm);
  expect(keysIn(short?.description)).toEqual(keysIn(whole?.description));
});

const LONG = Array.from({ length: 9 }, () => 'department').join('_');
const LONG_TOOLS = [tool('crm', { key: `${LONG}_find` }, { key: `${LONG}_lost` })];

test('34: names that a client would cut are shorter, different, the same at each start, and can be called', async () => {
  const options = { surface: { use: 'auto', clients: { vscode: 'flat' } } } as const;
  const app = await open(LONG_TOOLS, options);
  const names = await namesFor(app, 'Visual Studio Code');
  expect(new Set(names).size).toBe(2);
  for (const name of names) {
    expect(name.length + 'mcp_'.length + 14).toBeLessThanOrEqual(64);
    expect(name).toMatch(/^crm_dep_dep_dep_[a-z_]*_[0-9a-f]{8}$/);
  }
  expect(await namesFor(await open(LONG_TOOLS, options), 'Visual Studio Code')).toEqual(names);
  const client = await connect(app, 'Visual Studio Code');
  const { tools } = await client.listTools();
  expect(tools[0]?.title).toBe(
    'Crm department department department department department department department department department find',
  );
  for (const name of [names[1] as string, `crm_${LONG}_lost`])
    expect(textOf((await client.callTool({ name, arguments: {} })) as never)).toBe(`${LONG}_lost`);
  const other = await connect(app, 'claude-code');
  expect(textOf((await other.callTool({ name: names[0] as string, arguments: {} })) as never)).toBe(
    `${LONG}_find`,
  );
});

test('35: names that are one in a client are a problem, with the keys of both', async () => {
  const app = await open([]);
  const twins = [tool('a-b', { key: 'find' }), tool('a_b', { key: 'seek' })];
  expect(() => app.registry.registerAll(...twins)).toThrow(
    /TW_COMPILE_NAME_TAKEN[^]*"a-b_read" \(find\) and "a_b_read" \(seek\)[^]*both "a_b_read"/,
  );
  const fixed = await open([], { surface: 'grouped-by-risk' });
  expect(() => fixed.registry.registerAll(...twins)).not.toThrow();
});

test('38: clients that read one page get all of the tools in it, and others page by page', async () => {
  const tools = Array.from({ length: 5 }, (_, index) => tool(`t${String(index)}`, { key: 'find' }));
  const app = await open(tools, { pageSize: 2 });
  for (const name of ['Zed', 'gemini-cli-mcp-client', 'claude-code']) {
    const { tools: listed, nextCursor } = await listFor(app, name);
    const isPaged = name === 'claude-code';
    expect([listed.length, nextCursor !== undefined]).toEqual(isPaged ? [2, true] : [6, false]);
  }
});

test('a list says on which surface it is; that of an application without the option says nothing', async () => {
  const app = await open(DESK);
  const marks = await Promise.all(
    ['claude-code', 'acme', 'openai-mcp'].map(
      async (name) => (await listFor(app, name))._meta?.['toolwright/surface'],
    ),
  );
  expect(marks).toEqual([
    expect.stringMatching(/^grouped-by-risk\/signatures@/),
    undefined,
    expect.stringMatching(/^flat@/),
  ]);
  expect(await listFor(await open(DESK, { surface: 'own' }), 'claude-code')).not.toHaveProperty('_meta');
});

test('an application says which clients get which surface', async () => {
  const { surfaces } = await open(LARGE);
  expect(Object.keys(surfaces)).toEqual(
    expect.arrayContaining([
      'own',
      'grouped-by-risk/signatures',
      'grouped-by-risk/signatures/schema-5000',
      'flat',
    ]),
  );
  expect(surfaces['grouped-by-risk/signatures/schema-5000']).toEqual({
    clients: ['codex'],
    tools: ['desk_find', 'desk_list', 'notes_read'],
    hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    beside: { read_result: ['codex'] },
  });
  const risk = surfaces['grouped-by-risk/signatures'];
  expect(risk?.beside['read_result']).not.toContain('claude-code');
  expect(risk?.beside['read_result']?.every((id) => risk.clients.includes(id))).toBe(true);
  expect(surfaces['own']?.beside).toEqual({});
  const toAll = await open(LARGE, { surface: { use: 'flat', asTools: true } });
  expect(toAll.surfaces['flat']?.beside).toEqual({ read_result: ['*'] });
  expect(surfaces['own']?.clients).toEqual(expect.arrayContaining(['ai-sdk', 'n8n']));
  const fixed = await open(LARGE, { surface: 'flat' });
  expect(Object.keys(fixed.surfaces)).toEqual(['flat']);
  expect(Object.keys((await open(LARGE, { surface: 'own' })).surfaces)).toEqual(['own']);
});

test('3: all that is wrong with the clients of an application is in one error', async () => {
  const surface = { use: 'auto', clients: { codx: 'flat', zedd: 'flat' } } as const;
  const error = await rejectionOf(open([], { surface, maskErrors: 5 as never }), Error);
  for (const part of ['has 3 problems', '"codx"', '"zedd"', 'maskErrors'])
    expect(String(error)).toContain(part);
});
