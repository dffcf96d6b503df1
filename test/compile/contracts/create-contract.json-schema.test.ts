import { expect, test, describe } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsString, ValidateNested } from 'class-validator';
import { z } from 'zod';
import type { CheckOutcome, Issue } from '../../../src/call/issue.ts';
import { createContract } from '../../../src/compile/contracts/create-contract.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import type { SchemaSource } from '../../../src/shared/schema-source.ts';
import { issues } from '../../support/check-helpers.ts';

const strict = { unknownFields: 'strict', where: 'books.find' } as const;

function check(source: JsonSchema, value: Record<string, unknown>): CheckOutcome<object> {
  return createContract(source, strict).check(value) as CheckOutcome<object>;
}

function issuesOf(source: JsonSchema, value: Record<string, unknown>): readonly Issue[] {
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
  expect(issuesOf(Book, { state: 'old', cfg: { ports: [1, 'x'], prots: [] } })).toMatchObject([
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
  expect(issuesOf(schema, { to: { mail: 1 } }).map(({ path }) => path)).toEqual(['to.mail']);
  expect(issuesOf(schema, { to: 1 })).toMatchObject([{ path: 'to', expected: 'string or object' }]);
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
  expect(issuesOf(open, input)).toMatchObject([{ path: 'meta.__proto__', message: 'unknown field' }]);
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
  ['another dialect', { ...Book, $schema: 'https://example.com/dialect' }, 'example.com/dialect'],
  [
    'a type that does not exist, with its place',
    { type: 'object', properties: { a: { type: 'text' } } },
    '/properties/a/type',
  ],
  [
    'a pattern that cannot be read, with its place',
    { type: 'object', properties: { a: { type: 'string', pattern: '(' } } },
    '/properties/a/pattern',
  ],
  [
    'a reference to nothing, with its place',
    { type: 'object', properties: { a: { $ref: '#/$defs/A' } } },
    '/properties/a/$ref',
  ],
  [
    'a reference to elsewhere, with its place',
    { type: 'object', properties: { list: { type: 'array', items: { $ref: 'https://x.y/z' } } } },
    '/properties/list/items/$ref',
  ],
  [
    'a date of zod, with its place',
    z.object({ list: z.array(z.object({ ok: z.string(), at: z.coerce.date().optional() })) }),
    '/properties/list/items/properties/at',
  ],
  [
    'a map of zod in a union, with its place',
    z.object({ a: z.union([z.string(), z.object({ m: z.map(z.string(), z.number()) })]) }),
    '/properties/a/anyOf/1/properties/m',
  ],
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

test.each(['http://json-schema.org/draft-07/schema#', 'http://json-schema.org/draft-04/schema#'])(
  'takes %s, and publishes and checks it as 2020-12',
  ($schema) => {
    const old: JsonSchema = {
      $schema,
      $id: 'https://example.com/old',
      type: 'object',
      definitions: { Tag: { type: 'string', minLength: 2 } },
      properties: {
        tag: { $ref: 'https://example.com/old#/definitions/Tag' },
        pair: { type: 'array', items: [{ type: 'string' }, { type: 'integer' }] as never },
        above: { type: 'number', minimum: 0, exclusiveMinimum: true },
        maybe: { type: 'string', nullable: true, example: 'x' },
        any: true as never,
        list: { type: 'array' },
        kind: { enum: ['a', 'b'] },
      },
      required: ['tag'],
    };
    expect(createContract(old, strict).schema).toEqual({
      type: 'object',
      $defs: { Tag: { type: 'string', minLength: 2 } },
      properties: {
        tag: { $ref: '#/$defs/Tag' },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: {} },
        above: { type: 'number', exclusiveMinimum: 0 },
        maybe: { type: ['string', 'null'], examples: ['x'] },
        any: {},
        list: { type: 'array', items: {} },
        kind: { type: 'string', enum: ['a', 'b'] },
      },
      required: ['tag'],
    });
    const paths = issuesOf(old, { tag: 'x', pair: [1], above: 0, maybe: null, any: 1 }).map(
      ({ path }) => path,
    );
    expect(paths).toEqual(['tag', 'pair.0', 'above']);
  },
);

const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

const tagged: readonly [string, SchemaSource][] = [
  [
    'zod',
    z.discriminatedUnion('k', [
      z.object({ k: z.literal('a'), v: z.string() }),
      z.object({ k: z.literal('b'), v: z.number() }),
    ]),
  ],
  [
    'a raw schema',
    {
      oneOf: [
        object({ k: { const: 'a' }, v: { type: 'string' } }),
        object({ k: { const: 'b' }, v: { type: 'number' } }),
      ],
    },
  ],
  [
    'a raw schema with references',
    {
      oneOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }],
      $defs: {
        A: object({ k: { const: 'a' }, v: { type: 'string' } }),
        B: object({ k: { const: 'b' }, v: { type: 'number' } }),
      },
    },
  ],
];

describe.each(tagged)('a tagged union of %s', (_, source) => {
  test('expects what the branch of the tag expects', () => {
    expect(issues(source, { k: 'b', v: 'q' })).toMatchObject([{ path: 'v', expected: 'number' }]);
    expect(issues(source, { k: 'a', v: 1 })).toMatchObject([{ path: 'v', expected: 'string' }]);
    expect(issues(source, { k: 'b' })).toMatchObject([{ path: 'v', expected: 'number' }]);
  });

  test('offers the tags of all branches for one that fits none', () => {
    expect(issues(source, { k: 'c' })).toMatchObject([{ path: 'k', expected: 'one of: a, b' }]);
  });
});

const untagged: readonly [string, SchemaSource][] = [
  ['zod', z.union([z.object({ a: z.string() }), z.object({ a: z.number(), b: z.string(), c: z.boolean() })])],
  [
    'a raw schema',
    {
      anyOf: [
        object({ a: { type: 'string' } }),
        object({ a: { type: 'number' }, b: { type: 'string' }, c: { type: 'boolean' } }),
      ],
    },
  ],
];

describe.each(untagged)('an untagged union of %s', (_, source) => {
  test('reports the branch with the fewest issues', () => {
    expect(issues(source, { a: 1 })).toMatchObject([{ path: 'a', expected: 'string or number' }]);
  });

  test('lists what each branch requires where several come as close', () => {
    expect(issues(source, { a: 1, b: 'x' })).toMatchObject([
      {
        path: '',
        message: 'fits none of the forms',
        expected: '{ a: string } or { a: number, b: string, c: boolean }',
        received: 'object',
      },
    ]);
  });
});

test('a condition reports what it asks for, not that it failed', () => {
  const source: JsonSchema = {
    type: 'object',
    properties: { k: { type: 'string' } },
    if: { properties: { k: { const: 'a' } } },
    then: { properties: { v: { type: 'integer' } }, required: ['v'] },
  };
  expect(issues(source, { k: 'a' })).toMatchObject([
    { path: 'v', message: 'is required', expected: 'integer' },
  ]);
});

test('a value that fits two branches of a oneOf is reported as such', () => {
  const source: JsonSchema = {
    ...object({}),
    properties: { a: { oneOf: [{ type: 'integer' }, { type: 'number' }] } },
  };
  expect(issues(source, { a: 1 })).toMatchObject([{ path: 'a', message: 'fits more than one of the forms' }]);
});

test('an unknown field of a strict branch is answered with the fields of that branch', () => {
  const source = z.discriminatedUnion('k', [
    z.strictObject({ k: z.literal('a'), width: z.number() }),
    z.strictObject({ k: z.literal('b'), height: z.number() }),
  ]);
  const [issue] = issues(z.object({ s: source }), { s: { k: 'b', height: 1, heigth: 2 } });
  expect(issue).toMatchObject({ path: 's.heigth', accepted: ['k', 'height'], suggestion: 'height' });
});

describe('sub-types of a class', () => {
  class Shape {
    @IsString() kind!: string;
    @IsInt() size!: number;
  }
  class Circle extends Shape {
    @IsInt() r!: number;
  }
  class Square extends Shape {
    @IsIn([1, 2]) side!: number;
  }
  class Dto {
    @ValidateNested()
    @Type(() => Shape, {
      keepDiscriminatorProperty: true,
      discriminator: {
        property: 'kind',
        subTypes: [
          { name: 'circle', value: Circle },
          { name: 'square', value: Square },
        ],
      },
    })
    shape!: Shape;
  }

  test('an unknown tag is the only thing wrong with it', () => {
    expect(issues(Dto, { shape: { kind: 'cirle', size: 1, r: 2 } })).toEqual([
      {
        path: 'shape.kind',
        message: 'kind must be one of the following values: circle, square',
        expected: 'one of: circle, square',
        received: 'string "cirle"',
        suggestion: 'circle',
      },
    ]);
  });

  test('accepted fields are named once, the declared tag included', () => {
    const [issue] = issues(Dto, { shape: { kind: 'circle', size: 1, r: 2, extra: 1 } });
    expect(issue).toMatchObject({ path: 'shape.extra', accepted: ['kind', 'size', 'r'] });
  });

  test('expects what the sub-type of the tag expects', () => {
    expect(issues(Dto, { shape: { kind: 'square', size: 1, side: 3 } })).toMatchObject([
      { path: 'shape.side', expected: 'one of: 1, 2' },
    ]);
  });
});
