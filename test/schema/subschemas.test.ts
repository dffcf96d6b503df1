import { expect, test } from '@jest/globals';
import type { JsonSchema } from '../../src/shared/json-schema.ts';
import { mapSchemas, subschemasOf } from '../../src/schema/subschemas.ts';

const source = {
  properties: { a: { items: [{ type: 'string' }, true] }, enum: { type: 'null' } },
  dependencies: { a: ['enum'], enum: { not: { type: 'object' } } },
  enum: [{ type: 'number' }],
  default: { properties: { type: 'integer' } },
};

// Lists below `items` and `dependencies` are of draft-07, which the type does not name
const schema = source as unknown as JsonSchema;

test('the schemas directly below are those of keywords that hold some', () => {
  expect(subschemasOf(schema)).toEqual([
    source.properties.a,
    source.properties.enum,
    source.dependencies.enum,
  ]);
});

test('every schema is changed, those inside first, and data stay as they are', () => {
  const order: unknown[] = [];
  const marked = mapSchemas(schema, (each) => {
    order.push(each.type);
    return { ...each, mark: order.length };
  });
  expect(order).toEqual(['string', undefined, 'null', 'object', undefined, undefined]);
  expect(marked).toMatchObject({
    mark: 6,
    properties: { a: { mark: 2, items: [{ mark: 1 }, true] }, enum: { mark: 3 } },
    dependencies: { a: ['enum'], enum: { mark: 5, not: { mark: 4 } } },
    enum: [{ type: 'number' }],
    default: { properties: { type: 'integer' } },
  });
});
