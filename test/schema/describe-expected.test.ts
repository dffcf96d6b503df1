import { expect, test } from '@jest/globals';
import { describeExpected } from '../../src/schema/describe-expected.ts';
import { schemaAt } from '../../src/schema/schema-at.ts';
import type { JsonSchema } from '../../src/shared/json-schema.ts';

test.each<[string, JsonSchema, string | undefined]>([
  ['a type', { type: 'string' }, 'string'],
  ['a list of types', { type: ['string', 'null'] }, 'string or null'],
  ['values', { type: 'string', enum: ['a', 'b'] }, 'one of: a, b'],
  ['one value', { const: 1 }, '1'],
  ['bounds', { type: 'integer', minimum: 1, maximum: 5 }, 'integer, at least 1, at most 5'],
  ['a format', { type: 'string', format: 'email' }, 'string (email)'],
  [
    'two formats',
    { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] },
    'string (date or date-time)',
  ],
  ['items', { type: 'array', items: { type: 'integer', minimum: 1 } }, 'array of (integer, at least 1)'],
  ['branches', { anyOf: [{ type: 'object' }, { type: 'null' }] }, 'object or null'],
  ['nothing', {}, undefined],
])('says %s in words', (_, schema, text) => {
  expect(describeExpected(schema)).toBe(text);
});

test('finds the schema of a value through references, items and branches', () => {
  const schema: JsonSchema = {
    properties: {
      list: { items: { $ref: '#/$defs/Item' } },
      either: { anyOf: [{ properties: { a: { type: 'null' } } }] },
    },
    $defs: { Item: { properties: { size: { type: 'integer' } } } },
  };
  expect(schemaAt(schema, ['list', 3, 'size'])).toEqual({ type: 'integer' });
  expect(schemaAt(schema, ['either', 'a'])).toEqual({ type: 'null' });
  expect(schemaAt(schema, ['constructor'])).toBeUndefined();
});

test('gives up on references that lead in circles', () => {
  expect(schemaAt({ anyOf: [{ $ref: '#' }] }, ['a'])).toBeUndefined();
});
