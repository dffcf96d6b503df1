import { describe, expect, test } from '@jest/globals';
import { checkSchema } from '../../../src/formats/schema/check-schema.ts';
import { dialectOf } from '../../../src/formats/schema/dialect.ts';
import { pointTo, tokensOf, valueAt } from '../../../src/formats/schema/pointer.ts';
import { walkSchema } from '../../../src/formats/schema/walk-schema.ts';
import { ExternalRefError, InvalidSchemaError, SchemaTooLargeError } from 'toolwright/formats';
import { errorOf } from '../error-of.ts';

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

describe('references', () => {
  test.each([
    { $ref: '#' },
    { $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': {} } },
    { $ref: '#here', items: { $anchor: 'here' } },
    { $dynamicRef: '#here', items: { $dynamicAnchor: 'here' } },
    { $ref: '#here', definitions: { A: { $id: '#here' } } },
    { $ref: '#/components/schemas/A', components: { schemas: { A: { type: 'string' } } } },
    { $id: 'https://example.com/a', $ref: '#/$defs/A', $defs: { A: true } },
    { properties: { a: { $id: 'https://example.com/b', $ref: '#/$defs/A', $defs: { A: true } } } },
    {
      properties: { $ref: { type: 'string' } },
      const: { $ref: 'https://example.com' },
      enum: [{ $ref: 'x' }],
    },
  ])('stay in the document: %j', (schema) => {
    expect(() => checkSchema(schema)).not.toThrow();
  });

  test.each(['https://example.com/a', 'other.json#/a', '/a', '', 'urn:x', '//example.com'])(
    'do not leave it: "%s"',
    (reference) => {
      const error = errorOf(() => checkSchema({ items: { $ref: reference } }), ExternalRefError);
      expect([error.code, error.path]).toEqual(['EXTERNAL_REF', '/items/$ref']);
      expect(() => checkSchema({ $dynamicRef: reference })).toThrow(ExternalRefError);
    },
  );

  test.each(['#/nothing', '#nowhere', '#/$defs/text', '#/%', 5, null])(
    'lead to a schema: %j',
    (reference) => {
      const error = errorOf(
        () => checkSchema({ $ref: reference, $defs: { text: 'text' } }),
        InvalidSchemaError,
      );
      expect([error.code, error.path]).toEqual(['INVALID_SCHEMA', '/$ref']);
    },
  );

  test('are also looked at below a keyword that only a reference leads to', () => {
    const schema = { $ref: '#/components/A', components: { A: { items: { $ref: 'x.json' } } } };
    expect(errorOf(() => checkSchema(schema), ExternalRefError).path).toBe('/components/A/items/$ref');
  });

  test('of a document inside do not see what is around it', () => {
    const schema = {
      $defs: { A: true },
      properties: { a: { $id: 'https://example.com/b', $ref: '#/$defs/A' } },
    };
    expect(() => checkSchema(schema)).toThrow(InvalidSchemaError);
  });
});

describe('the limits', () => {
  test('count what is shared as often as it is there', () => {
    let shared: object = { type: 'string' };
    for (let level = 0; level < 20; level += 1) shared = { anyOf: [shared, shared] };
    expect(() => checkSchema(shared)).toThrow(SchemaTooLargeError);
  });

  test('are a mebibyte, no byte more', () => {
    const overhead = JSON.stringify({ const: '' }).length;
    expect(() => checkSchema({ const: 'x'.repeat(1_048_576 - overhead) })).not.toThrow();
    expect(() => checkSchema({ const: 'x'.repeat(1_048_577 - overhead) })).toThrow(SchemaTooLargeError);
  });

  test('are 50 000 nodes, no node more', () => {
    const list = (length: number): object => ({ enum: Array.from({ length }, () => 0) });
    expect(() => checkSchema(list(49_998))).not.toThrow();
    expect(() => checkSchema(list(49_999))).toThrow(SchemaTooLargeError);
  });
});

test.each([
  [{}, '2020-12'],
  [true, '2020-12'],
  [{ $schema: 'https://json-schema.org/draft/2020-12/schema#' }, '2020-12'],
  [{ $schema: 'http://json-schema.org/draft-07/schema#' }, 'draft-07'],
  [{ $schema: 'https://json-schema.org/draft-07/schema' }, 'draft-07'],
  [{ $schema: 'http://json-schema.org/draft-04/schema#' }, undefined],
  [{ $schema: 5 }, undefined],
])('the dialect of %j is %s', (schema, expected) => {
  expect(dialectOf(schema)).toBe(expected);
});

test('pointers are written and read', () => {
  expect(tokensOf(pointTo('', 'a/b', '~', 0))).toEqual(['a/b', '~', '0']);
  expect(valueAt({ 'a/b': [{ x: 1 }] }, '/a~1b/0/x')).toBe(1);
  expect([valueAt([1], '/01'), valueAt({}, '/constructor'), valueAt({}, 'x')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
