import { expect, test } from '@jest/globals';
import { createTool, McpApplication, Module, ToolRegistry, type JsonSchema } from 'toolwright';
import { toStandardSchema, type ValidationResult } from 'toolwright/formats';
import { factsOf, textOf } from '../support/text-of.ts';

const ORDER: JsonSchema = {
  type: 'object',
  properties: {
    items: { type: 'array', items: { type: 'string' } },
    'a/b': { type: 'object', properties: {} },
  },
  required: ['items'],
};

/** Stands for another library: it knows one rule that JSON Schema lacks. */
const asked: unknown[] = [];
const validator = {
  validate(schema: unknown, data: unknown): ValidationResult {
    asked.push(schema);
    const { items } = data as { readonly items: readonly string[] };
    const errors = items.flatMap((item, index) =>
      item === 'x'
        ? [{ path: `/items/${String(index)}`, keyword: 'odd', message: 'is odd', params: {} }]
        : [],
    );
    return { valid: errors.length === 0, errors };
  },
};
const order = toStandardSchema(ORDER, validator);

const shop = () =>
  createTool('shop').action({
    name: 'take',
    input: order,
    output: order,
    handler: (input) => ((input['items'] as readonly string[]).length > 2 ? { items: ['x'] } : input),
  });

test('a validator of yours checks inputs and outputs, with paths', async () => {
  const good = await shop().execute({ action: 'take', items: ['a'] });
  expect(good.structuredContent).toEqual({ items: ['a'] });
  expect(asked).toContain(ORDER);
  const bad = await shop().execute({ action: 'take', items: ['a', 'x'] });
  expect(factsOf(bad)).toMatchObject({
    code: 'VALIDATION_FAILED',
    issues: [{ path: 'items.1', message: 'is odd', expected: 'string', received: 'string "x"' }],
  });
  const broken = await shop().execute({ action: 'take', items: ['a', 'b', 'c'] });
  expect(factsOf(broken)).toMatchObject({ code: 'INVALID_OUTPUT' });
});

test('what it takes is published as it is', () => {
  const [action] = shop().buildToolDefinition().actions();
  expect(action).toMatchObject({ inputSchema: ORDER, outputSchema: ORDER });
});

test('in a registry and in an application as well', async () => {
  const registry = new ToolRegistry();
  registry.register(shop());
  expect(textOf(await registry.routeCall('shop', { action: 'take', items: ['x'] }))).toContain(
    'items.0: is odd',
  );
  @Module({})
  class ShopModule {}
  const app = await McpApplication.create(ShopModule, { logger: () => undefined });
  app.registry.register(shop());
  const answer = await app.call('shop', { action: 'take', items: ['x'] });
  expect(textOf(answer)).toContain('items.0: is odd');
  await app.close();
});

test('names the field that is missing, and keys with a slash', async () => {
  const strict = toStandardSchema(ORDER, {
    validate: () => ({
      valid: false,
      errors: [
        { path: '', keyword: 'required', message: 'is required', params: { missingProperty: 'items' } },
        { path: '/a~1b', keyword: 'odd', message: 'is odd', params: {} },
      ],
    }),
  });
  const tool = createTool('shop').action({ name: 'take', input: strict, handler: () => '' });
  const answer = await tool.execute({ action: 'take', items: ['a'], 'a/b': {} });
  expect(factsOf(answer)).toMatchObject({ issues: [{ path: 'items' }, { path: 'a/b' }] });
});
