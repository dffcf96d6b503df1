import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from 'toolwright';
import { writeOpenApiClasses } from 'toolwright/openapi';
import ts from 'typescript';
import { runInProcess } from '../support/command-in-process.ts';
import { CommandFolder } from '../support/command-line.ts';
import { textOf } from '../support/text-of.ts';
import { document, RecordedApi } from './recorded-api.ts';

const node = {
  type: 'object',
  description: 'A part. Of a tree',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 20 },
    parent: { $ref: '#/components/schemas/Node' },
    children: { type: 'array', items: { $ref: '#/components/schemas/Node' }, maxItems: 3 },
    secret: { type: 'string', readOnly: true },
  },
  required: ['name'],
};
const create = {
  type: 'object',
  properties: {
    tree: { $ref: '#/components/schemas/Node' },
    kind: { type: 'string', enum: ["it's", 'new'] },
    note: { type: ['string', 'null'], description: 'Said\nby people' },
    amount: {
      oneOf: [
        { type: 'integer', minimum: 1 },
        { type: 'string', pattern: '^[0-9]+$' },
      ],
    },
    size: { type: 'object', properties: { width: { type: 'number', minimum: 0 } } },
    map: { type: 'object', additionalProperties: { type: 'integer' } },
    class: { type: 'boolean' },
    code: { type: 'string', pattern: "^[A-Z]{2}\\d/'$" },
    level: { type: 'integer', enum: [1, 2] },
    step: { type: 'integer', multipleOf: 5 },
    '2nd': { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    Note: { type: 'integer' },
  },
  required: ['tree'],
};
const id = { in: 'path', name: 'id', required: true, schema: { type: 'string' } };
const json = (schema: object) => ({ required: true, content: { 'application/json': { schema } } });
const shop = (summary = 'Make one') =>
  document(
    {
      '/orders': {
        post: { operationId: 'orders/create', tags: ['orders'], summary, requestBody: json(create) },
        get: {
          operationId: 'orders/list',
          tags: ['orders'],
          parameters: [
            {
              in: 'query',
              name: 'ids',
              style: 'form',
              explode: false,
              schema: { type: 'array', items: { type: 'integer' } },
            },
          ],
        },
      },
      '/orders/all': { delete: { operationId: 'orders/clear', tags: ['orders'] } },
      '/orders/{id}': { parameters: [id], delete: { operationId: 'orders/delete', tags: ['orders'] } },
      '/2fa': { get: { operationId: 'constructor', tags: ['2fa'] } },
    },
    {
      security: [{ key: [] }],
      components: {
        schemas: { Node: node },
        securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      },
    },
  );

const SERVER = `
  import { McpApplication } from 'toolwright';
  import { ApiModule } from './built/api.module.js';
  const app = await McpApplication.create(ApiModule, { name: 'shop', logger: () => undefined });
  await app.stdio();
`;
const exclude = ['orders.clear'];

let folder: CommandFolder;
let api: RecordedApi;
/** What the first run says, and tsc of the classes. */
let first: { readonly code: number; readonly stderr: string; readonly diagnostics: readonly string[] };
beforeAll(async () => {
  api = await RecordedApi.start();
  folder = newFolder();
  const { code, stderr } = await write(folder);
  const names = readdirSync(join(folder.path, 'api')).filter((name) => name.endsWith('.ts'));
  first = { code, stderr, diagnostics: compile(names) };
}, 60_000);
afterAll(async () => {
  folder.remove();
  await api.close();
});

const newFolder = (): CommandFolder =>
  new CommandFolder({ 'shop.json': JSON.stringify(shop()), 'server.mjs': SERVER });
const write = ({ path }: CommandFolder, ...args: readonly string[]) =>
  runInProcess([
    'import',
    'openapi',
    join(path, 'shop.json'),
    '--exclude',
    'orders.clear',
    '-o',
    join(path, 'api'),
    ...args,
  ]);
const read = ({ path }: CommandFolder, name: string): string => readFileSync(join(path, 'api', name), 'utf8');

/** What tsc says of the files, with the strictest rules. */
function compile(names: readonly string[]): readonly string[] {
  const program = ts.createProgram(
    names.map((name) => join(folder.path, 'api', name)),
    {
      strict: true,
      noUncheckedIndexedAccess: true,
      noUnusedLocals: true,
      exactOptionalPropertyTypes: true,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      rootDir: join(folder.path, 'api'),
      outDir: join(folder.path, 'built'),
      types: ['node'],
    },
  );
  const { diagnostics } = program.emit();
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, '\n'),
  );
}

test('89, 91: the same document gives the same texts, which tsc takes', async () => {
  expect(first).toEqual({
    code: 0,
    stderr: expect.stringContaining('orders.controller.ts'),
    diagnostics: [],
  });
  const files = await writeOpenApiClasses(join(folder.path, 'shop.json'), { exclude });
  expect(Object.keys(files).sort()).toEqual([
    '2fa.controller.ts',
    'api.client.ts',
    'api.module.ts',
    'operations.json',
    'operations.ts',
    'orders.controller.ts',
    'orders.dto.ts',
  ]);
  for (const [name, text] of Object.entries(files)) expect(read(folder, name)).toBe(text);
  expect(existsSync(join(folder.path, 'built/api.module.js'))).toBe(true);
}, 60_000);

test('the classes serve, and what they cannot say is checked by the document', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['server.mjs'],
    cwd: folder.path,
    env: {
      ...(process.env as Record<string, string>),
      API_URL: `${api.url}/v1`,
      API_KEY: 'k',
      NODE_OPTIONS: '',
    },
  });
  const client = new Client({ name: 'tester', version: '1.0.0' });
  await client.connect(transport);
  const call = async (name: string, args: object) =>
    (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
  try {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['2fa', 'orders']);
    expect(tools.find(({ name }) => name === '2fa')?.annotations).toMatchObject({
      readOnlyHint: true,
      openWorldHint: true,
    });
    const tree = { name: 'a', children: [{ name: 'b' }], parent: { name: 'c' } };
    const input = {
      tree,
      amount: '12',
      note: null,
      class: true,
      '2nd': ['a'],
      map: { a: 1 },
      Note: 1,
      code: "AB1/'",
      level: 2,
      step: 10,
    };
    await call('orders', { action: 'create', ...input });
    expect(api.last).toMatchObject({ method: 'POST', target: '/v1/orders', headers: { 'x-key': 'k' } });
    expect(JSON.parse(api.last?.body ?? '')).toEqual(input);
    await call('orders', { action: 'list', ids: [1, 2] });
    expect(api.last?.target).toBe('/v1/orders?ids=1,2');
    const sent = api.received.length;
    const refusals = [
      await call('orders', { action: 'create', tree, amount: 'x' }),
      await call('orders', { action: 'create', tree, map: { a: 'x' } }),
      await call('orders', { action: 'create', tree: { name: '' } }),
      await call('orders', { action: 'create', tree: { name: 'a', secret: 's' } }),
      await call('orders', { action: 'create', tree, code: 'ab1' }),
      await call('orders', { action: 'delete', id: '..' }),
      await call('orders', { action: 'delete', id: 'all' }),
    ];
    for (const refusal of refusals) expect(textOf(refusal)).toContain('Code: VALIDATION_FAILED');
    expect(api.received).toHaveLength(sent);
  } finally {
    await client.close();
  }
}, 60_000);

test('90: a second run leaves what is there, shows the difference, and writes operations again', async () => {
  const own = newFolder();
  await write(own);
  const before = read(own, 'operations.json');
  own.write(
    'api/orders.controller.ts',
    read(own, 'orders.controller.ts').replace('Make one', 'My own words'),
  );
  own.write('shop.json', JSON.stringify(shop('Make another')));
  const { stderr } = await write(own);
  expect(read(own, 'orders.controller.ts')).toContain('My own words');
  expect(stderr).toMatch(
    /Left [^\n]+orders\.controller\.ts as it is[^]*- [^\n]*My own words[^]*\+ [^\n]*Make another/,
  );
  expect(stderr).toMatch(/TW_OPENAPI_CHANGED[^]*POST\s\/orders\shas\sother\stexts\./);
  expect(stderr).not.toContain('api.client.ts');
  expect(read(own, 'operations.json')).not.toBe(before);
  own.write('api/operations.ts', `/* formatted */\n${read(own, 'operations.ts')}`);
  own.write('shop.json', JSON.stringify(shop('Make one')));
  expect((await write(own)).stderr).toMatch(/TW_OPENAPI_CHANGED[^]*POST\s\/orders\shas\sother\stexts\./);
  own.write('api/operations.json', '{');
  expect((await write(own)).stderr).toMatch(/TW_OPENAPI_CHANGED[^]*operations\.json[^]*cannot\sbe\sread/);
  own.write('shop.json', JSON.stringify(shop('Make another')));
  await write(own, '--force');
  expect(read(own, 'orders.controller.ts')).toContain('Make another');
  own.remove();
});

test('what settings ask of callers is in the classes', async () => {
  const files = await writeOpenApiClasses(shop(), {
    exclude,
    actions: {
      'orders.delete': { confirm: true, idempotent: { key: 'arguments' }, roles: ["it's"], timeout: 1000 },
    },
  });
  expect(files['orders.controller.ts']).toContain(
    `  @Destructive({ confirm: true })\n  @Idempotent({ key: 'arguments' })\n  @Timeout(1000)\n  @Roles('it\\'s')\n`,
  );
  expect(files['orders.dto.ts']).toMatch(/@IsIn\(\[1, 2\]\)[^]*@IsDivisibleBy\(5\)/);
});

test('62: a field that no class can have is a problem at its operation', async () => {
  const schema = { type: 'object', properties: { constructor: { type: 'string' } } };
  const given = document({ '/x': { post: { requestBody: json(schema) } } });
  await expect(writeOpenApiClasses(given)).rejects.toThrow(/TW_OPENAPI_OPERATION[^]*constructor[^]*POST \/x/);
});
