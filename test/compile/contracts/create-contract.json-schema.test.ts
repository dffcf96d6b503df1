import { expect, test } from '@jest/globals';
import { z } from 'zod';
import type { CheckOutcome, Issue } from '../../../src/call/issue.ts';
import { createContract } from '../../../src/compile/contracts/create-contract.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import type { SchemaSource } from '../../../src/shared/schema-source.ts';

const strict = { unknownFields: 'strict', where: 'books.find' } as const;

function check(source: JsonSchema, value: Record<string, unknown>): CheckOutcome<object> {
  return createContract(source, strict).check(value) as CheckOutcome<object>;
}

function issues(source: JsonSchema, value: Record<string, unknown>): readonly Issue[] {
  const outcome = check(source, value);
  return outcome.ok ? [] : outcome.issues;
}

const Book: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    isbn: { type: 'string', format: 'email' },
    state: { enum: ['new', 'used'], default: 'new' },
    cfg: {
      type: 'object',
      properties: { ports: { type: 'array', items: { type: 'integer' } } },
      additionalProperties: false,
    },
  },
  required: ['isbn'],
};

test('publishes a frozen copy and leaves the source alone', () => {
  const contract = createContract(Book, strict);
  expect(contract.schema).not.toHaveProperty('$schema');
  expect(contract.names).toEqual(['isbn', 'state', 'cfg']);
  expect(Object.isFrozen(contract.schema.properties)).toBe(true);
  expect(Object.isFrozen(Book.properties)).toBe(false);
});

test('fills defaults into a copy', () => {
  const input = Object.freeze({ isbn: 'a@b.co' });
  expect(check(Book, input)).toEqual({ ok: true, value: { isbn: 'a@b.co', state: 'new' } });
});

test('reports everything at once', () => {
  expect(issues(Book, { state: 'old', cfg: { ports: [1, 'x'], prots: [] } })).toMatchObject([
    { path: 'isbn', message: 'is required', expected: 'string (email)', received: 'nothing' },
    { path: 'state', expected: 'one of: new, used', received: 'string "old"' },
    { path: 'cfg.prots', message: 'unknown field', accepted: ['ports'], suggestion: 'ports' },
    { path: 'cfg.ports.1', expected: 'integer', received: 'string "x"' },
  ]);
});

test('reports the branch of a union that was meant, or the union', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      to: {
        anyOf: [
          { type: 'string' },
          { type: 'object', properties: { mail: { type: 'string' } }, required: ['mail'] },
        ],
      },
    },
  };
  expect(issues(schema, { to: { mail: 1 } }).map(({ path }) => path)).toEqual(['to.mail']);
  expect(issues(schema, { to: 1 })).toMatchObject([{ path: 'to', expected: 'string or object' }]);
});

test('follows the schema about further names', () => {
  const open = { type: 'object', properties: {}, additionalProperties: { type: 'number' } } as const;
  expect(createContract(open, strict).acceptsFurtherNames).toBe(true);
  expect(createContract(Book, strict).acceptsFurtherNames).toBe(false);
});

test('takes unions, intersections and references to objects as a root', () => {
  const union: JsonSchema = {
    anyOf: [{ $ref: '#/$defs/A' }, { type: 'object', properties: { b: {} } }],
    $defs: { A: { type: 'object', properties: { a: {} } } },
  };
  expect(createContract(union, strict).names).toEqual(['a', 'b']);
  const reference = { $ref: '#/$defs/A', $defs: { A: { type: 'object', properties: { a: {} } } } };
  expect(createContract(reference, strict).schema).toMatchObject({ type: 'object', properties: { a: {} } });
});

test('reports __proto__ at any level and never touches a prototype', () => {
  const open: JsonSchema = { type: 'object', properties: { meta: { type: 'object' } } };
  const input = JSON.parse('{"meta":{"__proto__":{"polluted":true}}}') as Record<string, unknown>;
  expect(issues(open, input)).toMatchObject([{ path: 'meta.__proto__', message: 'unknown field' }]);
});

test('survives deep input and recursive schemas', () => {
  const tree: JsonSchema = {
    type: 'object',
    properties: { child: { $ref: '#/$defs/Node' } },
    $defs: { Node: { type: 'object', properties: { child: { $ref: '#/$defs/Node' } } } },
  };
  const nested = (depth: number): Record<string, unknown> => {
    let value: Record<string, unknown> = {};
    for (let level = 0; level < depth; level += 1) value = { child: value };
    return value;
  };
  expect(check(tree, nested(64)).ok).toBe(true);
  expect(check(tree, nested(10_000)).ok).toBe(false);
});

test('leaves the names alone that another contract checks', () => {
  const contract = createContract(Book, { ...strict, without: ['isbn'] });
  expect(contract.names).toEqual(['state', 'cfg']);
  expect(contract.check({})).toEqual({ ok: true, value: { state: 'new' } });
});

test.each<[string, unknown, string]>([
  ['an instance of an unknown class', new (class ZodObject {})(), 'TW_COMPILE_SCHEMA_UNSUPPORTED'],
  ['something else than a schema', 'string', 'TW_COMPILE_SCHEMA_UNSUPPORTED'],
  ['another dialect', { ...Book, $schema: 'http://json-schema.org/draft-04/schema#' }, 'draft-04'],
  ['a broken schema', { type: 'object', properties: { a: { type: 'text' } } }, 'TW_COMPILE_SCHEMA_INVALID'],
  [
    'an external reference',
    { type: 'object', properties: { a: { $ref: 'https://x.y/z' } } },
    'https://x.y/z',
  ],
  ['a root that is not an object', { type: 'string' }, 'TW_COMPILE_SCHEMA_ROOT'],
  ['an empty schema', {}, 'TW_COMPILE_SCHEMA_ROOT'],
  ['the bare fields of zod', { a: z.string() }, 'z.object'],
])('refuses %s', (_, source, text) => {
  expect(() => createContract(source as SchemaSource, strict)).toThrow(text);
});
