import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { write, type Json } from '../convert.ts';
import { COLUMNS, type Column } from '../decided-matrix.ts';

const PROVIDERS = COLUMNS.filter((column) => column !== 'mcp');

/** A schema with everything that decoding undoes. */
const schema: Json = {
  type: 'object',
  properties: {
    any: {},
    map: { type: 'object', additionalProperties: { type: 'number' } },
    level: { enum: [1, true, 'x'] },
    'odd key': { type: 'object', properties: { 'also odd': { const: 5 }, '1st': { type: 'string' } } },
    list: { type: 'array', items: { type: 'object', properties: { 'a.b': {} }, required: ['a.b'] } },
    either: { anyOf: [{ type: 'object', properties: { 'x y': {} }, required: ['x y'] }, { type: 'string' }] },
  },
  required: ['any'],
};

test.each(PROVIDERS)(
  'decoding for %s never fails, adds nothing, and leaves its input as it is',
  (column: Column) => {
    const { names } = write(column, schema);
    const property = fc.property(
      fc.jsonValue({ maxDepth: 4 }),
      fc.dictionary(fc.constantFrom(...keysOf(column)), fc.jsonValue()),
      (value, args) => {
        const before = JSON.stringify(args);
        const decoded = names.decodeArguments('probe', args) as Json;
        expect(JSON.stringify(args)).toBe(before);
        expect(Object.keys(decoded).length).toBeLessThanOrEqual(Object.keys(args).length);
        expect(() => names.decodeArguments('probe', value)).not.toThrow();
      },
    );
    fc.assert(property);
  },
);

function keysOf(column: Column): readonly string[] {
  return [...Object.keys(write(column, schema).schema.properties as Json), 'unknown'];
}

test('arguments deeper than any stack are left alone', () => {
  const { names } = write('gemini-json', {
    ...schema,
    properties: { ...(schema.properties as Json), self: { $ref: '#' } },
  });
  let args: Json = { any: '1' };
  for (let level = 0; level < 100_000; level += 1) args = { self: args };
  expect(Object.keys(names.decodeArguments('probe', args) as Json)).toEqual(['self']);
});

test('everything that was rewritten comes back', () => {
  const { names, schema: emitted } = write('gemini-openapi', schema);
  expect(Object.keys(emitted.properties as Json)).toEqual([
    'any',
    'map',
    'level',
    'odd_key',
    'list',
    'either',
  ]);
  const args = {
    any: '{"a":[null]}',
    map: '{"x":1}',
    level: 'true',
    odd_key: { also_odd: '5', _1st: 'a' },
    list: [{ a_b: '"text"' }],
    either: { x_y: '2' },
  };
  expect(names.decodeArguments('probe', args)).toEqual({
    any: { a: [null] },
    map: { x: 1 },
    level: true,
    'odd key': { 'also odd': 5, '1st': 'a' },
    list: [{ 'a.b': 'text' }],
    either: { 'x y': 2 },
  });
});
