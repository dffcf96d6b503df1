import { expect, test } from '@jest/globals';
import { generateFlatSchema, joinObjectSchemas } from './first-problem.ts';
import { booksTool, fields } from './make-facts.ts';

const string = { type: 'string' };

test('has the common and the own fields with their own descriptions and required ones', () => {
  const { common, actions } = booksTool();
  expect(generateFlatSchema([common, actions[0]?.own])).toEqual({
    type: 'object',
    properties: {
      branch: { type: 'string', description: 'Branch code' },
      verbose: { type: 'boolean' },
      text: { type: 'string', description: 'Search text' },
      max: { type: 'integer', description: 'Page size' },
    },
    required: ['branch', 'text'],
  });
});

test('takes the version of the action where it declares a common field again', () => {
  const common = fields({ a: { ...string, description: 'The a' }, b: string });
  const schema = generateFlatSchema([common, fields({ 'a?': { type: 'number' } })]);
  expect(schema).toEqual({
    type: 'object',
    properties: { a: { type: 'number', description: 'The a' }, b: string },
    required: ['b'],
  });
});

test('flattens the root and keeps defaults, which make a field optional', () => {
  const own = {
    type: 'object',
    allOf: [fields({ a: { ...string, default: 'x' } }), fields({ a: { minLength: 1 }, b: string })],
  } as const;
  expect(generateFlatSchema([undefined, own])).toEqual({
    type: 'object',
    properties: { a: { type: 'string', minLength: 1, default: 'x' }, b: string },
    required: ['b'],
  });
});

test('allows a field with the name of a discriminator', () => {
  expect(generateFlatSchema([fields({ action: string })]).required).toEqual(['action']);
});

test('is an empty object schema without any schema, and joining gives undefined', () => {
  expect(generateFlatSchema([undefined])).toEqual({ type: 'object', properties: {}, required: [] });
  expect(joinObjectSchemas([undefined, undefined])).toBeUndefined();
  expect(joinObjectSchemas([undefined, fields({ a: string })])?.schema.required).toEqual(['a']);
});

test('carries recursive types and renames those of the same name', () => {
  const node = (value: string) =>
    fields(
      { [value]: { $ref: '#/$defs/Node' } },
      { $defs: { Node: fields({ v: { type: value }, 'next?': { $ref: '#/$defs/Node' } }) } },
    );
  const schema = generateFlatSchema([node('string'), node('number')]);
  expect(Object.keys(schema.$defs ?? {})).toEqual(['Node', 'Node_2']);
  expect(schema.properties?.['number']).toEqual({ $ref: '#/$defs/Node_2' });
});
