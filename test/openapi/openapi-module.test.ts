import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpApplication, type CallToolResult } from 'toolwright';
import { OpenApiModule, planOpenApi, type OpenApiOptions } from 'toolwright/openapi';
import { post2026 } from '../support/client-of-2026.ts';
import { textOf } from '../support/text-of.ts';
import { callAction, document, openApi, RecordedApi } from './recorded-api.ts';

let api: RecordedApi;
const opened: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  api = await RecordedApi.start();
});
afterAll(() => api.close());
afterEach(async () => {
  api.received.length = 0;
  api.answers = [{}];
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function open(options: Partial<OpenApiOptions> & Pick<OpenApiOptions, 'document'>) {
  const made = await openApi({ baseUrl: `${api.url}/v1`, ...options });
  opened.push(made.app);
  return made;
}

const text = { type: 'string' };
const parameter = (place: string, name: string, schema: object = text, further: object = {}) => ({
  in: place,
  name,
  schema,
  ...(place === 'path' ? { required: true } : {}),
  ...further,
});
const jsonBody = (schema: object, required = true) => ({
  required,
  content: { 'application/json': { schema } },
});

/** Orders of a shop. */
const SHOP = {
  '/orders': {
    get: {
      operationId: 'orders/list',
      tags: ['orders'],
      summary: 'List orders',
      parameters: [parameter('query', 'state'), parameter('query', 'ids', { type: 'array', items: text })],
    },
    post: {
      operationId: 'orders/create',
      tags: ['orders'],
      summary: 'Create an order',
      requestBody: jsonBody({
        type: 'object',
        required: ['id', 'title'],
        properties: {
          id: { type: 'integer', readOnly: true },
          title: text,
          note: { ...text, nullable: true },
        },
      }),
    },
  },
  '/orders/{id}': {
    parameters: [parameter('path', 'id')],
    get: { operationId: 'orders/get', tags: ['orders'] },
    delete: { operationId: 'orders/remove', tags: ['orders'] },
  },
  '/health': { get: { tags: ['orders'] } },
  '/login': { post: { tags: ['orders'] } },
  '/old': { get: { tags: ['orders'], deprecated: true } },
};

describe('a document', () => {
  test('becomes tools that both eras list and call', async () => {
    const { app } = await open({ document: document(SHOP) });
    api.answers = [{ body: '[{"id":7}]' }];
    const { url } = await app.listen({ port: 0 });
    const client = new Client({ name: 'test', version: '1' });
    opened.push(client);
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const [tool] = (await client.listTools()).tools;
    expect(tool?.inputSchema.properties?.['action']).toMatchObject({
      enum: ['list', 'create', 'get', 'remove'],
    });
    const call = { name: 'orders', arguments: { action: 'list', state: 'a b&c', ids: ['1', '2'] } };
    expect(textOf((await client.callTool(call)) as CallToolResult)).toBe('[{"id":7}]');
    expect(api.last).toMatchObject({
      method: 'GET',
      target: '/v1/orders?state=a%20b%26c&ids=1&ids=2',
      body: '',
    });
    const { body } = await post2026(url, 'tools/call', {
      name: 'orders',
      arguments: { action: 'create', title: 'Tea', note: null },
    });
    expect(body).toContain('"content"');
    expect(api.last).toMatchObject({
      method: 'POST',
      target: '/v1/orders',
      body: '{"title":"Tea","note":null}',
    });
    expect(api.last?.headers['content-type']).toBe('application/json');
  });

  test('says which operations are left out, and gives hints by the method', async () => {
    const { app } = await open({ document: document(SHOP) });
    const [tool] = app.definitions;
    expect(JSON.stringify(tool)).not.toMatch(/health|login|old/);
    expect(tool?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      openWorldHint: true,
    });
  });

  const three = { openapi: '3.0.3', info: { title: 't', version: '1' }, paths: SHOP };
  const forms: readonly (readonly [string, Record<string, unknown>])[] = [
    ['3.0', three],
    ['3.1', { ...three, openapi: '3.1.1' }],
    ['3.2', { ...three, openapi: '3.2.0' }],
    [
      'Swagger 2.0',
      {
        swagger: '2.0',
        info: { title: 't', version: '1' },
        consumes: ['application/json'],
        produces: ['application/json'],
        paths: {
          '/orders': {
            get: {
              ...SHOP['/orders'].get,
              parameters: [
                { in: 'query', name: 'state', type: 'string' },
                { in: 'query', name: 'ids', type: 'array', items: text, collectionFormat: 'multi' },
              ],
            },
            post: {
              operationId: 'orders/create',
              tags: ['orders'],
              summary: 'Create an order',
              parameters: [
                { in: 'body', name: 'order', required: true, schema: { $ref: '#/definitions/Order' } },
              ],
            },
          },
          '/orders/{id}': {
            parameters: [{ in: 'path', name: 'id', type: 'string', required: true }],
            get: SHOP['/orders/{id}'].get,
            delete: SHOP['/orders/{id}'].delete,
          },
        },
        definitions: {
          Order: {
            type: 'object',
            required: ['id', 'title'],
            properties: {
              id: { type: 'integer', readOnly: true },
              title: text,
              note: { type: 'string', 'x-nullable': true },
            },
          },
        },
      },
    ],
  ];

  test('54: of each version gives the same tools', async () => {
    const lists = [];
    for (const [, given] of forms) lists.push((await open({ document: given })).app.definitions);
    for (const list of lists) expect(list).toEqual(lists[0]);
  });

  test('55: may have types that contain themselves and each other', async () => {
    const schemas = {
      Node: {
        type: 'object',
        properties: { name: text, children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } },
      },
      A: { type: 'object', properties: { b: { $ref: '#/components/schemas/B' } } },
      B: {
        type: 'object',
        properties: { a: { $ref: '#/components/schemas/A' }, node: { $ref: '#/components/schemas/Node' } },
      },
    };
    const given = document(
      {
        '/nodes': { post: { requestBody: jsonBody({ $ref: '#/components/schemas/Node' }) } },
        '/pairs': { post: { requestBody: jsonBody({ $ref: '#/components/schemas/A' }) } },
      },
      { components: { schemas } },
    );
    const { app } = await open({ document: given });
    const node = { name: 'a', children: [{ name: 'b', children: [] }] };
    await callAction(app, 'nodes.post_nodes', node);
    expect(JSON.parse(api.last?.body ?? '')).toEqual(node);
    const refused = await callAction(app, 'nodes.post_nodes', { children: [{ children: [{ name: 1 }] }] });
    expect(textOf(refused)).toContain('children.0.children.0.name');
    const pair = { b: { a: { b: { node } } } };
    await callAction(app, 'pairs.post_pairs', pair);
    expect(JSON.parse(api.last?.body ?? '')).toEqual(pair);
  });

  test.each([
    'http://127.0.0.1:9/x.json',
    'file:///etc/passwd',
    '../x.yaml',
    '#/components/schemas/None',
    '#x',
  ])('56: loses the operation that needs %s, and nothing is read', async (reference) => {
    const { app, logger } = await open({
      document: document({
        '/bad': { post: { requestBody: jsonBody({ properties: { a: { $ref: reference } } }) } },
        '/good': { get: {} },
      }),
    });
    expect(JSON.stringify(app.definitions)).not.toContain('post_bad');
    expect(logger.records).toContainEqual(
      expect.objectContaining({ code: 'TW_OPENAPI_REFERENCE', level: 'warning' }),
    );
    expect(api.received).toEqual([]);
  });

  test('59: null is a value where the document says so', async () => {
    const nullable = {
      a: { type: 'string', nullable: true },
      b: { type: 'string', enum: ['x'], nullable: true },
      c: { nullable: true, allOf: [{ type: 'object', properties: { d: text } }] },
      e: { type: ['integer', 'null'] },
    };
    const given = {
      ...document({ '/n': { put: { requestBody: jsonBody({ type: 'object', properties: nullable }) } } }),
      openapi: '3.0.1',
    };
    const { app } = await open({ document: given });
    const nulls = { a: null, b: null, c: null, e: null };
    expect((await callAction(app, 'n.put_n', nulls)).isError).toBeUndefined();
    expect(JSON.parse(api.last?.body ?? '')).toEqual(nulls);
    expect((await callAction(app, 'n.put_n', { b: 'y' })).isError).toBe(true);
  });

  test('60: loses one operation whose schema is null', async () => {
    const { app, logger } = await open({
      document: document({
        '/bad': { post: { requestBody: jsonBody(null as never) } },
        '/good': { get: {} },
      }),
    });
    expect(app.definitions.map(({ name }) => name)).toEqual(['good']);
    expect(logger.records).toContainEqual(expect.objectContaining({ code: 'TW_OPENAPI_OPERATION' }));
  });

  test.each([
    ['no object', '[]'],
    ['no version', '{"paths":{}}'],
    ['another version', '{"openapi":"4.0.0","paths":{}}'],
    ['no paths', '{"openapi":"3.1.0"}'],
    ['text', 'a: b: c'],
    [
      'aliases of aliases',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
        .split('')
        .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]`)
        .join('\n')}`,
    ],
    ['300 levels', `{"openapi":"3.1.0","paths":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`],
  ])('58: is refused with %s', async (_what, written) => {
    const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    try {
      await writeFile(`${folder}/api.yaml`, written);
      await expect(
        OpenApiModule.forRoot({ document: `${folder}/api.yaml`, baseUrl: 'https://api.example' }),
      ).rejects.toMatchObject({
        code: 'TW_OPENAPI_DOCUMENT',
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('58: is refused with 10,001 operations', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 10_001 }, (_, index) => [`/p${String(index)}`, { get: {} }]),
    );
    await expect(
      OpenApiModule.forRoot({ document: document(paths), baseUrl: 'https://api.example' }),
    ).rejects.toMatchObject({
      code: 'TW_OPENAPI_DOCUMENT',
    });
  });

  test('62: may have names of prototypes, but for the one that no call can have', async () => {
    const names = { constructor: text, toString: text };
    const refused = JSON.parse('{"__proto__":{"type":"string"}}') as object;
    const parameters = Object.keys(names).map((name) => parameter('query', name));
    const { app, logger } = await open({
      document: document({
        '/p': {
          post: { parameters, requestBody: jsonBody({ type: 'object', properties: { a: text, ...names } }) },
        },
        '/q': { post: { requestBody: jsonBody({ type: 'object', properties: refused }) } },
        '/r': { get: { parameters: [parameter('header', '__proto__', text, { required: true })] } },
      }),
    });
    expect(app.definitions.map(({ name }) => name)).toEqual(['p']);
    expect(logger.records.map(({ code }) => code)).toEqual(['TW_OPENAPI_OPERATION', 'TW_OPENAPI_OPERATION']);
    await callAction(app, 'p.post_p', { constructor: 'c', toString: 's', a: 'x' });
    expect(api.last).toMatchObject({
      target: '/v1/p?constructor=c&toString=s',
      body: '{"constructor":"c","toString":"s","a":"x"}',
    });
  });

  test.each<[string, object]>([
    ['a query in its path', { '/x?type=1': { get: { operationId: 'bad' } } }],
    ['a value of the path that nothing describes', { '/x/{id}': { get: { operationId: 'bad' } } }],
  ])('loses an operation with %s', async (_what, paths) => {
    const { app, logger } = await open({ document: document({ ...paths, '/good': { get: {} } }) });
    expect(app.definitions.map(({ name }) => name)).toEqual(['good']);
    expect(logger.records).toContainEqual(expect.objectContaining({ code: 'TW_OPENAPI_OPERATION' }));
  });

  test('88: a document is not fetched from another place than its URL', async () => {
    api.answers = [{ status: 302, headers: { location: `${api.url}/elsewhere` } }];
    const made = OpenApiModule.forRoot({ document: { url: `${api.url}/openapi.json` }, baseUrl: api.url });
    await expect(made).rejects.toMatchObject({ code: 'TW_OPENAPI_DOCUMENT' });
    expect(api.received).toHaveLength(1);
  });

  test('88: from a URL says nothing about where its API is', async () => {
    api.answers = [{ body: JSON.stringify(document(SHOP, { servers: [{ url: 'https://evil.example' }] })) }];
    const source = { url: `${api.url}/openapi.json` };
    await expect(OpenApiModule.forRoot({ document: source })).rejects.toMatchObject({
      code: 'TW_OPENAPI_BASE_URL',
    });
    const { app } = await open({ document: source });
    expect(app.definitions).toHaveLength(1);
  });

  test.each([
    ['api.example', 'not an absolute'],
    ['http://api.example', 'on the way'],
    ['https://user@api.example', 'user'],
    ['https://api.example?x=1', 'query'],
  ])('is not called at %s', async (baseUrl, message) => {
    await expect(OpenApiModule.forRoot({ document: document(SHOP), baseUrl })).rejects.toThrow(message);
  });
});

test('a tag in another tag is a group in its tool', async () => {
  const tagged = (tag: string, operationId: string) => ({ get: { operationId, tags: [tag] } });
  const tags = [
    { name: 'Shop' },
    { name: 'orders', parent: 'Shop' },
    { name: 'lines', parent: 'orders' },
    { name: 'a', parent: 'b' },
    { name: 'b', parent: 'a' },
  ];
  const given = document(
    {
      '/about': tagged('Shop', 'about'),
      '/orders': tagged('orders', 'list'),
      '/lines': tagged('lines', 'list'),
      '/a': tagged('a', 'read'),
      '/b': tagged('b', 'read'),
    },
    { openapi: '3.2.0', tags },
  );
  const { app } = await open({ document: given, describe: 'plain' });
  expect(app.definitions.map((tool) => [tool.name, tool.actions().map(({ key }) => key)])).toEqual([
    ['shop', ['shop.about', 'orders.orders.list', 'orders.lines.list']],
    ['a', ['read']],
    ['b', ['read']],
  ]);
  await app.call('shop', { action: 'orders.lines.list' });
  expect(api.last?.target).toBe('/v1/lines');
  const { groups, total } = await planOpenApi(given);
  expect(groups.map(({ name, actions }) => `${name} ${String(actions)}`).sort()).toEqual([
    ...['a 1', 'b 1', 'lines 1', 'orders 1', 'shop 1'],
  ]);
  expect(groups.every(({ tokens }) => tokens > 0 && tokens < total.tokens)).toBe(true);
  const renamed = await open({
    document: given,
    include: ['orders.*'],
    actions: { 'orders.*': { group: 'sales' } },
  });
  expect(renamed.app.definitions.map(({ name }) => name)).toEqual(['sales']);
});

test('52: x-mcp of the document says more about an operation, options say more than it', async () => {
  const paths = {
    '/a': {
      get: { operationId: 'a', tags: ['x'], 'x-mcp': { name: 'renamed', title: 'From the document' } },
    },
    '/b': { post: { operationId: 'b', tags: ['x'], 'x-mcp': { name: 'wrong', readOnly: true } } },
    '/c': { get: { operationId: 'c', tags: ['x'], 'x-mcp': false } },
  };
  const { app } = await open({ document: document(paths), actions: { 'POST /b': { name: 'right' } } });
  const [tool] = app.definitions;
  expect(tool?.inputSchema.properties?.['action']).toMatchObject({ enum: ['renamed', 'right'] });
  expect(tool?.annotations.readOnlyHint).toBe(true);
});

test('an answer is published where it is asked for, without what only requests have', async () => {
  const order = {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'integer' },
      secret: { ...text, writeOnly: true },
      next: { $ref: '#/components/schemas/Order' },
    },
  };
  const ok = { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } } };
  const { app } = await open({
    document: document(
      { '/o': { get: { operationId: 'get', tags: ['o'], responses: ok } } },
      { components: { schemas: { Order: order } } },
    ),
    actions: { 'o.get': { output: true, select: true } },
  });
  expect(app.definitions[0]?.outputSchema ?? app.definitions[0]).not.toMatchObject({
    properties: { secret: {} },
  });
  api.answers = [{ body: '{"id":7,"title":"x"}' }];
  const chosen = await callAction(app, 'o.get', { fields: ['id'] });
  expect(JSON.parse(textOf(chosen))).toEqual({ id: 7 });
  api.answers = [{ body: '{"id":"seven"}' }];
  const { content } = await callAction(app, 'o.get');
  expect(content.at(-1)).toEqual({ type: 'text', text: '{"id":"seven"}' });
});

test('a key of a write is sent in the header that the API reads', async () => {
  const { app } = await open({
    document: document(SHOP),
    idempotency: 'Idempotency-Key',
  });
  await callAction(app, 'orders.create', { title: 'Tea' });
  const first = api.last?.headers['idempotency-key'];
  await callAction(app, 'orders.create', { title: 'Tea' });
  expect(first).toBeTruthy();
  expect(api.last?.headers['idempotency-key']).not.toBe(first);
  await callAction(app, 'orders.list');
  expect(api.last?.headers['idempotency-key']).toBeUndefined();
});

test('tools are described by signatures, unless the module or the application says another form', async () => {
  const id = {
    in: 'path',
    name: 'id',
    required: true,
    schema: { type: 'string' },
    description: 'Of an order',
  };
  const given = document({ '/x/{id}': { get: { operationId: 'read', tags: ['x'], parameters: [id] } } });
  type Describes = { readonly describe?: 'plain' | 'signatures' };
  const described = async (module: Describes, application: Describes): Promise<string | undefined> => {
    const api = await OpenApiModule.forRoot({ document: given, baseUrl: 'https://api.example', ...module });
    const app = await McpApplication.create(api, { logger: () => undefined, ...application });
    await app.close();
    return app.definitions[0]?.description;
  };
  const [signatures, plain] = [{ describe: 'signatures' }, { describe: 'plain' }] as const;
  const own = await described({}, {});
  expect(own).toContain('read(id');
  expect(await described(signatures, {})).toBe(own);
  expect(await described(plain, {})).not.toContain('read(id');
  expect(await described({}, plain)).toBe(await described(plain, {}));
  expect(await described(signatures, plain)).toBe(own);
});
