import { expect, test } from '@jest/globals';
import { generateFlatSchema, joinObjectSchemas, mergeOutputSchemas } from './first-problem.ts';
import { booksTool, fields } from './make-facts.ts';
import { describesObject } from '../../../src/compile/tools/join-schemas.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';

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

test('gives undefined without any schema', () => {
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

const merge = (...schemas: readonly (JsonSchema | undefined)[]) =>
  mergeOutputSchemas(schemas.map((schema, index) => ({ key: String(index), schema })));

test('is published only when every action declares an output', () => {
  expect(merge(fields({ a: string }), undefined)).toBeUndefined();
  expect(merge()).toBeUndefined();
});

test('has all fields, and requires what all require', () => {
  expect(merge(fields({ id: string, a: string }), fields({ id: string, 'b?': string }))).toEqual({
    type: 'object',
    properties: { id: string, a: string, b: string },
    required: ['id'],
  });
});

test('unites truly different types of a field', () => {
  const { properties } =
    merge(fields({ x: { ...string, enum: ['a'] } }), fields({ x: { type: 'number' } })) ?? {};
  expect(properties?.['x']).toEqual({ anyOf: [{ type: 'string', enum: ['a'] }, { type: 'number' }] });
});

test('counts an output that is not an object as a result field', () => {
  expect(merge({ type: 'array', items: string })).toEqual({
    type: 'object',
    properties: { result: { type: 'array', items: string } },
    required: ['result'],
  });
  expect(merge(string, fields({ id: string }))).toEqual({
    type: 'object',
    properties: { result: string, id: string },
    required: [],
  });
});

test('keeps a field with a default required: an output is not completed', () => {
  expect(merge(fields({ a: { ...string, default: 'x' } }))?.required).toEqual(['a']);
});

test('flattens a union of objects at the root', () => {
  expect(
    merge({ anyOf: [fields({ ok: { const: true }, id: string }), fields({ ok: { const: false } })] }),
  ).toEqual({
    type: 'object',
    properties: { ok: { type: 'boolean', enum: [true, false] }, id: string },
    required: ['ok'],
  });
});

test.each<[JsonSchema, boolean]>([
  [fields({ a: string }), true],
  [{ anyOf: [fields({}), fields({ a: string })] }, true],
  [{ $ref: '#/$defs/A', $defs: { A: fields({ a: string }) } }, true],
  [{ $ref: '#/$defs/A', $defs: { A: fields({ 'a?': { $ref: '#/$defs/A' } }) } }, true],
  [{ properties: { a: string } }, true],
  [{ type: ['object', 'null'] }, false],
  [{ anyOf: [fields({}), string] }, false],
  [{ type: 'array' }, false],
  [{}, false],
])('says whether %j describes objects only', (schema, isObject) => {
  expect(describesObject(schema)).toBe(isObject);
});

test.each<[JsonSchema, JsonSchema]>([
  [{ type: 'array', items: string }, string],
  [{ type: 'number', minimum: 1 }, string],
  [
    { type: 'object', properties: { a: string } },
    { type: 'array', items: string },
  ],
])('offers %p and %p as a choice', (left, right) => {
  expect(merge(fields({ x: left }), fields({ x: right }))?.properties?.['x']).toEqual({
    anyOf: [left, right],
  });
});

test('keeps the wider of two types where one contains the other', () => {
  const nullable = { type: ['string', 'null'] };
  expect(merge(fields({ x: nullable }), fields({ x: string }))?.properties?.['x']).toEqual(nullable);
});
