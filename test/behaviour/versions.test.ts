import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { IsString } from 'class-validator';
import { Action, Module, ToolContext, ToolGroup } from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { envelope, headers2026, message2026, connectFetch, client2026 } from '../support/client-of-2026.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { JSON_HEADERS } from '../support/raw-http.ts';
import { factsOf, textOf } from '../support/text-of.ts';
import { seen, TasksModule } from '../support/versioned-tasks.ts';

const VERSIONS = 'toolwright/versions';
const first = { action: 'create', title: 'a' };
const second = { action: 'create', summary: 'a' };

describe('versions of actions in one tool', () => {
  let app: TestApplication;
  let client: Client;

  beforeEach(async () => {
    seen.length = 0;
    app = await createTestApplication(TasksModule, { logger: new MemoryLogger() });
    client = await app.client();
  });
  afterEach(() => app.close());

  test('are one key of the list, with the schema and the text of the newest release', async () => {
    const [tool, ...others] = await app.listTools();
    expect(others).toEqual([]);
    expect(tool?.inputSchema.properties?.['action']).toMatchObject({
      enum: ['create', 'list', 'dump', 'refuse'],
    });
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(['action', 'summary']);
    expect(tool?.description).toBe(
      [
        'Manage tasks. Actions: create, list, dump, refuse',
        '',
        'Workflow:',
        "- 'create': New way. Requires: summary",
        "- 'dump': Deprecated since 1.2.0; use list",
      ].join('\n'),
    );
  });

  test('are listed in the `_meta` of the tool, and its hints are true of all of them', async () => {
    const [tool] = await app.listTools();
    expect(tool?._meta).toEqual({
      [VERSIONS]: { create: ['3.0.0-beta.1', '2.0.0', '1.0.0'], refuse: ['1.0.0'] },
    });
    expect(tool?.annotations).toMatchObject({ destructiveHint: true, readOnlyHint: false });
    expect(tool?.execution).toEqual({ taskSupport: 'optional' });
  });

  test('run in the listed version when a call asks for none', async () => {
    const result = await client.callTool({ name: 'tasks', arguments: second });
    expect(result).toMatchObject({ content: [{ text: 'second a' }] });
    expect(result._meta).toEqual({ 'toolwright/version': '2.0.0' });
  });

  test.each([
    ['^1', first, 'first a', '1.0.0'],
    ['>=1 <3', second, 'second a', '2.0.0'],
    ['*', second, 'second a', '2.0.0'],
    ['>=3.0.0-alpha', second, 'third a', '3.0.0-beta.1'],
  ])(
    'run in the newest version that meets %p, before anything is validated',
    async (range, args, text, version) => {
      const params = { name: 'tasks', arguments: args, _meta: { [VERSIONS]: { create: range } } };
      const result = await client.callTool(params);
      expect(result).toMatchObject({ content: [{ text }], _meta: { 'toolwright/version': version } });
      const local = await app.call('tasks', args, { version: range });
      expect(textOf(local)).toBe(text);
      expect(seen.map((call) => call.version)).toEqual([version, version]);
    },
  );

  test('say in the result that they are deprecated', async () => {
    const old = await app.call('tasks', first, { version: '1.x' });
    expect(old._meta).toEqual({
      'toolwright/version': '1.0.0',
      'toolwright/deprecated': { since: '1.5.0', use: 'create', until: '3.0.0' },
    });
    const dump = await app.call('tasks', { action: 'dump' });
    expect(dump._meta).toEqual({ 'toolwright/deprecated': { since: '1.2.0', use: 'list' } });
    expect(await app.call('tasks', { action: 'list' })).not.toHaveProperty('_meta');
  });

  test('say which one failed', async () => {
    const result = await app.call('tasks', { action: 'create', title: 'a' });
    expect(result).toMatchObject({ isError: true, _meta: { 'toolwright/version': '2.0.0' } });
    expect(factsOf(result)).toMatchObject({ code: 'VALIDATION_FAILED', action: 'create' });
  });

  test('leave the JSON-RPC error that a handler threw to the client', async () => {
    await expect(client.callTool({ name: 'tasks', arguments: { action: 'refuse' } })).rejects.toMatchObject({
      code: -32_000,
    });
  });

  test('are listed by the error of a call whose range has none of them', async () => {
    const result = await app.call('tasks', second, { meta: { [VERSIONS]: { create: '^4' } } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      [
        'create has no version in the range "^4"',
        'Code: VERSION_UNAVAILABLE',
        'Available versions: 3.0.0-beta.1, 2.0.0, 1.0.0',
      ].join('\n'),
    );
    expect(factsOf(result)).toMatchObject({ availableVersions: ['3.0.0-beta.1', '2.0.0', '1.0.0'] });
    expect(seen).toEqual([]);
  });

  test.each([
    [{ create: 'two' }],
    [{ create: 2 }],
    [{ create: null }],
    [['^1']],
    [7],
    [null],
    ['>>1'],
    [`${'1.0.0 || '.repeat(40)}1.0.0`],
  ])('refuse the constraint %j, which is none', async (asked) => {
    const result = await app.call('tasks', second, { meta: { [VERSIONS]: asked } });
    expect(factsOf(result)).toMatchObject({ code: 'VERSION_CONSTRAINT_INVALID', action: 'create' });
    expect(seen).toEqual([]);
  });

  test('are no matter of calls that ask for versions of other actions', async () => {
    const meta = { [VERSIONS]: { other: '^9', constructor: 'x' } };
    expect(textOf(await app.call('tasks', second, { meta }))).toBe('second a');
  });

  test('cannot be asked for where an action has none', async () => {
    const result = await app.call('tasks', { action: 'list' }, { version: '^1' });
    expect(factsOf(result)).toMatchObject({ code: 'VERSION_UNAVAILABLE', message: 'list has no versions' });
  });

  test('decide whether a call becomes a task', async () => {
    const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    const answerTo = async (version: string): Promise<unknown> => {
      const _meta = envelope(capabilities, { [VERSIONS]: version });
      const message = message2026('tools/call', { name: 'tasks', arguments: first, _meta });
      const headers = { ...JSON_HEADERS, ...headers2026('tools/call', 'tasks') };
      const init = { method: 'POST', headers, body: JSON.stringify(message) };
      const response = await app.app.fetch(new Request('http://localhost/mcp', init));
      const { result } = (await response.json()) as { readonly result: { readonly resultType: unknown } };
      return result.resultType;
    };
    expect(await Promise.all(['^1', '^2', '^9', '?'].map(answerTo))).toEqual([
      'task',
      'complete',
      'complete',
      'complete',
    ]);
  });

  test('are seen by filters one by one, which may leave another one to be listed', async () => {
    const filter = { tags: ['old'] };
    const [tool] = app.app.registry.getTools(filter);
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(['action', 'title']);
    // The newer version that it would point to is hidden
    expect(tool?.description).toBe(
      "Manage tasks. All actions are deprecated. Actions: create\n\nWorkflow:\n- 'create': Old way. Requires: title. Deprecated since 1.5.0, gone in 3.0.0 ⚠️ DESTRUCTIVE",
    );
    const result = await app.app.registry.routeCall('tasks', second, undefined, { filter, version: '^2' });
    expect(factsOf(result)).toMatchObject({ code: 'VERSION_UNAVAILABLE', availableVersions: ['1.0.0'] });
  });

  test('are switched off together', async () => {
    app.app.registry.disable('tasks', 'create');
    const result = await app.call('tasks', first, { version: '^1' });
    expect(factsOf(result)).toMatchObject({ code: 'UNKNOWN_ACTION' });
  });

  test('are leaves of one name in the model, each with its version', () => {
    const [group] = app.app.model.groups;
    const leaves = group?.childTools.map(({ name, meta }) => [name, meta?.get('toolwright/version')]);
    expect(leaves?.slice(0, 4)).toEqual([
      ['create', '1.0.0'],
      ['create', '2.0.0'],
      ['create', '3.0.0-beta.1'],
      ['list', undefined],
    ]);
  });
});

describe('versions that clients ask for', () => {
  class Name {
    @IsString() name!: string;
  }

  @ToolGroup({ name: 'mail', expose: 'flat', prefix: '' })
  class MailTools {
    @Action({ name: 'send', version: '1.0.0', task: true })
    sendFirst(ctx: ToolContext): Promise<string> {
      return this.#ask(ctx, 'first');
    }

    @Action({ name: 'send', version: '2.0.0' })
    send(ctx: ToolContext): Promise<string> {
      return this.#ask(ctx, 'second');
    }

    async #ask(ctx: ToolContext, version: string): Promise<string> {
      const answer = await ctx.ask(Name, 'Who?');
      return `${version} ${answer.action === 'accept' ? answer.content.name : ''}`;
    }
  }

  @Module({ controllers: [MailTools] })
  class MailModule {}

  let app: TestApplication;
  beforeEach(async () => {
    app = await createTestApplication(MailModule, { logger: new MemoryLogger() });
  });
  afterEach(() => app.close());

  const versions = (range: string) => ({ 'toolwright/versions': { send: range } });
  const TASKS = { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const ASKING = { elicitation: { form: {} } };

  async function send(capabilities: object, meta: Record<string, unknown>, others: object = {}) {
    const params = { name: 'send', ...others, _meta: envelope(capabilities, meta) };
    const headers = { ...JSON_HEADERS, ...headers2026('tools/call', 'send') };
    const body = JSON.stringify(message2026('tools/call', params));
    const response = await app.app.fetch(
      new Request('http://localhost/mcp', { method: 'POST', headers, body }),
    );
    const text = await response.text();
    const json = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '');
    return JSON.parse(json) as { result?: Record<string, unknown>; error?: { message: string } };
  }

  test('The version that a client asked for goes on with its answers', async () => {
    const client = client2026({ capabilities: ASKING });
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
    await connectFetch(client, app.app.fetch);
    const first = await client.callTool({ name: 'send', _meta: versions('^1') });
    expect(first).toMatchObject({
      content: [{ text: 'first Ada' }],
      _meta: { 'toolwright/version': '1.0.0' },
    });
    const second = await client.callTool({ name: 'send' });
    expect(second).toMatchObject({
      content: [{ text: 'second Ada' }],
      _meta: { 'toolwright/version': '2.0.0' },
    });
    await client.close();
  });

  test('Answers do not go to another version than the one that asked', async () => {
    const asked = (await send(ASKING, versions('^1'))).result;
    const { requestState, inputRequests } = asked as { requestState: string; inputRequests: object };
    const [question = ''] = Object.keys(inputRequests);
    const inputResponses = { [question]: { action: 'accept', content: { name: 'Ada' } } };
    const other = await send(ASKING, {}, { requestState, inputResponses });
    expect(other.error?.message).toMatch(/requestState/);
    const same = await send(ASKING, versions('^1'), { requestState, inputResponses });
    expect(same.result).toMatchObject({ content: [{ text: 'first Ada' }] });
  });

  test('A call becomes a task where the version that it asks for does', async () => {
    expect((await send(TASKS, versions('^1'))).result).toMatchObject({ resultType: 'task' });
    expect((await send(TASKS, {})).result).toMatchObject({ resultType: 'input_required' });
  });
});
