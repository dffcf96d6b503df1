import { expect, test, describe } from '@jest/globals';
import type { JsonSchema } from '../../src/shared/json-schema.ts';
import { mapSchemas, subschemasOf, walkSchema } from '../../src/schema/subschemas.ts';

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

describe('walking a schema', () => {
  test('finds the schemas of every keyword that holds some', () => {
    const leaf = (mark: string): object => ({ mark });
    const schema = {
      ...Object.fromEntries(
        'additionalItems additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties'
          .split(' ')
          .map((keyword) => [keyword, leaf(keyword)]),
      ),
      ...Object.fromEntries(
        'allOf anyOf oneOf prefixItems'.split(' ').map((keyword) => [keyword, [leaf(keyword)]]),
      ),
      ...Object.fromEntries(
        '$defs definitions dependentSchemas patternProperties properties'
          .split(' ')
          .map((keyword) => [keyword, { $ref: leaf(keyword) }]),
      ),
      dependencies: { a: ['b'], c: leaf('dependencies') },
    };
    const marks = [...walkSchema(schema)].flatMap(({ schema: each }) =>
      typeof each === 'object' && 'mark' in each ? [each.mark] : [],
    );
    expect(marks).toHaveLength(22);
    expect(new Set(marks).size).toBe(22);
  });

  test('goes in document order, with pointers that are escaped', () => {
    const schema = { properties: { 'a/b': { items: [true, { not: {} }] }, '~': false } };
    expect([...walkSchema(schema)].map(({ path }) => path)).toEqual([
      '',
      '/properties/a~1b',
      '/properties/a~1b/items/0',
      '/properties/a~1b/items/1',
      '/properties/a~1b/items/1/not',
      '/properties/~0',
    ]);
  });

  test('does not enter data', () => {
    const schema = {
      enum: [{ not: {} }],
      const: { not: {} },
      default: { not: {} },
      examples: [{ not: {} }],
      'x-a': { not: {} },
    };
    expect([...walkSchema(schema)]).toHaveLength(1);
  });
});
