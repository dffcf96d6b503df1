import { describe, expect, test } from '@jest/globals';
import { walkSchema } from '../../src/schema/walk.ts';

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
