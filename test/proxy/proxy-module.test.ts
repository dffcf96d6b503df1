import { afterEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { McpApplication, Notifier } from 'toolwright';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { McpClient } from '../../src/client/mcp-client.ts';
import { WorkModule, WorkTools } from '../client/client-app.ts';
import { client2025, client2026, connectHttp, envelope, post2026 } from '../support/client-of-2026.ts';
import { eventually } from '../support/eventually.ts';
import { HostileServer, PENDING } from '../support/hostile-server.ts';
import { WITH_PACKAGE } from '../support/line-process.ts';
import { openGateway, serverOfVersion1, serverOfVersion2, type Gateway, type Upstream } from './upstreams.ts';

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

async function work(): Promise<{ app: McpApplication; url: string }> {
  const app = kept(await McpApplication.create(WorkModule, { name: 'work', version: '1.2.3', pageSize: 2 }));
  const { url } = await app.listen({ port: 0, sessions: true });
  return { app, url };
}

const ERAS = ['2025', '2026'] as const;
type Era = (typeof ERAS)[number];

const CAPABILITIES = { capabilities: { elicitation: { form: {} } } };

async function caller(url: string, era: Era, options: object = {}): Promise<Client> {
  const client = era === '2025' ? client2025(options) : client2026(options);
  return kept(await connectHttp(client, url));
}

const COMBINATIONS = ERAS.flatMap((from) => ERAS.map((to) => [from, to] as const));

describe.each([
  ['SDK v1', serverOfVersion1],
  ['SDK v2', serverOfVersion2],
] as const)('a server of %s', (_name, serve: () => Promise<Upstream>) => {
  test.each(ERAS)('is offered to a caller of %s', async (era) => {
    const { url } = kept(await serve());
    const client = await caller((await gateway({ url })).url, era);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['work_echo']);
    expect(await client.callTool({ name: 'work_echo', arguments: { text: 'hi' } })).toMatchObject({
      content: [{ type: 'text', text: 'hi' }],
    });
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['work_review']);
    expect(await client.getPrompt({ name: 'work_review', arguments: { code: '1+1' } })).toMatchObject({
      messages: [{ content: { text: 'Review 1+1' } }],
    });
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['memo://work/one']);
    expect(await client.readResource({ uri: 'memo://work/one' })).toMatchObject({
      contents: [{ uri: 'memo://work/one', text: 'the memo' }],
    });
  });
});

describe.each(COMBINATIONS)('a caller of %s and a server of %s', (from, to) => {
  async function both(options: object = {}): Promise<{ client: Client; app: McpApplication }> {
    const { app, url } = await work();
    const { url: endpoint } = await gateway({ url, era: to });
    return { client: await caller(endpoint, from, options), app };
  }

  test('list all pages, read templates, complete, and show what a tool refuses', async () => {
    const { client } = await both();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      ['add', 'where', 'greet', 'count', 'leave', 'hang'].map((name) => `work_work_${name}`),
    );
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'memo://work/all/{id}' },
    ]);
    expect(await client.readResource({ uri: 'memo://work/all/7' })).toMatchObject({
      contents: [{ uri: 'memo://work/all/7', text: 'memo 7' }],
    });
    const ref = { type: 'ref/prompt', name: 'work_praise' } as const;
    expect(await client.complete({ ref, argument: { name: 'name', value: 'A' } })).toMatchObject({
      completion: { values: ['Ada', 'Alan'] },
    });
    expect(await client.callTool({ name: 'work_work_add', arguments: { a: 'one', b: 2 } })).toMatchObject({
      isError: true,
    });
    expect(await client.callTool({ name: 'work_work_where', arguments: { region: 'eu' } })).toMatchObject({
      content: [{ text: 'eu' }],
    });
  });

  test('pass progress on in its order', async () => {
    const { client } = await both();
    const seen: unknown[] = [];
    await client.callTool(
      { name: 'work_work_count', arguments: { count: 3 } },
      { onprogress: ({ progress, total, message }) => seen.push([progress, total, message]) },
    );
    expect(seen).toEqual([1, 2, 3].map((step) => [step, 3, `step ${String(step)}`]));
  });

  test('cancel the call at the server', async () => {
    const { client, app } = await both();
    const stop = new AbortController();
    const call = client.callTool(
      { name: 'work_work_hang' },
      {
        signal: stop.signal,
        onprogress: () => {
          stop.abort(new Error('enough'));
        },
      },
    );
    await expect(call).rejects.toThrow();
    await eventually(() => app.get(WorkTools).cancelled.length === 1);
  });

  test('pass log messages on', async () => {
    const { client } = await both();
    const heard: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params.data));
    const { _meta } = { _meta: { 'io.modelcontextprotocol/logLevel': 'info' } };
    await client.callTool({
      name: 'work_work_count',
      arguments: { count: 1 },
      ...(from === '2026' && { _meta }),
    });
    await eventually(() => heard.length > 0);
    expect(heard).toEqual(['counted']);
  });

  test('ask the client, and call the tool once', async () => {
    const { client } = await both(CAPABILITIES);
    const asked: unknown[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return { action: 'accept' as const, content: { name: 'Ada' } };
    });
    const result = await client.callTool({ name: 'work_work_greet' });
    expect(result).toMatchObject({ content: [{ text: 'Hello Ada' }] });
    expect(asked).toEqual(['What is your name?']);
  });
});

describe.each(ERAS)('questions of a server of %s to a caller of 2026', (era) => {
  async function asker(): Promise<(more?: object) => Promise<Answered>> {
    const { url } = await work();
    const { url: endpoint } = await gateway({ url, era });
    const params = { name: 'work_work_greet', arguments: {}, _meta: envelope(CAPABILITIES.capabilities) };
    return async (more = {}) => {
      const { body } = await post2026(endpoint, 'tools/call', { ...params, ...more });
      return JSON.parse(body.split('data: ').at(-1) ?? '') as Answered;
    };
  }

  function answersTo({ result }: Answered) {
    const { inputRequests, requestState } = result as unknown as Questions;
    const [name = ''] = Object.keys(inputRequests);
    return { requestState, inputResponses: { [name]: { action: 'accept', content: { name: 'Ada' } } } };
  }

  test('come back with a state that no other call takes', async () => {
    const ask = await asker();
    const answers = answersTo(await ask());
    const { requestState: state } = answers;
    const changed = {
      ...answers,
      requestState: `${state.slice(0, 40)}${state[40] === 'A' ? 'B' : 'A'}${state.slice(41)}`,
    };
    expect((await ask(changed)).error).toMatchObject({ code: -32602 });
    const other = { ...answers, name: 'work_work_add', arguments: { a: 1, b: 2 } };
    expect((await ask(other)).error).toMatchObject({ code: -32602 });
    expect((await ask(answers)).result).toMatchObject({ content: [{ text: 'Hello Ada' }] });
    if (era === '2025') expect((await ask(answers)).error).toMatchObject({ code: -32602 });
  });
});

test('a caller has five calls at most that wait at servers of 2025', async () => {
  const { url } = await work();
  const verify = (token: string) => Promise.resolve({ token, clientId: 'tests', scopes: [] });
  const auth = { resource: 'https://mcp.example/mcp', verify: { verify } };
  const { url: endpoint } = await gateway({ url, era: '2025' }, { auth });
  const call = { name: 'work_work_greet', arguments: {}, _meta: envelope(CAPABILITIES.capabilities) };
  const outcomes: unknown[] = [];
  for (let count = 0; count < 6; count += 1) {
    const { body } = await post2026(endpoint, 'tools/call', call, { authorization: 'Bearer ada' });
    const { result } = JSON.parse(body.split('data: ').at(-1) ?? '') as Answered;
    const { resultType, _meta: meta } = result as {
      resultType?: string;
      _meta?: Readonly<Record<string, unknown>>;
    };
    outcomes.push((meta?.['toolwright/error'] as { code?: string } | undefined)?.code ?? resultType);
  }
  expect(outcomes).toEqual([...Array.from({ length: 5 }, () => 'input_required'), 'CONCURRENCY_LIMITED']);
});

test('a server that asks and asks has 100 questions at one time, and pings give it no more of it', async () => {
  const event = (id: string, method: string): string =>
    `data: ${JSON.stringify({ jsonrpc: '2.0', id, method, params: { message: 'Who?' } })}\n\n`;
  let asked = '';
  let pinging: NodeJS.Timeout | undefined;
  const server = kept(
    await HostileServer.open(({ message: { method } }, response) => {
      if (method === 'tools/list')
        return { result: { tools: [{ name: 'odd', inputSchema: { type: 'object' } }] } };
      if (method !== 'tools/call') return undefined;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(asked);
      clearInterval(pinging);
      if (asked === '') pinging = setInterval(() => response.write(event('p', 'ping')), 50);
      return PENDING;
    }),
  );
  const { url } = await gateway({ url: server.url, era: '2025', timeout: 400 });
  const client = kept(await McpClient.connect(new HttpTransport(url), { era: '2025' }));
  expect(await client.callTool('work_odd')).toMatchObject({ isError: true });
  clearInterval(pinging);
  asked = Array.from({ length: 103 }, (_, at) => event(`q${String(at)}`, 'elicitation/create')).join('');
  const meta = envelope({ elicitation: { form: {} } });
  const { body } = await post2026(url, 'tools/call', { name: 'work_odd', arguments: {}, _meta: meta });
  expect(body).toContain('input_required');
  const refused = () => server.received.filter((each) => each.body.includes('Too many questions'));
  await eventually(() => refused().length === 3);
});

interface Answered {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number };
}

interface Questions {
  readonly inputRequests: Readonly<Record<string, unknown>>;
  readonly requestState: string;
}

describe('changes', () => {
  test.each(COMBINATIONS)('reach a caller of %s from a server of %s, renamed', async (from, to) => {
    const app = kept(await McpApplication.create(WorkModule, { name: 'work', version: '1' }));
    const { url } = await app.listen({ port: 0, sessions: true });
    const { url: endpoint } = await gateway({ url, era: to });
    const heard: string[] = [];
    const client = kept(
      await McpClient.connect(new HttpTransport(endpoint), {
        era: from,
        onNotification: (method, { uri }) => void heard.push(typeof uri === 'string' ? uri : method),
      }),
    );
    await client.listTools();
    await client.subscribe({ tools: true, uris: ['memo://work/one'] });
    // The subscription at the server begins after that of the caller
    await eventually(() => {
      app.get(Notifier).resourceUpdated('memo://one');
      return heard.includes('memo://work/one');
    });
    expect(heard).not.toContain('notifications/tools/list_changed');
    app.registry.disable('work');
    await eventually(() => heard.includes('notifications/tools/list_changed'));
    expect(await client.listTools()).toEqual([]);
  });
});

describe('a program', () => {
  const file = fileURLToPath(new URL('../client/stdio-app.ts', import.meta.url));
  const command = { command: process.execPath, args: [...WITH_PACKAGE, file] };

  test.each(ERAS)('of %s is started for its callers, and again after it has crashed', async (era) => {
    const { url } = await gateway({ command, era });
    const client = await caller(url, '2025', CAPABILITIES);
    client.setRequestHandler('elicitation/create', () => ({
      action: 'accept' as const,
      content: { name: 'Ada' },
    }));
    await eventually(async () => (await client.listTools()).tools.length === 6);
    expect(await client.callTool({ name: 'work_work_greet' })).toMatchObject({
      content: [{ text: 'Hello Ada' }],
    });
    const children = await childrenOf(process.pid);
    expect(children).toHaveLength(era === '2025' ? 2 : 1);
    for (const child of children) process.kill(child, 'SIGKILL');
    await eventually(async () => {
      const call = { name: 'work_work_add', arguments: { a: 1, b: 2 } };
      const { isError } = await client.callTool(call);
      return isError !== true;
    });
  });
});

/** The processes that run the server of this file. */
async function childrenOf(parent: number): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=,args=', '--ppid', String(parent)]);
  return stdout
    .split('\n')
    .filter((line) => line.includes('stdio-app.ts'))
    .map((line) => Number.parseInt(line, 10));
}
