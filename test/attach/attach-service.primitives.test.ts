import { describe, expect, test } from '@jest/globals';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ProtocolError } from '../../src/call/protocol-error.ts';
import { attachService } from '../../src/attach/attach-service.ts';
import { createPagination } from '../../src/runtime/lists/pagination.ts';
import type { McpService } from '../../src/runtime/service.ts';
import { attachedClient, connectedClient, refusalOf } from '../support/attached-client.ts';
import { fakePrompts, fakeResources, fullService } from '../support/fake-service.ts';
import { serviceOf } from '../support/fake-application.ts';

describe('the capabilities', () => {
  test('are those of the parts that the service has', async () => {
    const { client } = await attachedClient(fullService());
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      completions: {},
    });
  });

  test('leave out what the service has not', async () => {
    const { client } = await attachedClient(serviceOf({ prompts: fakePrompts({}) }));
    expect(client.getServerCapabilities()).toEqual({ prompts: { listChanged: true } });
    expect(await refusalOf(client, 'tools/list')).toMatchObject({ code: -32601 });
  });

  test('that a connected server lacks make attach fail before anything is served', async () => {
    const server = new McpServer({ name: 'x', version: '1' });
    server.server.registerCapabilities({ tools: {} });
    const client = await connectedClient(server);
    expect(() => attachService(server, fullService())).toThrow(
      /TW_ATTACH_CAPABILITY: attach\(\) cannot serve prompts[^]*prompts: \{ listChanged: true \}/,
    );
    expect(await refusalOf(client, 'tools/list')).toMatchObject({ code: -32601 });
  });
});

test('prompts are listed and got', async () => {
  const { client } = await attachedClient(fullService());
  expect(await client.listPrompts()).toEqual({ prompts: [{ name: 'greet', title: 'Greet' }] });
  const result = await client.getPrompt({ name: 'greet', arguments: { who: 'Ann' } });
  expect(result.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'hello {"who":"Ann"}' } }]);
  expect(await client.getPrompt({ name: 'greet' })).toMatchObject({
    messages: [{ content: { text: 'hello {}' } }],
  });
});

test('resources and templates are listed and read', async () => {
  const { client } = await attachedClient(fullService());
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['memo:one', 'memo:two']);
  expect(await client.listResourceTemplates()).toEqual({
    resourceTemplates: [{ uriTemplate: 'item:{id}', name: 'item', title: 'Item' }],
  });
  expect(await client.readResource({ uri: 'item:7' })).toEqual({
    contents: [{ uri: 'item:7', text: 'read item:7' }],
  });
});

test('arguments of prompts and resources are completed', async () => {
  const seen: unknown[] = [];
  const { client } = await attachedClient(
    fullService({
      completions: {
        complete: async (request) => {
          seen.push(request);
          return { values: ['a', 'b'], total: 9, hasMore: true };
        },
      },
    }),
  );
  const argument = { name: 'city', value: 'a' };
  const context = { arguments: { country: 'at' } };
  expect(await client.complete({ ref: { type: 'ref/prompt', name: 'greet' }, argument, context })).toEqual({
    completion: { values: ['a', 'b'], total: 9, hasMore: true },
  });
  await client.complete({ ref: { type: 'ref/resource', uri: 'item:{id}' }, argument });
  expect(seen).toEqual([
    {
      reference: { type: 'ref/prompt', name: 'greet' },
      argument: 'city',
      input: { value: 'a', arguments: { country: 'at' } },
    },
    {
      reference: { type: 'ref/resource', uri: 'item:{id}' },
      argument: 'city',
      input: { value: 'a', arguments: {} },
    },
  ]);
});

describe('paged lists', () => {
  const service = fullService({
    fakeTools: { a: () => 1, b: () => 2, c: () => 3 },
    prompts: fakePrompts({ p: () => 1, q: () => 2, r: () => 3 }),
    pagination: createPagination(1),
  });

  test('are walked by a client, each with cursors of its own', async () => {
    const { client } = await attachedClient(service);
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listTools(cursor === undefined ? {} : { cursor });
      names.push(...page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(names).toEqual(['a', 'b', 'c']);
    const { nextCursor } = await client.listPrompts();
    expect((await client.listPrompts({ cursor: nextCursor })).prompts).toEqual([{ name: 'q', title: 'Q' }]);
    expect((await client.listResources()).resources).toHaveLength(1);
  });

  test.each(['tools', 'prompts', 'resources', 'resources/templates'])(
    'refuse a cursor of %s that nobody gave out',
    async (list) => {
      const { client, logger } = await attachedClient(service);
      const { nextCursor } = await client.listTools();
      const foreign = list === 'tools' ? `${nextCursor ?? ''}x` : nextCursor;
      expect(await refusalOf(client, `${list}/list`, { cursor: foreign })).toEqual({
        code: -32602,
        message: expect.stringMatching(/^Invalid cursor: .*start again without a cursor/),
      });
      expect(logger.records).toEqual([]);
    },
  );
});

describe('wrong params', () => {
  test.each([
    ['prompts/get', {}, 'name must be a string, but is missing'],
    ['prompts/get', { name: 7 }, 'name must be a string, but is a number'],
    ['prompts/get', { name: 'x', arguments: [] }, 'arguments must be an object of strings, but is an array'],
    ['prompts/get', { name: 'x', arguments: { n: 1 } }, 'arguments.n must be a string, but is a number'],
    ['resources/read', { uri: null }, 'uri must be a string, but is null'],
    ['resources/subscribe', {}, 'uri must be a string, but is missing'],
    ['resources/unsubscribe', { uri: {} }, 'uri must be a string, but is an object'],
    ['completion/complete', {}, 'argument must be an object, but is missing'],
    ['completion/complete', { argument: {}, ref: { type: 'ref/prompt', name: 'x' } }, 'ref'],
    [
      'completion/complete',
      { argument: { name: 'x', value: '' }, ref: { type: 'ref/tool', name: 'x' } },
      'ref.type must be "ref/prompt" or "ref/resource", but is "ref/tool"',
    ],
    [
      'completion/complete',
      {
        argument: { name: 'x', value: '' },
        ref: { type: 'ref/prompt', name: 'x' },
        context: { arguments: 1 },
      },
      'context.arguments must be an object of strings, but is a number',
    ],
  ])('of %s with %j are refused clearly', async (method, params, message) => {
    const { client, logger } = await attachedClient(fullService());
    const refusal = await refusalOf(client, method, params);
    expect(refusal.code).toBe(-32602);
    expect(refusal.message).toContain(message === 'ref' ? 'argument.name must be a string' : message);
    expect(logger.records).toEqual([]);
  });
});

describe('what escapes from a service', () => {
  const throwing = (thrown: unknown): McpService => {
    const fail = async (): Promise<never> => {
      // Undefined among it, which the SDK never answers.
      throw thrown;
    };
    return fullService({
      prompts: { ...fakePrompts({}), get: fail },
      resources: { ...fakeResources({}), list: fail, read: fail },
      completions: { complete: fail },
    });
  };
  const requests: [string, unknown][] = [
    ['prompts/get', { name: 'x' }],
    ['resources/list', {}],
    ['resources/read', { uri: 'x:y' }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: '' } }],
  ];

  test.each(requests)('from %s as a ProtocolError is sent as it is', async (method, params) => {
    const { client, logger } = await attachedClient(
      throwing(new ProtocolError(-32602, 'No such thing', { uri: 'x:y' })),
    );
    expect(await refusalOf(client, method, params)).toEqual({
      code: -32602,
      message: 'No such thing',
      data: { uri: 'x:y' },
    });
    expect(logger.records).toEqual([]);
  });

  const faults: [string, unknown][] = [
    ['an error with code and data', Object.assign(new Error('secret'), { code: 404, data: 'secret' })],
    ['undefined', undefined],
    ['a string', 'secret'],
  ];
  test.each(
    requests.flatMap(([method, params]) => faults.map((fault) => [method, params, ...fault] as const)),
  )('from %s %j as %s is hidden and logged', async (method, params, _name, thrown) => {
    const { client, logger } = await attachedClient(throwing(thrown));
    expect(await refusalOf(client, method, params)).toEqual({
      code: -32603,
      message: `The server failed while it answered ${method}`,
    });
    expect(logger.records).toMatchObject([
      { level: 'error', event: 'request.failed', method, cause: thrown },
    ]);
    await client.ping();
  });
});

describe('after detaching', () => {
  test('lists are empty, and everything else is no longer served', async () => {
    const { client, attachment } = await attachedClient(fullService({ fakeTools: { a: () => 1 } }));
    attachment();
    expect((await client.listTools()).tools).toEqual([]);
    expect((await client.listPrompts()).prompts).toEqual([]);
    expect((await client.listResources()).resources).toEqual([]);
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
    expect(await client.callTool({ name: 'a' })).toMatchObject({ isError: true });
    const argument = { name: 'a', value: '' };
    const ref = { type: 'ref/prompt', name: 'x' };
    expect(
      await Promise.all([
        refusalOf(client, 'prompts/get', { name: 'greet' }),
        refusalOf(client, 'resources/read', { uri: 'memo:one' }),
        refusalOf(client, 'resources/subscribe', { uri: 'memo:one' }),
        refusalOf(client, 'completion/complete', { ref, argument }),
      ]),
    ).toEqual([
      { code: -32602, message: 'Prompts are no longer served here' },
      { code: -32602, message: 'Resources are no longer served here', data: { uri: 'memo:one' } },
      { code: -32602, message: 'Resources are no longer served here', data: { uri: 'memo:one' } },
      { code: -32602, message: 'Completions are no longer served here' },
    ]);
  });

  test('a later attach of other parts keeps them', async () => {
    const { client, server, attachment } = await attachedClient(
      fullService({ tools: undefined, completions: undefined }),
    );
    attachService(server, serviceOf({ prompts: fakePrompts({ second: () => 2 }) }));
    attachment();
    expect((await client.listPrompts()).prompts).toEqual([{ name: 'second', title: 'Second' }]);
    expect((await client.listResources()).resources).toEqual([]);
  });
});
