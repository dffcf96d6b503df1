import { expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Issue } from '../../../src/call/issue.ts';
import { createContract } from '../../../src/compile/contracts/create-contract.ts';
import type { SchemaSource } from '../../../src/shared/schema-source.ts';

const strict = { unknownFields: 'strict', where: 'books.find' } as const;

function issues(source: SchemaSource, value: Record<string, unknown>): readonly Issue[] {
  const outcome = createContract(source, strict).check(value);
  if (outcome instanceof Promise) throw new Error('a promise');
  return outcome.ok ? [] : outcome.issues;
}

const Order = z.object({
  name: z.string().min(2).default('box'),
  count: z.int().max(5).optional(),
  address: z.object({ mail: z.email() }),
});

test('publishes the JSON Schema of the input and converts with the library', () => {
  const contract = createContract(Order, strict);
  expect(contract.schema).toMatchObject({ type: 'object', required: ['address'] });
  expect(contract.schema).not.toHaveProperty('$schema');
  expect(contract.names).toEqual(['name', 'count', 'address']);
  expect(contract.type).toBeUndefined();
  expect(contract.check({ address: { mail: 'a@b.co' } })).toEqual({
    ok: true,
    value: { name: 'box', address: { mail: 'a@b.co' } },
  });
});

test('reports every problem with path, message, expectation and what came', () => {
  expect(issues(Order, { name: 'a', count: 9 })).toMatchObject([
    { path: 'name', expected: 'string, at least 2 characters', received: 'string "a"' },
    { path: 'count', received: 'number 9' },
    {
      path: 'address',
      expected: 'object',
      received: 'nothing',
      message: expect.stringContaining('expected object'),
    },
  ]);
});

test('names unknown fields of a strict nested object, with a suggestion', () => {
  const schema = z.object({ point: z.strictObject({ width: z.number() }) });
  expect(issues(schema, { point: { width: 1, widht: 2 } })).toEqual([
    {
      path: 'point.widht',
      message: 'unknown field',
      received: 'number 2',
      accepted: ['width'],
      suggestion: 'width',
    },
  ]);
});

test('follows the schema about further names', () => {
  expect(createContract(z.looseObject({ a: z.string() }), strict).acceptsFurtherNames).toBe(true);
  expect(createContract(z.record(z.string(), z.number()), strict).acceptsFurtherNames).toBe(true);
  expect(createContract(z.strictObject({ a: z.string() }), strict).acceptsFurtherNames).toBe(false);
  expect(createContract(Order, strict).acceptsFurtherNames).toBe(false);
});

test('passes unions and intersections of objects through', () => {
  const union = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), x: z.string() }),
    z.object({ kind: z.literal('b'), y: z.string() }),
  ]);
  const contract = createContract(union, strict);
  expect(contract.schema.type).toBe('object');
  expect(contract.schema.oneOf).toHaveLength(2);
  expect(contract.names).toEqual(['kind', 'x', 'y']);
  expect(createContract(z.object({ a: z.string() }).and(z.object({ b: z.int() })), strict).names).toEqual([
    'a',
    'b',
  ]);
});

test('looks into the one branch of a union that was meant', () => {
  const schema = z.object({ to: z.union([z.string(), z.object({ mail: z.string() })]) });
  expect(issues(schema, { to: { mail: 1 } }).map(({ path }) => path)).toEqual(['to.mail']);
});

test('awaits asynchronous refinements', async () => {
  const schema = z.object({
    name: z.string().refine(async (name) => Promise.resolve(name === 'free'), 'is taken'),
  });
  // zod throws when it is asked synchronously, and answers with a promise by itself in `~standard`
  const outcome = await createContract(schema, strict).check({ name: 'gone' });
  expect(outcome).toMatchObject({ ok: false, issues: [{ path: 'name', message: 'is taken' }] });
});

test('turns an exception of the library into an issue', async () => {
  const schema = z.object({
    name: z.string().refine(() => {
      throw new Error('secret');
    }),
  });
  const outcome = await createContract(schema, strict).check({ name: 'a' });
  expect(outcome).toMatchObject({
    ok: false,
    issues: [{ message: expect.stringMatching(/^could not be converted or checked/) }],
  });
  expect(JSON.stringify(outcome)).not.toContain('secret');
});

test('leaves the names alone that another contract checks', () => {
  const contract = createContract(Order, { ...strict, without: ['address'] });
  expect(contract.names).toEqual(['name', 'count']);
  expect(contract.schema.required).toBeUndefined();
  expect(contract.check({ count: 1 })).toMatchObject({ ok: true });
  expect(contract.check({ count: 9 })).toMatchObject({ ok: false, issues: [{ path: 'count' }] });
});

test('reports __proto__ instead of handing it on', () => {
  const input = JSON.parse('{"address":{"mail":"a@b.co","__proto__":{"x":1}}}') as Record<string, unknown>;
  expect(issues(Order, input)).toMatchObject([{ path: 'address.__proto__', message: 'unknown field' }]);
  const stripped = createContract(Order, { ...strict, unknownFields: 'strip' }).check(input);
  expect(stripped).toMatchObject({ ok: true });
});

test('refuses schemas that cannot give JSON Schema, and roots that are no objects', () => {
  const old = { '~standard': { version: 1, vendor: 'zod', validate: () => ({ value: {} }) } } as const;
  expect(() => createContract(old, strict)).toThrow('TW_COMPILE_SCHEMA_UNSUPPORTED: books.find');
  expect(() => createContract(z.object({ at: z.date() }), strict)).toThrow('TW_COMPILE_SCHEMA_UNSUPPORTED');
  expect(() => createContract(z.string(), strict)).toThrow(/TW_COMPILE_SCHEMA_ROOT: books\.find .* string/);
  expect(() => createContract(z.any(), strict)).toThrow('TW_COMPILE_SCHEMA_ROOT');
});

test.each<[string, SchemaSource, string]>([
  ['a string', z.object({ b: z.string() }).transform(({ b }) => b), 'a string'],
  ['an array', z.object({ b: z.string() }).transform(({ b }) => [b]), 'an array'],
  ['nothing', z.object({ b: z.string() }).transform(() => undefined), 'nothing'],
])('refuses an input that a transform made %s', (_, source, kind) => {
  expect(issues(source, { b: 'x' })).toMatchObject([
    { path: '', message: `the schema converts its input to ${kind}, but an input has to stay an object` },
  ]);
});

test('hands on an instance that a transform made', () => {
  const outcome = createContract(
    z.object({ at: z.string() }).transform(({ at }) => new Date(at)),
    strict,
  ).check({ at: '2020-01-01' });
  expect(outcome).toEqual({ ok: true, value: new Date('2020-01-01') });
});

test('places an issue of the root at the root, whatever a library makes of its paths', () => {
  // as ArkType does: `map` of an empty one asks the constructor for an array of 0 items, and gets [0]
  class KeyPath extends Array<PropertyKey> {
    constructor(...keys: PropertyKey[]) {
      super();
      this.push(...keys);
    }
  }
  const { jsonSchema, ...rest } = z.object({ a: z.string() })['~standard'];
  const validate = () => ({ issues: [{ message: 'must be whole', path: new KeyPath() }] });
  const source = { '~standard': { ...rest, jsonSchema, validate } } as unknown as SchemaSource;
  expect(issues(source, { a: 'x' })).toMatchObject([{ path: '', message: 'must be whole' }]);
});
