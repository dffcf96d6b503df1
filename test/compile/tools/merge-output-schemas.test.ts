import { expect, test } from '@jest/globals';
import { describesObject } from '../../../src/compile/tools/merge-output-schemas.ts';
import { mergeOutputSchemas } from './first-problem.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import { fields } from './make-facts.ts';

const string = { type: 'string' };
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

test('counts an output that is no object as a result field', () => {
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
])('tells whether %j describes objects only', (schema, isObject) => {
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
