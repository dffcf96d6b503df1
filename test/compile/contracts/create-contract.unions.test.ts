import { describe, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsString, ValidateNested } from 'class-validator';
import { z } from 'zod';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import type { SchemaSource } from '../../../src/shared/schema-source.ts';
import { issues } from '../../support/check-helpers.ts';

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
