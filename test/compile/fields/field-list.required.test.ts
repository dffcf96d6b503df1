import { expect, test } from '@jest/globals';
import { ownRequiredFields, requiredFields } from '../../../src/compile/fields/field-list.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import { generateFlatSchema } from '../tools/first-problem.ts';
import { fields } from '../tools/make-facts.ts';

function flatten(schema: JsonSchema) {
  const { properties = {}, required, $defs = {} } = generateFlatSchema([schema]);
  return { properties, required, $defs };
}

const string = { type: 'string' };

test('finds the fields that cannot be left out, in the order of the properties', () => {
  const schema = {
    ...fields({ b: string, 'c?': string, a: { type: ['string', 'null'] } }),
    required: ['a', 'b'],
  };
  expect(requiredFields(schema)).toEqual(['b', 'a']);
  expect(requiredFields(undefined)).toEqual([]);
});

test('does not count a field with a default', () => {
  expect(requiredFields(fields({ a: { ...string, default: '' }, b: string }))).toEqual(['b']);
});

test.each<[string, JsonSchema, readonly string[]]>([
  [
    'an intersection requires what any part requires',
    { allOf: [fields({ a: string }), fields({ b: string })] },
    ['a', 'b'],
  ],
  [
    'a union requires what every branch requires',
    { anyOf: [fields({ a: string, b: string }), fields({ b: string })] },
    ['b'],
  ],
  [
    'a choice of required fields requires none',
    { ...fields({ 'a?': string, 'b?': string }), anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    [],
  ],
  [
    'a condition requires what both outcomes require',
    { ...fields({ a: string }), if: {}, then: fields({ b: string, c: string }), else: fields({ c: string }) },
    ['a', 'c'],
  ],
  [
    'a reference requires what its target requires',
    { $ref: '#/definitions/A', definitions: { A: fields({ a: string }) } },
    ['a'],
  ],
  [
    'branches that are no objects do not count',
    { anyOf: [fields({ a: string }), { type: 'null' }, false as unknown as JsonSchema] },
    ['a'],
  ],
  ['a name may be required without being described', { type: 'object', required: ['x'] }, ['x']],
])('%s', (_, schema, required) => {
  expect(requiredFields(schema)).toEqual(required);
});

test('leaves out of an action what the common schema always requires', () => {
  expect(ownRequiredFields(fields({ a: string, 'b?': string }), ['a', 'b', 'c'])).toEqual(['b', 'c']);
});

test('flattening keeps the fields of all branches and the base type where a branch only refines', () => {
  const flat = flatten({
    ...fields({ kind: { type: 'string', enum: ['a', 'b'] } }),
    oneOf: [fields({ kind: { const: 'a' }, x: string }), { properties: { y: string } }],
  });
  expect(flat.properties).toEqual({ kind: { type: 'string', enum: ['a', 'b'] }, x: string, y: string });
  expect(flat.required).toEqual(['kind']);
});

test('flattening keeps only the definitions of recursive types', () => {
  const flat = flatten(
    fields(
      { a: { $ref: '#/$defs/Plain' }, b: { $ref: '#/$defs/Even', description: 'Even' } },
      {
        $defs: {
          Plain: string,
          Even: fields({ 'odd?': { $ref: '#/$defs/Odd' } }),
          Odd: fields({ 'even?': { $ref: '#/$defs/Even' }, 'text?': { $ref: '#/$defs/Plain' } }),
          Unused: fields({ 'self?': { $ref: '#/$defs/Unused' } }),
        },
      },
    ),
  );
  expect(flat.properties).toEqual({ a: string, b: { $ref: '#/$defs/Even', description: 'Even' } });
  expect(Object.keys(flat.$defs)).toEqual(['Even', 'Odd']);
  expect(flat.$defs['Odd']?.properties?.['text']).toEqual(string);
});

test('flattening takes a field or value named $ref for what it is', () => {
  const schema = fields({
    $ref: string,
    at: { const: { $ref: '#/nowhere' } },
    'to?': { default: { $ref: 'x' } },
  });
  expect(flatten(schema).properties).toEqual(schema.properties);
});

test('flattening follows pointers, anchors and the id of the schema', () => {
  const flat = flatten({
    $id: 'https://example.org/a',
    ...fields({
      a: { type: 'array', items: { ...string, minLength: 1 } },
      b: { $ref: '#/properties/a/items' },
      c: { $ref: '#word' },
      d: { $ref: 'https://example.org/a#/$defs/A~1B' },
      e: { $ref: '#word', maxLength: 3 },
    }),
    $defs: { W: { $anchor: 'word', type: 'string' }, 'A/B': { type: 'number' } },
  });
  expect(flat.properties).toMatchObject({
    b: { type: 'string', minLength: 1 },
    c: { type: 'string' },
    d: { type: 'number' },
    e: { allOf: [{ type: 'string' }, { maxLength: 3 }] },
  });
});

test('flattening survives types that are only themselves', () => {
  const loop = { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } } };
  expect(flatten(loop)).toEqual({ properties: {}, required: [], $defs: {} });
});
