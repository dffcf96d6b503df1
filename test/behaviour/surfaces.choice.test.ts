import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  Action,
  Destructive,
  McpApplication,
  Module,
  ReadOnly,
  Scopes,
  ToolGroup,
  type ApplicationOptions,
} from 'toolwright';
import { jwt } from 'toolwright/auth';
import { eventually } from '../support/eventually.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { post2026 } from '../support/client-of-2026.ts';
import { send } from '../support/raw-http.ts';
import { testVerifier, tokenOf } from '../support/callers.ts';
import { TokenIssuer } from '../support/token-issuer.ts';

@ToolGroup({ name: 'notes' })
class Notes {
  @Action('Find notes') @ReadOnly() find(): string {
    return 'found';
  }
  @Action('Remove all') @Destructive() clear(): string {
    return 'cleared';
  }
}
@ToolGroup({ name: 'archive' })
class Archive {
  @Action('Burn all') @Scopes('notes:burn') burn(): string {
    return 'burnt';
  }
}
@Module({ controllers: [Archive] })
class ArchiveModule {}
@Module({ controllers: [Notes] })
class NotesModule {}

const GROUPED = ['notes'];
const BY_RISK = ['notes_read', 'notes_destructive'];
const FLAT = ['notes_find', 'notes_clear'];

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  delete process.env['TOOLWRIGHT_SURFACE'];
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function open(options: ApplicationOptions): Promise<McpApplication> {
  const app = await McpApplication.create(NotesModule, { logger: new MemoryLogger(), ...options });
  opened.push(app);
  return app;
}

async function listen(options: ApplicationOptions = { surface: 'grouped-by-risk' }): Promise<string> {
  return (await (await open(options)).listen({ port: 0 })).url;
}

/** The names that a client of 2025 lists, in a session. */
async function names2025(url: string, headers: Record<string, string> = {}): Promise<readonly string[]> {
  const client = new Client({ name: 'test', version: '1' });
  opened.push(client);
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  return (await client.listTools()).tools.map(({ name }) => name);
}

async function list2026(url: string, headers: Record<string, string> = {}) {
  const { body } = await post2026(url, 'tools/list', {}, headers);
  return (JSON.parse(body) as { result: { tools: readonly { name: string }[]; cacheScope: string } }).result;
}

const names2026 = async (url: string, headers?: Record<string, string>) =>
  (await list2026(url, headers)).tools.map(({ name }) => name);

describe.each([
  ['2025', names2025],
  ['2026', names2026],
] as const)('a client of %s', (_era, names) => {
  test('14: gets the surface of the path, then of the query, then of the header', async () => {
    const url = await listen();
    const header = { 'Toolwright-Surface': 'own' };
    expect(await names(url)).toEqual(BY_RISK);
    expect(await names(url, header)).toEqual(GROUPED);
    expect(await names(`${url}?surface=flat`, header)).toEqual(FLAT);
    expect(await names(`${url}/grouped?surface=flat`, header)).toEqual(GROUPED);
    expect(await names(`${url}/flat/`)).toEqual(FLAT);
  });

  test('16: gets that of the application where none may be chosen', async () => {
    const url = await listen({ surface: { use: 'flat', choose: false } });
    expect(await names(`${url}?surface=own`, { 'Toolwright-Surface': 'own' })).toEqual(FLAT);
    expect((await send(`${url}/own`, { method: 'GET' })).status).toBe(404);
  });
});

test('19: two clients with different surfaces do not get the form of the other one', async () => {
  const url = await listen();
  const asked = Array.from({ length: 60 }, (_, index) => index % 3);
  const got = await Promise.all(
    asked.map((which) => names2026([`${url}/flat`, `${url}?surface=own`, url][which] ?? '')),
  );
  expect(got).toEqual(asked.map((which) => [FLAT, GROUPED, BY_RISK][which]));
});

test('an application that says nothing of surfaces serves none of their paths', async () => {
  const url = await listen({});
  expect((await post2026(`${url}/flat`, 'tools/list')).status).toBe(404);
  expect(await names2026(`${url}?surface=flat`, { 'Toolwright-Surface': 'flat' })).toEqual(GROUPED);
});

test.each([
  ['?surface=flatt', {}],
  ['', { 'Toolwright-Surface': 'flatt' }],
])('15: %s %j is refused with the nearest name', async (query, headers) => {
  const { status, body } = await post2026(`${await listen()}${query}`, 'tools/list', {}, headers);
  expect(status).toBe(400);
  expect(JSON.parse(body)).toMatchObject({
    error: {
      code: -32602,
      message:
        'Unknown surface "flatt". Available: own, grouped, grouped-by-risk, flat, progressive. Did you mean "flat"?',
    },
  });
});

test('a path that names another thing is not found', async () => {
  expect((await post2026(`${await listen()}/flatt`, 'tools/list')).status).toBe(404);
});

describe('17: with sign-in', () => {
  const resource = 'https://mcp.example/mcp';
  const options = (): ApplicationOptions => ({
    surface: { use: 'own' },
    auth: { resource, verify: testVerifier },
  });

  test('the path of a surface has metadata of its own', async () => {
    const url = await listen(options());
    const path = '/.well-known/oauth-protected-resource/mcp';
    const read = async (at: string) =>
      JSON.parse((await send(url, { method: 'GET', path: at })).body) as { resource: string };
    expect((await read(path)).resource).toBe(resource);
    expect((await read(`${path}/flat`)).resource).toBe(`${resource}/flat`);
    expect((await send(url, { method: 'GET', path: `${path}/flatt` })).status).toBe(404);
    const { status, headers } = await post2026(`${url}/flat`, 'tools/list');
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain(`resource_metadata="https://mcp.example${path}/flat"`);
    expect((await post2026(url, 'tools/list')).headers['www-authenticate']).toContain(`mcp"`);
  });

  test('a token of another issuer is accepted there, also one that is for the URL of a surface', async () => {
    const issuer = await TokenIssuer.start();
    opened.push(issuer);
    const auth = { resource, verify: jwt({ issuer: issuer.url }) };
    const url = await listen({ surface: { use: 'own' }, auth });
    const status = async (aud: string, at = url) =>
      (await post2026(at, 'tools/list', {}, { authorization: `Bearer ${await issuer.sign({ aud })}` }))
        .status;
    for (const aud of [
      resource,
      `${resource}/flat`,
      `${resource}/grouped/`,
      `HTTPS://MCP.example/mcp/flat`,
    ]) {
      expect(await status(aud, `${url}/flat`)).toBe(200);
      expect(await status(aud)).toBe(200);
    }
    for (const aud of [
      `${resource}/flatt`,
      `${resource}/flat/own`,
      'https://mcp.example/flat',
      `${resource}flat`,
    ])
      expect(await status(aud, `${url}/flat`)).toBe(401);
    const byQuery = await listen({ surface: { use: 'own', choose: ['query'] }, auth });
    expect(await status(`${resource}/flat`, byQuery)).toBe(401);
  });

  test('a challenge for more scopes names the metadata of the surface', async () => {
    const app = await McpApplication.create(ArchiveModule, { logger: new MemoryLogger(), ...options() });
    opened.push(app);
    const { url } = await app.listen({ port: 0 });
    const authorization = `Bearer ${tokenOf({ sub: 'ada' })}`;
    for (const [path, tool, args] of [
      ['', 'archive', { action: 'burn' }],
      ['/flat', 'archive_burn', {}],
    ] as const) {
      const call = { name: tool, arguments: args };
      const { status, headers } = await post2026(`${url}${path}`, 'tools/call', call, { authorization });
      expect(status).toBe(403);
      const named = `https://mcp.example/.well-known/oauth-protected-resource/mcp${path}`;
      expect(headers['www-authenticate']).toContain(`resource_metadata="${named}"`);
    }
  });

  test('a token of the endpoint is accepted there', async () => {
    const url = await listen(options());
    const headers = { authorization: `Bearer ${tokenOf({ sub: 'ada' })}` };
    expect(await names2026(`${url}/flat`, headers)).toEqual(FLAT);
  });
});

test('the path of a surface belongs to the tenant before it', async () => {
  const verify = (token: string) => ({
    token,
    clientId: 'program',
    scopes: [],
    extra: { sub: 'ada', tenant: token, issuer: 'https://issuer.example' },
  });
  const resource = 'https://mcp.example/t/{tenant}/mcp';
  const url = await listen({
    surface: { use: 'own' },
    auth: { resource, verify: { issuers: ['https://issuer.example'], verify } },
  });
  const at = (path: string) => `${new URL(url).origin}${path}`;
  const headers = { authorization: 'Bearer acme' };
  expect(await names2026(at('/t/acme/mcp'), headers)).toEqual(GROUPED);
  expect(await names2026(at('/t/acme/mcp/flat'), headers)).toEqual(FLAT);
  expect((await post2026(at('/t/other/mcp/flat'), 'tools/list', {}, headers)).status).toBe(401);
  expect((await post2026(at('/t/acme/flat'), 'tools/list', {}, headers)).status).toBe(404);
  const path = '/.well-known/oauth-protected-resource/t/acme/mcp/flat';
  const { body } = await send(url, { method: 'GET', path });
  expect(JSON.parse(body)).toMatchObject({ resource: 'https://mcp.example/t/acme/mcp/flat' });
});

test('an endpoint or a tenant may have the name of a surface', async () => {
  const verify = (token: string) => ({
    token,
    clientId: 'program',
    scopes: [],
    extra: { sub: 'ada', tenant: token, issuer: 'https://issuer.example' },
  });
  const verifier = { issuers: ['https://issuer.example'], verify };
  const metadata = async (url: string, path: string) => {
    const whole = `/.well-known/oauth-protected-resource${path}`;
    return (JSON.parse((await send(url, { method: 'GET', path: whole })).body) as { resource: string })
      .resource;
  };
  const headers = { authorization: 'Bearer flat' };
  const tenants = await listen({
    surface: { use: 'own' },
    auth: { resource: 'https://mcp.example/mcp/{tenant}', verify: verifier },
  });
  const at = (path: string) => `${new URL(tenants).origin}${path}`;
  expect(await names2026(at('/mcp/flat'), headers)).toEqual(GROUPED);
  expect(await names2026(at('/mcp/flat/flat'), headers)).toEqual(FLAT);
  expect(await metadata(tenants, '/mcp/flat')).toBe('https://mcp.example/mcp/flat');
  expect(await metadata(tenants, '/mcp/flat/flat')).toBe('https://mcp.example/mcp/flat/flat');
  const app = await open({
    surface: { use: 'own' },
    auth: { resource: 'https://mcp.example/flat', verify: verifier },
  });
  const { url } = await app.listen({ port: 0, path: '/flat' });
  expect(await names2026(url, headers)).toEqual(GROUPED);
  expect(await names2026(`${url}/flat`, headers)).toEqual(FLAT);
  expect(await metadata(url, '/flat')).toBe('https://mcp.example/flat');
  expect(await metadata(url, '/flat/grouped')).toBe('https://mcp.example/flat/grouped');
});

describe('46: a list that is cached for all', () => {
  const cache = { ttl: 1000, scope: 'public' } as const;

  test('is a problem where a query or a header chooses', async () => {
    for (const choose of [undefined, ['query'], ['header']] as const)
      await expect(open({ cache, surface: { ...(choose && { choose }) } })).rejects.toThrow('cache.scope');
  });

  test('is allowed where each surface has its URL, or there is one', async () => {
    const url = await listen({ cache, surface: { choose: ['path'] } });
    expect(await list2026(`${url}/flat`)).toMatchObject({ cacheScope: 'public' });
    expect(await names2026(`${url}/flat`)).toEqual(FLAT);
    expect(await list2026(await listen({ cache, surface: { use: 'flat', choose: false } }))).toMatchObject({
      cacheScope: 'public',
    });
  });
});

describe('18: over stdio', () => {
  async function namesOver(options: ApplicationOptions): Promise<readonly string[]> {
    const app = await open(options);
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    let text = '';
    stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await app.stdio({ stdin, stdout, stderr: new PassThrough(), signals: false });
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    for (const message of [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    ])
      stdin.write(`${JSON.stringify(message)}\n`);
    await eventually(() => text.trim().split('\n').length === 2);
    const answers = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; result: { tools: readonly { name: string }[] } });
    return answers.find(({ id }) => id === 2)?.result.tools.map(({ name }) => name) ?? [];
  }

  test('TOOLWRIGHT_SURFACE chooses', async () => {
    process.env['TOOLWRIGHT_SURFACE'] = 'flat';
    expect(await namesOver({ surface: 'grouped-by-risk' })).toEqual(FLAT);
  });

  test('TOOLWRIGHT_SURFACE says nothing where none may be chosen', async () => {
    process.env['TOOLWRIGHT_SURFACE'] = 'flat';
    expect(await namesOver({})).toEqual(GROUPED);
    expect(await namesOver({ surface: { use: 'grouped-by-risk', choose: false } })).toEqual(BY_RISK);
  });

  test('a surface that does not exist is an error', async () => {
    process.env['TOOLWRIGHT_SURFACE'] = 'flatt';
    await expect(namesOver({ surface: {} })).rejects.toThrow('TW_SERVER_OPTION');
  });
});
