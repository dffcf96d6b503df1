import { afterEach, describe, expect, test } from '@jest/globals';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  Action,
  createTool,
  Destructive,
  InMemoryStore,
  McpApplication,
  Module,
  ReadOnly,
  ToolContext,
  ToolGroup,
  type ApplicationOptions,
} from 'toolwright';
import { connectHttp, post2026, REVISION_2026 } from '../support/client-of-2026.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { openReplicas } from '../support/replicas.ts';
import { send, JSON_HEADERS } from '../support/raw-http.ts';
import { textOf } from '../support/text-of.ts';

@ToolGroup({ name: 'notes' })
class Notes {
  @Action('Find notes') @ReadOnly() find(ctx: ToolContext): string {
    return ctx.surface;
  }
  @Action('Remove all') @Destructive() clear(): string {
    return 'cleared';
  }
}
@Module({ controllers: [Notes] })
class NotesModule {}

const OWN = ['notes'];
const BY_RISK = ['notes_read', 'notes_destructive'];
const FLAT = ['notes_find', 'notes_clear'];

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function open(options: ApplicationOptions = {}): Promise<McpApplication> {
  const app = await McpApplication.create(NotesModule, {
    ...{ logger: new MemoryLogger(), surface: 'auto' },
    ...options,
  });
  opened.push(app);
  return app;
}

async function listen(options?: ApplicationOptions, sessions?: false): Promise<string> {
  const app = await open(options);
  return (await app.listen({ port: 0, ...(sessions === undefined ? {} : { sessions }) })).url;
}

interface Info {
  readonly name: string;
  readonly version: string;
}

async function connect2025(url: string, info: Info): Promise<Client> {
  const client = new Client(info);
  opened.push(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

async function connect2026(url: string, info: Info): Promise<Client2> {
  const client = new Client2(info, { versionNegotiation: { mode: { pin: REVISION_2026 } } });
  opened.push(client);
  return connectHttp(client, url);
}

describe.each([
  ['2025', connect2025],
  ['2026', connect2026],
] as const)('a client of %s', (_era, connect) => {
  const namesFor = async (url: string, name: string): Promise<readonly string[]> => {
    const client = await connect(url, { name, version: '1.0.0' });
    return (await client.listTools()).tools.map((tool) => tool.name);
  };

  test('7, 8: gets the surface that fits it, and one that nobody knows what the application declares', async () => {
    const url = await listen();
    for (const known of ['claude-code', 'claude-ai', 'Anthropic', 'Visual Studio Code - Insiders'])
      expect(await namesFor(url, known)).toEqual(BY_RISK);
    for (const unknown of ['acme', 'ai-sdk-mcp-client', 'CLAUDE-CODE', '__proto__'])
      expect(await namesFor(url, unknown)).toEqual(OWN);
  });

  test('6: gets the same as all others, where the application says nothing', async () => {
    expect(await namesFor(await listen({ surface: 'own' }), 'claude-code')).toEqual(OWN);
  });

  test('37: few actions are listed flat for a client that wants it, and many are not', async () => {
    const app = await open();
    const { url } = await app.listen({ port: 0 });
    expect(await namesFor(url, 'openai-mcp')).toEqual([...FLAT, 'read_result']);
    const many = createTool('many');
    for (let index = 0; index < 29; index += 1)
      many.action({
        name: `act${String(index)}`,
        description: 'Acts',
        readOnly: true,
        handler: () => 'done',
      });
    app.registry.register(many);
    expect(await namesFor(url, 'openai-mcp')).toEqual(expect.arrayContaining(BY_RISK));
  });

  test('runs what it was listed, and knows on which surface', async () => {
    const client = await connect(await listen(), { name: 'cursor-vscode', version: '1.0.0' });
    const answer = await client.callTool({ name: 'notes_read', arguments: { action: 'find' } });
    expect(textOf(answer as never)).toBe('grouped-by-risk');
  });

  test('gets what was said for it, or what it chose', async () => {
    const clients = { 'claude-code': 'flat', acme: 'grouped' } as const;
    const facts = { clients: { acme: { title: 'Acme', match: ['acme-*'], facts: {} } } };
    const url = await listen({ surface: { use: 'auto', clients, profiles: facts } });
    expect(await namesFor(url, 'claude-code')).toEqual(FLAT);
    expect(await namesFor(`${url}?surface=grouped-by-risk`, 'acme-desk')).toEqual(BY_RISK);
    expect(await namesFor(url, 'acme-desk')).toEqual([...OWN, 'read_result']);
  });
});

/** Named so by the session alone: no further request says who the client is. */
async function namesIn(client: Client): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

test('11: a session keeps who its client is when the server is replaced, and gets word of another list', async () => {
  const former = await open();
  const { url } = await former.listen({ port: 0 });
  const known = await connect2025(url, { name: 'claude-code', version: '1.0.0' });
  const unknown = await connect2025(url, { name: 'acme', version: '1.0.0' });
  const heard = new Promise((resolve) => {
    known.setNotificationHandler(ToolListChangedNotificationSchema, resolve);
  });
  expect([await namesIn(known), await namesIn(unknown)]).toEqual([BY_RISK, OWN]);
  former.replaceWith(await open({ surface: { use: 'auto', clients: { 'claude-code': 'flat' } } }));
  await heard;
  expect([await namesIn(known), await namesIn(unknown)]).toEqual([FLAT, OWN]);
});

test('another list of tools for some clients is a change, and none is not', async () => {
  const changes = async (surface: ApplicationOptions['surface'] = 'auto'): Promise<readonly string[]> =>
    (await open()).replaceWith(await open({ surface })).changed;
  expect(await changes({ use: 'auto', riskNames: { read: 'look' } })).toEqual(['tools']);
  expect(await changes({ use: 'auto', clients: { codex: 'flat' } })).toEqual(['tools']);
  expect(await changes()).toEqual([]);
});

test('12: a session has the same surface on each replica', async () => {
  const store = new InMemoryStore();
  const backplane = { open: () => Promise.resolve({ store }) };
  const replicas = await openReplicas(NotesModule, { backplane, count: 3, surface: 'auto' });
  opened.push(replicas);
  const client = await connect2025(replicas.proxy.url, { name: 'claude-code', version: '1.0.0' });
  for (let request = 0; request < 4; request += 1) {
    expect(await namesIn(client)).toEqual(BY_RISK);
    const answer = await client.callTool({ name: 'notes_read', arguments: { action: 'find' } });
    expect(textOf(answer as never)).toBe('grouped-by-risk');
  }
});

test('9: a name that is none is nobody, and in no log', async () => {
  const logger = new MemoryLogger();
  const url = await listen({ logger });
  for (const name of ['', 'x'.repeat(300), 'claude-code\u0000']) {
    const body = { ...{ jsonrpc: '2.0', id: 1, method: 'tools/list' } };
    const meta = {
      'io.modelcontextprotocol/protocolVersion': REVISION_2026,
      'io.modelcontextprotocol/clientInfo': { name, version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const { status, body: text } = await send(url, {
      headers: { ...JSON_HEADERS, 'mcp-protocol-version': REVISION_2026, 'mcp-method': 'tools/list' },
      body: JSON.stringify({ ...body, params: { _meta: meta } }),
    });
    if (status === 200) expect(text).toContain('"name":"notes"');
    expect(text).not.toContain('notes_read');
  }
  expect(JSON.stringify(logger.records)).not.toContain('xxxxxxxx');
});

test('10: a call that does not say who calls runs under the names of the list', async () => {
  const { status, body } = await post2026(await listen(), 'tools/call', {
    name: 'notes_read',
    arguments: { action: 'find' },
  });
  expect([status, body]).toEqual([200, expect.stringContaining('"text":"own"')]);
});

test('13: a header says who it is where nothing else does', async () => {
  const url = await listen({ surface: { use: 'auto', clients: { 'ai-sdk': 'flat' } } }, false);
  const list = async (headers: Record<string, string>) =>
    (
      await send(url, {
        headers: { ...JSON_HEADERS, 'mcp-protocol-version': '2025-11-25', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      })
    ).body;
  expect(await list({ 'user-agent': 'ai-sdk/2.0.99' })).toContain('notes_find');
  expect(await list({ 'user-agent': 'curl/8' })).not.toContain('notes_find');
});

test('46: a list for each client must not be cached for all of them', async () => {
  const cache = { ttl: 1000, scope: 'public' } as const;
  const surface = { use: 'auto', choose: false } as const;
  await expect(open({ cache, surface })).rejects.toThrow(/cache\.scope[^]*the client of a request/);
});

test.each([
  [{ use: 'auto', clients: { codx: 'flat' } }, /option surface\.clients[^]*"codx"[^]*codex/],
  [{ use: 'auto', clients: { codex: 'round' } }, /surface\.clients/],
  [
    { use: 'auto', profiles: { clients: { acme: { title: 'Acme', facts: { odd: 1 } } } } },
    /TW_PROFILES_INVALID/,
  ],
  [{ use: 'auto', profiles: 5 }, /surface\.profiles/],
])('3: %j is a problem of the start', async (surface, problem) => {
  await expect(open({ surface: surface as never })).rejects.toThrow(problem);
});
