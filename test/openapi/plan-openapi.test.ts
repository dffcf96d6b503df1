import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OpenApiModule, planOpenApi, type OpenApiOptions } from 'toolwright/openapi';
import { countToolTokens } from 'toolwright/tokens';
import { McpApplication } from 'toolwright';
import { runInProcess } from '../support/command-in-process.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { tries } from '../support/thorough.ts';
import { document } from './recorded-api.ts';

const text = { type: 'string', description: 'What it is about. And more' };
const id = { in: 'path', name: 'id', required: true, schema: { type: 'integer' } };
const orders = (change: object = {}) =>
  document({
    '/orders': {
      get: {
        operationId: 'orders/list',
        tags: ['orders'],
        parameters: [{ in: 'query', name: 'text', schema: text }],
        responses: { 200: { content: { 'application/json': { schema: { type: 'array' } } } } },
        ...change,
      },
    },
    '/orders/{id}': { parameters: [id], delete: { operationId: 'orders/remove', tags: ['orders'] } },
    '/orders/{id}/note': { put: { tags: ['orders'], operationId: 'orders/note' } },
    '/login': { post: { operationId: 'login', tags: ['people'] } },
    '/people': { get: { operationId: 'people/list', tags: ['people'] } },
  });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-plan-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const write = (name: string, value: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
};

describe('planOpenApi()', () => {
  test('counts what the module offers, and names why the rest is left out', async () => {
    const plan = await planOpenApi(orders(), {
      fetch: () => Promise.reject(new Error('nothing is fetched')),
    });
    const app = await McpApplication.create(
      await OpenApiModule.forRoot({
        document: orders(),
        baseUrl: 'https://api.example',
        logger: () => undefined,
      }),
      { logger: () => undefined },
    );
    expect(plan.total).toEqual({
      actions: 3,
      reads: 2,
      writes: 1,
      tokens: (await countToolTokens(app.definitions)).tokens,
    });
    await app.close();
    const left = plan.operations.flatMap(({ key, leftOut }) =>
      leftOut === undefined ? [] : [[key, leftOut]],
    );
    expect(left).toEqual([
      ['POST /login', expect.objectContaining({ reason: 'auth' })],
      ['PUT /orders/{id}/note', expect.objectContaining({ reason: 'unreadable' })],
    ]);
    expect(plan.groups.map(({ name }) => name)).toEqual(['orders', 'people']);
    expect(Object.keys(plan.fingerprints)).toHaveLength(3);
  });

  test('needs neither credentials nor an address, and holds to the limits', async () => {
    const secured = {
      ...orders(),
      security: [{ token: [] }],
      components: { securitySchemes: { token: {} } },
    };
    const plan = await planOpenApi(secured, {
      maxActions: 2,
      credentials: { token: { env: 'NOT_SET_HERE' } },
    });
    expect(plan.problems.map(({ code }) => code)).toEqual(['TW_OPERATIONS_TOO_MANY']);
    expect(plan.include).toEqual(['people.*']);
    await expect(planOpenApi(orders(), { include: ['order.*'] })).rejects.toThrow('TW_OPERATIONS_PATTERN');
    await expect(planOpenApi(orders(), { maxToken: 1 } as never)).rejects.toThrow('TW_APPLICATION_OPTION');
  });
});

/** What the inputs alone, and all, of a list of FastMCP 4.20.16 cost for the same operations, in tokens of o200k. */
const FASTMCP = { pulls: { inputs: 5_112, list: 46_665 }, issues: { inputs: 8_136, list: 90_502 } };

test('51: the issues and pulls of GitHub cost at most a tenth of a tool for each, and half of the inputs alone', async () => {
  const file = fileURLToPath(new URL('../../examples/github-issues/github.json', import.meta.url));
  const groups = Object.keys(FASTMCP).slice(0, tries(1, 2));
  const include = groups.map((group) => `${group}.*`);
  const options = { document: file, baseUrl: 'https://api.example', include, maxActions: 100 };
  const app = await McpApplication.create(await OpenApiModule.forRoot(options), { logger: () => undefined });
  const { tools } = await countToolTokens(app.definitions);
  await app.close();
  for (const { name, tokens } of tools) {
    const { list, inputs } = FASTMCP[name as keyof typeof FASTMCP];
    expect(tokens / list).toBeLessThanOrEqual(0.1);
    expect(tokens / inputs).toBeLessThanOrEqual(0.5);
  }
  expect(tools).toHaveLength(groups.length);
});

describe('toolwright import openapi', () => {
  test('is the same bytes twice, as a table or as JSON', async () => {
    const file = write('orders.json', orders());
    const line = ['import', 'openapi', file, '--plan'];
    const [first, second] = [
      await runInProcess([...line, '--json']),
      await runInProcess([...line, '--json']),
    ];
    expect(first).toEqual(second);
    expect(JSON.parse(first.stdout)).toMatchObject({ total: { actions: 3 } });
    expect((await runInProcess(line)).stdout).toMatch(
      /^group +actions +reads +writes +tokens +left out\norders +2 +1 +1 +\d+ +1 unreadable\n/,
    );
    expect((await runInProcess(['import', 'openapi'])).stderr).toContain('needs a document');
  });

  const selected = async (name: string): Promise<OpenApiOptions> => {
    const curation = join(folder, name);
    const file = write('orders.json', orders());
    const line = ['import', 'openapi', file, '--include', 'orders.*', '--write', '-o', curation];
    const { code, stderr } = await runInProcess(line);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('OpenApiModule.forRoot(') });
    return { document: orders(), curation, baseUrl: 'https://api.example' };
  };
  const changes = async (options: OpenApiOptions): Promise<readonly string[]> => {
    const logger = new MemoryLogger();
    await OpenApiModule.forRoot({ ...options, logger });
    return logger.records.flatMap(({ code, message }) => (code === 'TW_OPENAPI_CHANGED' ? [message] : []));
  };

  test('writes what is selected, and says nothing as long as the document is the same', async () => {
    const options = await selected('same.json');
    expect(JSON.parse(readFileSync(String(options.curation), 'utf8'))).toMatchObject({
      version: 1,
      document: { source: join(folder, 'orders.json') },
      include: ['GET /orders', 'DELETE /orders/{id}'],
      maxActions: 2,
    });
    expect(await changes(options)).toEqual([]);
    // What is not selected, and what nobody reads, may change
    expect(await changes({ ...options, document: { ...orders(), info: {}, 'x-more': 1 } })).toEqual([]);
  });

  test.each([
    ['inputs', { parameters: [{ in: 'query', name: 'text', schema: { ...text, maxLength: 3 } }] }],
    ['inputs', { parameters: [{ in: 'query', name: 'text', schema: text, explode: false }] }],
    ['inputs', { security: [{ other: [] }, {}] }],
    ['answer', { responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } } } }],
    ['texts', { summary: 'Another one' }],
    ['texts', { parameters: [{ in: 'query', name: 'text', schema: { ...text, description: 'New' } }] }],
  ])('63: says that the %s of an operation are others: %j', async (part, change) => {
    const options = await selected('changed.json');
    const [message, ...more] = await changes({ ...options, document: orders(change) });
    expect(message).toContain(`GET /orders has other ${part}.`);
    expect(message).not.toContain('DELETE');
    expect(more).toEqual([]);
  });

  test('63: an operation that is gone is named, and one that is no longer selected is not', async () => {
    const options = await selected('gone.json');
    const { paths } = orders() as { paths: Record<string, object> };
    const { '/orders/{id}': _gone, ...rest } = paths;
    const include = ['orders.list'];
    expect(await changes({ ...options, include, document: document(rest) })).toEqual([
      expect.stringContaining('DELETE /orders/{id} is gone'),
    ]);
    expect(await changes({ ...options, include })).toEqual([]);
  });
});
