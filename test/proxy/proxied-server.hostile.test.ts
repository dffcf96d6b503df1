import { afterEach, describe, expect, test } from '@jest/globals';
import { AuthenticationError, McpApplication, type AuthInfo } from 'toolwright';
import { InMemoryAuditStore } from 'toolwright/audit';
import { ProxyModule } from 'toolwright/proxy';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { McpClient } from '../../src/client/mcp-client.ts';
import { WorkModule } from '../client/client-app.ts';
import { client2025, connectHttp, envelope, post2026 } from '../support/client-of-2026.ts';
import { eventually } from '../support/eventually.ts';
import { HostileServer, PENDING, type Answer } from '../support/hostile-server.ts';
import { lastingPort } from '../support/lasting-port.ts';
import { tries } from '../support/thorough.ts';
import { openGateway, type Gateway } from './upstreams.ts';

const opened: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

function kept<Thing extends { close(): Promise<unknown> }>(thing: Thing): Thing {
  opened.push(thing);
  return thing;
}

async function gateway(...given: Parameters<typeof openGateway>): Promise<Gateway> {
  const made = await openGateway(...given);
  kept(made.app);
  return made;
}

/** A server of 2025 with one tool, which answers calls as the test wants it. */
async function hostile(
  call: (params: unknown) => object | typeof PENDING,
  more: Answer = () => undefined,
): Promise<HostileServer> {
  const answer: Answer = (received, response) => {
    const { method, params } = received.message;
    if (method === 'tools/call') return call(params);
    return more(received, response) ?? (method === 'tools/list' ? { result: { tools: [TOOL] } } : undefined);
  };
  return kept(await HostileServer.open(answer));
}

const DISCOVERED = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
const TOOL = { name: 'odd', inputSchema: { type: 'object' } };

/** Our client takes results as they are; those of the SDK drop what they do not know. */
async function connect(url: string, headers: Readonly<Record<string, string>> = {}): Promise<McpClient> {
  return kept(await McpClient.connect(new HttpTransport(url, { headers }), { era: '2025' }));
}

describe('what passes', () => {
  test('definitions and results are those of the server, broken ones too', async () => {
    const tool = {
      name: 'odd',
      inputSchema: { type: 'array', 'x-own': 1 },
      annotations: { openWorldHint: 'perhaps' },
      later: [1, { two: 2 }],
      _meta: { 'own.example/key': true },
    };
    const result = {
      content: [
        { type: 'hologram', depth: 3 },
        { type: 'text', text: 'x', later: 1 },
      ],
      structuredContent: ['no object'],
      later: { a: null },
      _meta: { 'own.example/key': [1] },
    };
    const server = await hostile(
      () => ({ result }),
      ({ message }) => (message.method === 'tools/list' ? { result: { tools: [tool] } } : undefined),
    );
    const { url } = await gateway({ url: server.url, era: '2025' });
    const client = await connect(url);
    expect(await client.request('tools/list')).toEqual({ tools: [{ ...tool, name: 'work_odd' }] });
    expect(await client.request('tools/call', { name: 'work_odd', arguments: {} })).toEqual(result);
  });

  test('links and embedded resources get the URIs of here', async () => {
    const content = [
      { type: 'resource_link', uri: 'memo://one', name: 'one' },
      { type: 'resource', resource: { uri: 'file:///a b', text: 'x' } },
    ];
    const server = await hostile(() => ({ result: { content } }));
    const client = await connect((await gateway({ url: server.url, era: '2025' })).url);
    const { content: passed } = await client.callTool('work_odd');
    expect(passed).toEqual([
      { type: 'resource_link', uri: 'memo://work/one', name: 'one' },
      { type: 'resource', resource: { uri: 'file://work//a b', text: 'x' } },
    ]);
  });

  test('an error has the code, message and data of the server', async () => {
    const error = { code: -32050, message: 'boom', data: { why: 'because' } };
    const server = await hostile(() => ({ error }));
    const client = await connect((await gateway({ url: server.url, era: '2025' })).url);
    await expect(client.callTool('work_odd')).rejects.toMatchObject(error);
  });

  test('the name of the tool, the arguments and what the caller says beside them reach the server', async () => {
    const params: unknown[] = [];
    const server = await hostile((given) => {
      params.push(given);
      return { result: { content: [] } };
    });
    const client = await connect((await gateway({ url: server.url, era: '2025' })).url);
    const args = { deep: { list: [1, 'two', null] } };
    await client.request('tools/call', { name: 'work_odd', arguments: args, _meta: { 'own.example/k': 1 } });
    expect(params).toEqual([
      { name: 'odd', arguments: args, _meta: { 'own.example/k': 1, 'toolwright/hops': 1 } },
    ]);
  });
});

describe('names', () => {
  const tools = ['find', 'drop', 'delete_repo', 'delete_user', 'x'.repeat(80), 'turned\u202e', ''].map(
    (name) => ({ ...TOOL, name }),
  );
  const listing: Answer = ({ message }) =>
    message.method === 'tools/list' ? { result: { tools } } : undefined;

  test('are chosen, changed and cut, and what is hidden is not called', async () => {
    const calls: unknown[] = [];
    const server = await hostile((params) => {
      calls.push((params as { name: string }).name);
      return { result: { content: [] } };
    }, listing);
    const { url, logger } = await gateway({
      ...{ url: server.url, era: '2025', namespace: 'git', exclude: ['delete_*'], hide: ['drop'] },
      ...{ rename: { find: 'search' }, describe: { search: 'Searches' } },
    });
    const client = await connect(url);
    const listed = await client.listTools();
    expect(listed.map(({ name, description }) => [name.slice(0, 12), name.length, description])).toEqual([
      ['git_search', 10, 'Searches'],
      ['git_xxxxxxxx', 64, undefined],
    ]);
    await client.callTool('git_search');
    await client.callTool(listed[1]?.name ?? '');
    for (const name of ['git_drop', 'git_delete_repo', 'git_find', 'drop'])
      expect(await client.request('tools/call', { name })).toMatchObject({
        _meta: { 'toolwright/error': { code: 'UNKNOWN_TOOL' } },
      });
    expect(calls).toEqual(['find', 'x'.repeat(80)]);
    const messages = logger.records.map(({ message }) => message).join('\n');
    expect(messages).toContain('turned\\u202e');
  });

  test('stay with an empty namespace, and what the application has wins', async () => {
    const server = await hostile(
      () => ({ result: { content: [{ type: 'text', text: 'theirs' }] } }),
      ({ message }) =>
        ({
          'tools/list': { result: { tools: [TOOL, { ...TOOL, name: 'work_add' }] } },
          'resources/list': { result: { resources: [{ uri: 'odd://one', name: 'one' }] } },
          'resources/subscribe': { result: {} },
        })[message.method ?? ''],
    );
    const proxy = ProxyModule.forRoot({ name: 'odd', namespace: '', url: server.url, era: '2025' });
    const records: unknown[] = [];
    const app = kept(
      await McpApplication.create(
        { module: WorkModule, imports: [proxy] },
        { name: 'both', version: '1', logger: ({ code }) => void records.push(code) },
      ),
    );
    const client = await connect((await app.listen(0)).url);
    expect((await client.listTools()).map(({ name }) => name).filter((name) => /odd|add/.test(name))).toEqual(
      ['work_add', 'odd'],
    );
    expect(await client.callTool('work_add', { a: 1, b: 2 })).toMatchObject({
      content: [{ text: '{"sum":3}' }],
    });
    expect(await client.callTool('odd')).toMatchObject({ content: [{ text: 'theirs' }] });
    await expect(client.request('resources/subscribe', { uri: 'odd://else' })).rejects.toMatchObject({
      code: -32602,
    });
    await client.request('resources/subscribe', { uri: 'odd://one' });
    await eventually(() => server.received.some(({ message }) => message.method === 'resources/subscribe'));
    expect(records).toContain('TW_PROXY_NAME_TAKEN');
  });

  test('a URI is left out in every spelling of it, and a call has no URI', async () => {
    const read: unknown[] = [];
    const server = await hostile(
      () => PENDING,
      ({ message: { method, params } }, response) => {
        if (method === 'resources/read') {
          read.push((params as { uri: unknown }).uri);
          return { result: { contents: [] } };
        }
        if (method === 'tools/list') response.writeHead(500).end();
        return method === 'tools/list' ? PENDING : undefined;
      },
    );
    const options = { include: ['file:///pub/*'], exclude: ['file:///pub/secret*'] };
    const { url } = await gateway({ url: server.url, era: '2025', ...options });
    const client = await connect(url);
    for (const uri of [
      '/secret',
      '/%73ecret',
      '/%73ecret%zz',
      '/./secret',
      '/../key',
      '/%2e%2e/key',
      '/a\\..\\..\\key',
    ])
      await expect(client.readResource(`file://work//pub${uri}`)).rejects.toMatchObject({ code: -32602 });
    await client.readResource('file://work//pub/a..b/c%20d');
    expect(read).toEqual(['file:///pub/a..b/c%20d']);
    const called = await client.request('tools/call', { name: 'work_odd', uri: 'file://work//pub/a' });
    expect(called).toMatchObject({ isError: true });
    expect(server.received.some(({ message }) => message.method === 'tools/call')).toBe(false);
  });

  test('two servers with one namespace keep the application from starting', async () => {
    const imports = ['a', 'b'].map((name) =>
      ProxyModule.forRoot({ name, namespace: 'git', url: 'http://127.0.0.1:9/mcp' }),
    );
    await expect(McpApplication.create({ module: WorkModule, imports })).rejects.toThrow(
      'TW_PROXY_NAME_TAKEN',
    );
  });
});

describe('identity', () => {
  test('nothing by which a caller is known goes on, and a trace does', async () => {
    const server = await hostile(() => ({ result: { content: [] } }));
    const { url } = await gateway({ url: server.url, era: '2025', auth: { Authorization: 'Bearer ours' } });
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const client = await connect(url, {
      ...{ authorization: 'Bearer theirs', cookie: 'a=1', 'x-request-id': 'r-1', traceparent },
      ...{ 'x-own': 'private', 'mcp-param-a': 'b' },
    });
    await client.callTool('work_odd');
    const calls = server.received.filter(({ message }) => message.method === 'tools/call');
    expect(calls.map(({ headers }) => headers)).toMatchObject([
      { authorization: 'Bearer ours', 'x-request-id': 'r-1', traceparent },
    ]);
    const all = server.received.map(({ headers }) => JSON.stringify(headers)).join('\n');
    expect(all).not.toMatch(/theirs|cookie|x-own|mcp-param-a|mcp-session-id/);
  });

  test('a function says it for each caller, and sees no more than who calls what', async () => {
    const server = await hostile(() => ({ result: { content: [] } }));
    const seen: unknown[] = [];
    const { url } = await gateway({
      url: server.url,
      era: '2025',
      auth: (caller, { method, target }) => {
        seen.push([caller, method, target]);
        return { 'X-Key': `for ${method}`, Host: 'elsewhere.example', 'Mcp-Session-Id': 'forged' };
      },
    });
    const client = await connect(url);
    await client.callTool('work_odd');
    expect(seen).toEqual([
      [undefined, 'tools/call', undefined],
      [undefined, 'tools/call', 'odd'],
    ]);
    const [call] = server.received.filter(({ message }) => message.method === 'tools/call');
    expect(call?.headers).toMatchObject({ 'x-key': 'for tools/call', host: new URL(server.url).host });
    expect(call?.headers['mcp-session-id']).toBeUndefined();
  });

  test('a header that cannot be sent keeps the server from nobody else', async () => {
    let name = 'Ada \u2713';
    const server = await hostile(() => ({ result: { content: [{ type: 'text', text: 'hello' }] } }));
    const auth = (): Readonly<Record<string, string>> => ({ 'x-name': name });
    const { url } = await gateway({ url: server.url, era: '2025', auth });
    const client = await connect(url);
    expect(await client.listTools()).toEqual([]);
    name = 'Bob';
    expect(await client.callTool('work_odd')).toMatchObject({ content: [{ text: 'hello' }] });
  });

  test('a server that refuses the gateway is not a challenge of the gateway', async () => {
    const server = await hostile(
      () => PENDING,
      ({ message }, response) => {
        if (message.method !== 'tools/list') return undefined;
        response.writeHead(401, { 'www-authenticate': 'Bearer resource_metadata="http://x"' }).end('no');
        return PENDING;
      },
    );
    const { url } = await gateway({ url: server.url, era: '2025' });
    const call = { name: 'work_odd', arguments: {}, _meta: envelope() };
    const { status, headers, body } = await post2026(url, 'tools/call', call);
    expect(status).toBe(200);
    expect(headers['www-authenticate']).toBeUndefined();
    expect(body).toContain('UPSTREAM_REFUSED');
    expect(body).not.toContain('127.0.0.1');
  });
});

describe('the callers of the gateway', () => {
  const people: Readonly<Record<string, readonly string[]>> = { ada: ['work:use'], bob: [] };
  const auth = {
    resource: 'https://mcp.example/mcp',
    verify: {
      verify: (token: string) => {
        const scopes = people[token];
        if (scopes === undefined) throw new AuthenticationError(401);
        return Promise.resolve({ token, clientId: 'tests', scopes, extra: { sub: token } });
      },
    },
  };

  test('see a server and reach it with its scopes only, and the audit knows what they called', async () => {
    let count = 0;
    const server = await hostile(() => {
      count += 1;
      return { result: { content: [] } };
    });
    const audit = { store: new InMemoryAuditStore() };
    const { url } = await gateway({ url: server.url, era: '2025', scopes: ['work:use'] }, { auth, audit });
    const [ada, bob] = await Promise.all(
      ['ada', 'bob'].map((name) => connect(url, { authorization: `Bearer ${name}` })),
    );
    expect((await ada?.listTools())?.map(({ name }) => name)).toEqual(['work_odd']);
    expect(await bob?.listTools()).toEqual([]);
    await ada?.callTool('work_odd', { a: 1 });
    expect(await bob?.callTool('work_odd')).toMatchObject({
      _meta: { 'toolwright/error': { code: 'UNKNOWN_TOOL' } },
    });
    expect(count).toBe(1);
    const readCalls = () =>
      audit.store.lines
        .map((line) => JSON.parse(line) as { readonly type: string })
        .filter(({ type }) => type === 'outcome');
    await eventually(() => readCalls().length > 0);
    expect(readCalls()).toMatchObject([{ tool: 'work_odd', sub: 'ada', outcome: 'done' }]);
  });

  test.each(['2025', '2026'] as const)('do not get the headers of another one (%s)', async (era) => {
    const server = await hostile(
      () => ({ result: { resultType: 'complete', content: [] } }),
      ({ message }) => (message.method === 'server/discover' ? { result: DISCOVERED } : undefined),
    );
    const headers = (caller?: AuthInfo): Readonly<Record<string, string>> =>
      caller?.extra?.['sub'] === 'ada' ? { authorization: 'Bearer of Ada' } : {};
    const { url } = await gateway({ url: server.url, era, auth: headers }, { auth });
    const ada = await connect(url, { authorization: 'Bearer ada', 'x-request-id': 'r-1' });
    await ada.callTool('work_odd');
    server.received.length = 0;
    const bob = await connect(url, { authorization: 'Bearer bob' });
    await bob.listTools();
    await bob.callTool('work_odd');
    const methods = server.received.map(({ message }) => message.method);
    expect(methods).toEqual(expect.arrayContaining(['tools/list', 'tools/call']));
    expect(JSON.stringify(server.received.map((each) => each.headers))).not.toMatch(/Ada|r-1/);
  });

  test('get the questions of their own calls, however many run', async () => {
    const upstream = kept(await McpApplication.create(WorkModule, { name: 'work', version: '1' }));
    const { url: target } = await upstream.listen({ port: 0, sessions: true });
    const { url } = await gateway({ url: target, era: '2025' });
    const clients = await Promise.all(
      ['Ada', 'Bob'].map(async (name) => ({
        name,
        client: kept(
          await McpClient.connect(new HttpTransport(url), {
            era: '2025',
            onElicitation: () => ({ action: 'accept', content: { name } }),
          }),
        ),
      })),
    );
    const calls = clients.flatMap(({ name, client }) =>
      Array.from({ length: tries(20, 200) }, async () => ({
        name,
        result: await client.callTool('work_work_greet'),
      })),
    );
    for (const { name, result } of await Promise.all(calls))
      expect(result).toMatchObject({ content: [{ text: `Hello ${name}` }] });
  });
});

describe('a server', () => {
  test('that is away is warned of once, and announced when it is there', async () => {
    const port = await lastingPort();
    const { url, logger } = await gateway({ url: `http://127.0.0.1:${String(port)}/mcp` });
    const client = kept(await connectHttp(client2025(), url));
    const announced: string[] = [];
    client.setNotificationHandler('notifications/tools/list_changed', () => void announced.push('tools'));
    expect((await client.listTools()).tools).toEqual([]);
    expect(await client.callTool({ name: 'work_work_add', arguments: { a: 1, b: 2 } })).toMatchObject({
      isError: true,
      _meta: { 'toolwright/error': { code: 'UPSTREAM_UNAVAILABLE' } },
    });
    const upstream = await McpApplication.create(WorkModule, { name: 'work', version: '1' });
    kept(upstream);
    await upstream.listen({ port });
    await eventually(() => announced.length === 1);
    expect((await client.listTools()).tools).toHaveLength(6);
    expect(await client.callTool({ name: 'work_work_add', arguments: { a: 1, b: 2 } })).toMatchObject({
      content: [{ text: '{"sum":3}' }],
    });
    const codes = logger.records.flatMap(({ code }) => (code === undefined ? [] : [code]));
    expect(codes).toEqual(['TW_PROXY_UNREACHABLE']);

    await upstream.close();
    expect(await client.callTool({ name: 'work_work_add', arguments: { a: 1, b: 2 } })).toMatchObject({
      _meta: { 'toolwright/error': { code: 'UPSTREAM_UNAVAILABLE' } },
    });
    expect((await client.listTools()).tools).toHaveLength(6);
  });

  test.each([
    [
      'lists more than 10,000 tools',
      { tools: Array.from({ length: 10_001 }, (_, at) => ({ ...TOOL, name: `t${String(at)}` })) },
    ],
    ['gives no list', { tools: 'many' }],
    ['has pages without an end', { tools: [], nextCursor: 'same' }],
  ])('that %s has no tools here', async (_what, result) => {
    const server = await hostile(
      () => PENDING,
      ({ message }) => (message.method === 'tools/list' ? { result } : undefined),
    );
    const { url, logger } = await gateway({ url: server.url, era: '2025' });
    const client = await connect(url);
    expect(await client.listTools()).toEqual([]);
    expect(logger.records).toMatchObject([{ code: 'TW_PROXY_UNREACHABLE' }]);
  });

  test('that breaks off, sends elsewhere, answers garbage or refuses gives a code', async () => {
    let answer: Answer = (_received, response) => {
      response.destroy();
      return PENDING;
    };
    const server = kept(
      await HostileServer.open((received, response) =>
        received.message.method === 'tools/call'
          ? answer(received, response)
          : received.message.method === 'tools/list'
            ? { result: { tools: [TOOL] } }
            : undefined,
      ),
    );
    const client = await connect((await gateway({ url: server.url, era: '2025' })).url);
    const code = async (): Promise<unknown> =>
      ((await client.callTool('work_odd'))._meta?.['toolwright/error'] as { code: string }).code;
    expect(await code()).toBe('UPSTREAM_UNAVAILABLE');
    answer = (_received, response) => {
      response.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere' }).end();
      return PENDING;
    };
    expect(await code()).toBe('UPSTREAM_UNAVAILABLE');
    answer = () => ({ result: 'garbage' });
    expect(await code()).toBe('UPSTREAM_ANSWER');
    answer = (_received, response) => {
      response.writeHead(403).end('no');
      return PENDING;
    };
    expect(await code()).toBe('UPSTREAM_REFUSED');
  });

  test('that does not answer is not waited for', async () => {
    const server = await hostile(() => PENDING);
    const { url } = await gateway({ url: server.url, era: '2025', timeout: 1000 });
    const client = await connect(url);
    await eventually(async () => (await client.listTools()).length === 1);
    expect(await client.callTool('work_odd')).toMatchObject({
      _meta: { 'toolwright/error': { code: 'UPSTREAM_UNAVAILABLE' } },
    });
  });

  test('that is the gateway itself ends after eight rounds', async () => {
    const port = await lastingPort();
    const proxy = ProxyModule.forRoot({ name: 'me', url: `http://127.0.0.1:${String(port)}/mcp` });
    const app = kept(
      await McpApplication.create(
        { module: WorkModule, imports: [proxy] },
        { name: 'ring', version: '1', logger: () => undefined },
      ),
    );
    const { url } = await app.listen({ port });
    const client = await connect(url);
    const names = (await client.listTools()).map(({ name }) => name);
    const deepest = `${'me_'.repeat(8)}work_add`;
    expect(names.filter((name) => name.endsWith('work_add'))).toHaveLength(9);
    expect(names).toContain(deepest);
    expect(await client.callTool(deepest, { a: 1, b: 2 })).toMatchObject({
      content: [{ text: '{"sum":3}' }],
    });
    const call = { name: 'me_work_add', arguments: { a: 1, b: 2 }, _meta: { 'toolwright/hops': 8 } };
    expect(await client.request('tools/call', call)).toMatchObject({
      _meta: { 'toolwright/error': { code: 'UPSTREAM_REFUSED' } },
    });
  });
});
