import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTool, McpApplication } from 'toolwright';
import type {
  CheckAnswer,
  EvalsView,
  ExploredApplication,
  LockView,
  ModelView,
  SurfaceView,
} from '../../src/explorer/contract.ts';
import { ask, place, TasksModule, TaskStore, TOKEN } from '../support/explored-app.ts';
import { JSON_HEADERS, message, send } from '../support/raw-http.ts';

let application: McpApplication;
let origin: string;
let token: string;

beforeAll(async () => {
  application = await McpApplication.create(TasksModule, { name: 'task-board', version: '1.4.0' });
  [origin, token] = place(
    await application.listen({ port: 0, explorer: true, signals: false, sessions: false }),
  );
});

afterAll(() => application.close());

async function get<Body>(path: string, headers: Record<string, string> = {}): Promise<Body> {
  const { status, text } = await ask(`${origin}${path}`, { headers: { [TOKEN]: token, ...headers } });
  expect([status, text]).toEqual([200, expect.any(String)]);
  return JSON.parse(text) as Body;
}

/** Posts JSON to the API. */
async function check(body: unknown, headers: Record<string, string> = {}): Promise<CheckAnswer> {
  const { text } = await ask(`${origin}/explorer/api/check`, {
    method: 'POST',
    headers: { [TOKEN]: token, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return JSON.parse(text) as CheckAnswer;
}

describe('what it knows of an application', () => {
  test('each action with its own input, its marks and what is inside', async () => {
    const { server, tools, authorization } = await get<ExploredApplication>('/explorer/api/application');
    expect(server).toEqual({ name: 'task-board', version: '1.4.0' });
    expect(authorization).toBeUndefined();
    const [create, list, clear] = tools[0]?.actions ?? [];
    expect(create).toMatchObject({
      key: 'create',
      fixedArguments: { action: 'create' },
      inputSchema: { required: ['title', 'pin'] },
      isReadOnly: false,
      inside: {
        handler: 'Tasks.create()',
        middleware: ['Audit'],
        checks: [{ dto: 'NewTask', path: 'generated' }],
        sensitive: ['pin'],
      },
    });
    expect([list?.isReadOnly, clear?.isDestructive]).toEqual([true, true]);
    expect(tools[0]?.groups).toEqual({ '': 'The tasks' });
  });

  test('prompts, resources, and who needs whom', async () => {
    const { prompts, resources, graph } = await get<ExploredApplication>('/explorer/api/application');
    expect([prompts[0]?.id, resources[0]?.id]).toEqual(['review', 'tasks://all']);
    const id = (name: string) => graph.nodes.find((node) => node.name === name)?.id ?? '';
    expect(graph.edges).toContainEqual({ from: id('Tasks'), to: id('TaskStore') });
    expect(graph.nodes.find(({ name }) => name === 'Audit')).toMatchObject({
      kind: 'middleware',
      scope: 'singleton',
    });
  });

  test('a tool that a builder made is there as well', async () => {
    const plain = createTool('plain').action({
      name: 'echo',
      schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      handler: () => 'echo',
    });
    application.registry.register(plain);
    const { tools } = await get<ExploredApplication>('/explorer/api/application');
    expect(tools.find(({ name }) => name === 'plain')?.actions[0]).toMatchObject({
      key: 'echo',
      inside: { checks: [{ path: 'schema' }] },
    });
    application.registry.unregister('plain');
  });

  test('what a model sees: the text to the letter, its bytes, tokens, and what a form loses', async () => {
    const mcp = await get<ModelView>('/explorer/api/model?tool=tasks');
    const [tool] = mcp.tools;
    expect(JSON.parse(tool?.text ?? '')).toEqual(JSON.parse(JSON.stringify(application.definitions[0])));
    expect(mcp).toMatchObject({ format: 'mcp', isExact: true });
    expect(tool?.bytes).toBe(Buffer.byteLength(tool?.text ?? ''));
    const openai = await get<ModelView>('/explorer/api/model?format=openai');
    expect(openai).toMatchObject({ isExact: false, formats: expect.arrayContaining(['mcp', 'gemini']) });
    expect(openai.warnings.length).toBeGreaterThan(0);
    expect((await ask(`${origin}/explorer/api/model?format=x`, { headers: { [TOKEN]: token } })).status).toBe(
      404,
    );
  });

  test('surfaces of an application that offers one, and who asked for its tools', async () => {
    const flat = await get<SurfaceView>('/explorer/api/surface?surface=flat');
    expect(flat.model.tools.map(({ name }) => name)).toEqual(['tasks_create', 'tasks_list', 'tasks_clear']);
    expect(flat).toMatchObject({
      surface: 'flat',
      why: expect.stringMatching(/^No client gets it/),
      seen: [],
    });
    const agent = 'ai-sdk/2.0.99';
    await send(`${origin}/mcp`, {
      headers: { ...JSON_HEADERS, 'mcp-protocol-version': '2025-11-25', 'user-agent': agent },
      body: message('prompts/list'),
    });
    const { model, why, seen } = await get<SurfaceView>('/explorer/api/surface');
    expect(model.tools.map(({ name }) => name)).toEqual(['tasks']);
    expect(why).toMatch(/^All clients get it/);
    expect(seen).toEqual([{ at: expect.any(Number), era: '2025', id: 'ai-sdk', userAgent: agent }]);
  });

  test('nothing compares with a lock, and nothing looks for evals, outside of the command line', async () => {
    expect(await get<LockView>('/explorer/api/lock')).toEqual({ state: 'unknown', changes: [] });
    expect(await get<EvalsView>('/explorer/api/evals')).toEqual({ runs: [] });
  });
});

describe('the check', () => {
  const calls = [
    { tool: 'tasks', arguments: { action: 'create', title: '', priority: 9, extra: 1 } },
    { tool: 'tasks', arguments: { action: 'creat' } },
    { tool: 'tasks', arguments: {} },
    { tool: 'task', arguments: { action: 'create' } },
  ];

  test.each(calls)('says what a client would get: %j', async ({ tool, arguments: args }) => {
    const answer = await check({ tool, arguments: args });
    const { content } = await application.call(tool, args);
    expect(answer).toMatchObject({ ok: false, text: (content[0] as { text: string }).text });
  });

  test('names the fields, and calls nothing', async () => {
    expect(
      await check({ tool: 'tasks', arguments: { action: 'create', title: '', pin: 'x' } }),
    ).toMatchObject({
      ok: false,
      code: 'VALIDATION_FAILED',
      issues: [{ path: 'title' }],
    });
    const right = { tool: 'tasks', arguments: { action: 'create', title: 'a', pin: 'x' } };
    expect(await check(right)).toEqual({ ok: true });
    expect(application.get(TaskStore).titles).toEqual([]);
  });

  test.each(['', '{', '[]', '{"tool":1}', '{"tool":"tasks","arguments":[]}'])(
    'refuses the body %j',
    async (body) => {
      const headers = { [TOKEN]: token, 'content-type': 'application/json' };
      const { status } = await ask(`${origin}/explorer/api/check`, { method: 'POST', headers, body });
      expect(status).toBe(400);
    },
  );
});

describe('a view', () => {
  const post = (body: unknown, headers: Record<string, string> = { [TOKEN]: token }) =>
    ask(`${origin}/explorer/api/view`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const add = async (body: unknown): Promise<string> =>
    (JSON.parse((await post(body)).text) as { readonly path: string }).path;

  test('is served once, in a sandbox, with the policy that it declares', async () => {
    const connectDomains = ['https://api.example.com', "'self'", 'https://a.example; script-src *', 7];
    const path = await add({
      html: '<!doctype html>',
      csp: { connectDomains, resourceDomains: 'https://b' },
    });
    const { status, text, headers } = await ask(`${origin}${path}`);
    expect([status, text]).toEqual([200, '<!doctype html>']);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; " +
        "media-src data:; connect-src https://api.example.com; frame-src 'none'; base-uri 'none'; form-action 'none'; " +
        "frame-ancestors 'self'; sandbox allow-scripts",
    );
    expect((await ask(`${origin}${path}`)).status).toBe(404);
  });

  test('is taken with the token alone, and the latest eight wait', async () => {
    expect((await post({ html: '' }, {})).status).toBe(401);
    expect((await post({ html: 7 })).status).toBe(400);
    const [first, second] = await Promise.all([add({ html: '1' }), add({ html: '2' })]);
    for (let count = 0; count < 7; count += 1) await add({ html: 'more' });
    const statuses = await Promise.all([first, second].map(async (path) => ask(`${origin}${path}`)));
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});
