import { expect, test } from '@jest/globals';
import { generateSchema } from '../tools/first-problem.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import { fields, toolOfFieldX } from '../tools/make-facts.ts';
import { mergeTable } from './merge-table.ts';

function mergedX(...schemas: readonly JsonSchema[]): JsonSchema {
  const { description, ...merged } = generateSchema(toolOfFieldX(...schemas)).properties?.['x'] ?? {};
  expect(description).toContain('one');
  return merged;
}

const string = { type: 'string' };
const nullish = { type: 'null' };

test.each(mergeTable)('%s', (_, schemas, merged) => {
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
