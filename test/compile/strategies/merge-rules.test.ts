import { expect, test } from '@jest/globals';
import { generateSchema } from '../../../src/compile/strategies/generate-schema.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import { fields, toolOfFieldX } from './make-facts.ts';

function mergedX(...schemas: readonly JsonSchema[]): JsonSchema {
  const { description, ...merged } = generateSchema(toolOfFieldX(...schemas)).properties?.['x'] ?? {};
  expect(description).toContain('one');
  return merged;
}

const string = { type: 'string' };
const nullish = { type: 'null' };

const table: readonly [string, readonly JsonSchema[], JsonSchema][] = [
  [
    'equal enums stay',
    [
      { ...string, enum: ['a', 'b'] },
      { ...string, enum: ['b', 'a'] },
    ],
    { ...string, enum: ['a', 'b'] },
  ],
  [
    'different enums unite in order of appearance',
    [
      { ...string, enum: ['b', 'a'] },
      { ...string, enum: ['c', 'a'] },
    ],
    { ...string, enum: ['b', 'a', 'c'] },
  ],
  [
    'a literal counts as an enum of one',
    [
      { ...string, const: 'a' },
      { ...string, enum: ['b'] },
    ],
    { ...string, enum: ['a', 'b'] },
  ],
  ['literals without a type unite', [{ const: 'a' }, { const: 'b' }], { ...string, enum: ['a', 'b'] }],
  ['equal literals stay', [{ const: 'a' }, { const: 'a' }], { const: 'a' }],
  [
    'a union of literals is an enum',
    [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, { ...string, enum: ['c'] }],
    { ...string, enum: ['a', 'b', 'c'] },
  ],
  ['an enum and an unrestricted type become unrestricted', [{ ...string, enum: ['a'] }, string], string],
  ['integer and number become number', [{ type: 'integer' }, { type: 'number' }], { type: 'number' }],
  ['number and integer become number', [{ type: 'number' }, { type: 'integer' }], { type: 'number' }],
  [
    'nullable and plain become nullable',
    [string, { type: ['string', 'null'] }],
    { type: ['string', 'null'] },
  ],
  [
    'type lists compare as sets',
    [{ type: ['null', 'string'] }, { type: ['string', 'null'] }],
    { type: ['null', 'string'] },
  ],
  [
    'two nullable forms are no conflict',
    [{ type: ['string', 'null'] }, { anyOf: [string, nullish] }],
    { type: ['string', 'null'] },
  ],
  [
    'two equal nullable unions stay',
    [{ anyOf: [string, nullish] }, { anyOf: [string, nullish] }],
    { anyOf: [string, nullish] },
  ],
  [
    'unions in another order are no conflict',
    [{ anyOf: [nullish, string] }, { anyOf: [string, nullish] }],
    { type: ['null', 'string'] },
  ],
  [
    'the wider union wins',
    [{ type: 'number' }, { type: ['string', 'number'] }],
    { type: ['string', 'number'] },
  ],
  [
    'a nullable integer and a number become a nullable number',
    [{ type: ['integer', 'null'] }, { type: 'number' }],
    { type: ['number', 'null'] },
  ],
  [
    'nullable enums unite',
    [
      { type: ['string', 'null'], enum: ['a', null] },
      { ...string, enum: ['b'] },
    ],
    { type: ['string', 'null'], enum: ['a', 'b', null] },
  ],
  [
    'a null literal is only null',
    [{ anyOf: [string, { const: null }] }, string],
    { type: ['string', 'null'] },
  ],
  [
    'a different format is dropped',
    [
      { ...string, format: 'date' },
      { ...string, format: 'uri' },
    ],
    string,
  ],
  [
    'a different pattern is dropped',
    [
      { ...string, pattern: '^a', minLength: 2 },
      { ...string, pattern: '^b', minLength: 2 },
    ],
    { ...string, minLength: 2 },
  ],
  [
    'a bound that only one has is dropped',
    [
      { type: 'integer', minimum: 1, maximum: 5 },
      { type: 'integer', minimum: 1 },
    ],
    { type: 'integer', minimum: 1 },
  ],
  [
    'a different default is dropped',
    [
      { ...string, default: 'a' },
      { ...string, default: 'b' },
    ],
    string,
  ],
  [
    'an equal format stays',
    [
      { ...string, format: 'date' },
      { ...string, format: 'date', minLength: 1 },
    ],
    { ...string, format: 'date' },
  ],
  [
    'array items follow the same rules',
    [
      { type: 'array', items: { type: 'integer' } },
      { type: 'array', items: { type: 'number' } },
    ],
    { type: 'array', items: { type: 'number' } },
  ],
  [
    'array items without a schema are any',
    [{ type: 'array', items: string }, { type: 'array' }],
    { type: 'array' },
  ],
  [
    'different tuples lose their items',
    [
      { type: 'array', prefixItems: [string] },
      { type: 'array', items: string },
    ],
    { type: 'array' },
  ],
  ['any and anything become any', [{}, string], {}],
  ['any settles a conflict of others', [string, { type: 'number' }, {}], {}],
  ['true is any', [string, { anyOf: [string, {}] }], {}],
  [
    'one declaration with all types settles the others',
    [string, { type: 'number' }, { type: ['number', 'string'] }],
    { type: ['number', 'string'] },
  ],
  [
    'a type and an array of it widen to the union that has both',
    [string, { anyOf: [string, { type: 'array', items: string }] }],
    { type: ['string', 'array'], items: string },
  ],
];

test.each(table)('%s', (_, schemas, merged) => {
  expect(mergedX(...schemas)).toEqual(merged);
});

test('nested objects have all properties and require what all of them require', () => {
  const one = fields({ a: { type: 'integer' }, b: string, 'c?': string }, { additionalProperties: false });
  const two = fields({ a: { type: 'number' }, d: string }, { additionalProperties: false });
  expect(mergedX(one, two)).toEqual({
    type: 'object',
    properties: { a: { type: 'number' }, b: string, c: string, d: string },
    required: ['a'],
    additionalProperties: false,
  });
});

test('nested declarations keep the first description and drop differing defaults', () => {
  const one = fields({ 'a?': { ...string, description: 'First', default: 'x' } });
  const two = fields({ 'a?': { ...string, description: 'Second', default: 'y' } });
  expect(mergedX(one, two).properties).toEqual({ a: { ...string, description: 'First' } });
});

test('a nested object that accepts any further field makes the fields of the other one any', () => {
  const one = fields({ a: string }, { additionalProperties: false });
  const two = fields({ 'b?': string }, { additionalProperties: true });
  expect(mergedX(one, two)).toEqual({
    type: 'object',
    properties: { a: {}, b: string },
    additionalProperties: true,
  });
});

test('records merge their value types', () => {
  const record = (type: string) => ({ type: 'object', additionalProperties: { type } });
  expect(mergedX(record('integer'), record('number'))).toEqual(record('number'));
});

test('an enum beside an unrestricted type of another kind stays inside the field as anyOf', () => {
  const schema = {
    anyOf: [
      { ...string, enum: ['auto'] },
      { type: 'integer', minimum: 1 },
    ],
  };
  expect(mergedX(schema, { type: 'integer' })).toEqual({
    anyOf: [{ ...string, enum: ['auto'] }, { type: 'integer' }],
  });
});

test.each<[string, JsonSchema, JsonSchema]>([
  ['string with number', string, { type: 'number' }],
  ['array with object', { type: 'array' }, { type: 'object' }],
  ['two nullable types', { type: ['string', 'null'] }, { type: ['number', 'null'] }],
  ['string enum with number enum', { enum: ['1'] }, { enum: [1] }],
  ['null with string', nullish, string],
])('%s is a conflict', (_, left, right) => {
  expect(() => generateSchema(toolOfFieldX(left, right))).toThrow('TW_COMPILE_FIELD_CONFLICT');
});

test('the first declaration with a description gives the description', () => {
  const merged = (...texts: readonly string[]) =>
    generateSchema(toolOfFieldX(...texts.map((description) => ({ ...string, description })))).properties?.[
      'x'
    ]?.description;
  expect(merged('First', 'Second')).toBe('First. Required for: one, two');
  expect(merged('', 'Second')).toBe('Second. Required for: one, two');
});

test('recursive types that differ keep their type only', () => {
  const list = (value: string): JsonSchema =>
    fields(
      { x: { $ref: '#/$defs/List' } },
      { $defs: { List: fields({ v: { type: value }, 'next?': { $ref: '#/$defs/List' } }) } },
    );
  const [one, two] = toolOfFieldX({}, {}).actions;
  if (one === undefined || two === undefined) throw new Error('two actions expected');
  const merged = generateSchema({
    ...toolOfFieldX({}),
    actions: [
      { ...one, own: { ...list('string'), type: 'object' } },
      { ...two, own: { ...list('number'), type: 'object' } },
    ],
  });
  expect(merged.properties?.['x']).toEqual({ type: 'object', description: 'Required for: one, two' });
  expect(merged.$defs).toBeUndefined();
});
