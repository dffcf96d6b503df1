import { describe, expect, test } from '@jest/globals';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Min, MinLength, ValidateIf } from 'class-validator';
import { z } from 'zod';
import type { CheckOutcome } from '../../../src/call/issue.ts';
import type { Contract } from '../../../src/compile/contracts/contract.ts';
import { createContract } from '../../../src/compile/contracts/create-contract.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import type { SchemaSource } from '../../../src/shared/schema-source.ts';

function outer(source: SchemaSource, ...without: readonly string[]): Contract {
  return createContract(source, { unknownFields: 'strict', where: 'books.find', without });
}

function check(contract: Contract, value: Record<string, unknown>): CheckOutcome<object> {
  return contract.check(value) as CheckOutcome<object>;
}

function paths(contract: Contract, value: Record<string, unknown>): readonly string[] {
  const outcome = check(contract, value);
  return outcome.ok ? [] : outcome.issues.map(({ path }) => path);
}

class Named {
  @IsString() mode!: string;
  @IsString() other!: string;
}

test.each<[string, SchemaSource]>([
  ['a class', Named],
  ['zod', z.object({ mode: z.string(), other: z.string() })],
  ['a raw schema', { type: 'object', properties: { mode: { type: 'string' }, other: {} } }],
])('%s says which of its names another contract checks', (_, source) => {
  const contract = outer(source, 'mode', 'absent');
  expect(contract).toMatchObject({ names: ['other'], redeclared: ['mode'] });
  expect(contract.schema.properties).not.toHaveProperty('mode');
  expect(outer(source).redeclared).toEqual([]);
});

describe('a class', () => {
  class Common {
    @IsIn(['a', 'b']) mode!: string;
    @ValidateIf((dto: Common) => dto.mode === 'b') @IsInt() @Min(1) count!: number;
    @IsOptional() @MinLength(2) name?: string;
  }

  test('evaluates its conditions with the value of the redeclared name', () => {
    const contract = outer(Common, 'mode');
    expect(paths(contract, { mode: 'b', count: 0 })).toEqual(['count']);
    expect(paths(contract, { mode: 'a', count: 0 })).toEqual([]);
    expect(paths(contract, { mode: 'b' })).toEqual(['count']);
  });

  test('does not insist on the redeclared name, whatever comes under it', () => {
    const contract = outer(Common, 'mode');
    const outcome = check(contract, { mode: { any: 'thing' }, name: 'ab' });
    expect(outcome).toMatchObject({ ok: true, value: { name: 'ab' } });
    expect(outcome.ok && outcome.value).toBeInstanceOf(Common);
    expect(paths(contract, {})).toEqual([]);
    expect(paths(contract, { mode: 7, name: 'a' })).toEqual(['name']);
  });

  test('is not broken by a value that its conversions cannot take', () => {
    class Trimmed {
      @Transform(({ value }) => (value as string).trim()) @IsString() mode!: string;
      @IsInt() count!: number;
    }
    expect(check(outer(Trimmed, 'mode'), { mode: 5, count: 1 })).toMatchObject({
      ok: true,
      value: { count: 1 },
    });
    expect(paths(outer(Trimmed, 'mode'), { mode: 5, count: 'x' })).toEqual(['count']);
  });
});

describe('zod', () => {
  const Range = z
    .object({
      mode: z.enum(['a', 'b']),
      from: z.int(),
      to: z.int().default(9),
      tag: z.string().trim().optional(),
    })
    .refine(({ from, to }) => from <= to, { message: 'from is after to', path: ['from'] });

  test('runs refinements over the other fields, whether the redeclared value suits it or not', () => {
    const contract = outer(Range, 'mode');
    expect(paths(contract, { mode: 'a', from: 10 })).toEqual(['from']);
    expect(paths(contract, { mode: 'other', from: 10 })).toEqual(['from']);
    expect(paths(contract, { from: 10, to: 11 })).toEqual([]);
  });

  test.each<[unknown]>([['a'], ['other'], [undefined]])('keeps defaults and transforms with %p', (mode) => {
    const value = { ...(mode === undefined ? {} : { mode }), from: 1, tag: ' x ' };
    expect(check(outer(Range, 'mode'), value)).toEqual({ ok: true, value: { from: 1, to: 9, tag: 'x' } });
  });

  test('reaches through transforms and intersections', () => {
    const piped = Range.transform((value) => ({ ...value, seen: true }));
    expect(check(outer(piped, 'mode'), { mode: 3, from: 1 })).toEqual({
      ok: true,
      value: { from: 1, to: 9, seen: true },
    });
    const both = z.object({ mode: z.int() }).and(z.object({ n: z.int().default(4) }));
    expect(check(outer(both, 'mode'), { mode: 'x' })).toEqual({ ok: true, value: { n: 4 } });
  });

  test('leaves the other fields as they came where it cannot be asked without the name', () => {
    const union = z.union([
      z.object({ mode: z.literal('a'), n: z.int().default(1) }),
      z.object({ mode: z.literal('b'), m: z.int() }),
    ]);
    expect(check(outer(union, 'mode'), { mode: 'a', n: 3 })).toEqual({ ok: true, value: { n: 3 } });
  });

  test('waits for asynchronous refinements', async () => {
    const later = z
      .object({ mode: z.string(), n: z.int() })
      .refine(async ({ n }) => Promise.resolve(n > 1), 'too small');
    expect(await outer(later, 'mode').check({ mode: 1, n: 1 })).toMatchObject({
      ok: false,
      issues: [{ message: 'too small' }],
    });
    expect(await outer(later, 'mode').check({ mode: 1, n: 2 })).toEqual({ ok: true, value: { n: 2 } });
  });
});

describe('a raw schema', () => {
  const fields = { mode: { enum: ['a', 'b'] }, x: { type: 'integer' }, y: { type: 'string', default: 'q' } };
  const raw = (more: JsonSchema): Contract => outer({ type: 'object', properties: fields, ...more }, 'mode');

  test.each<[string, JsonSchema, Record<string, unknown>]>([
    ['minProperties', { minProperties: 2 }, { mode: 'other', x: 1 }],
    ['dependentRequired', { dependentRequired: { x: ['mode'] } }, { x: 1 }],
    ['required', { required: ['mode'] }, {}],
    ['oneOf', { oneOf: [{ required: ['mode'] }, { required: ['z'] }] }, { mode: 'other' }],
    [
      'oneOf by a tag',
      { oneOf: [{ properties: { mode: { const: 'a' } } }, { required: ['z'] }] },
      { mode: 'other' },
    ],
    [
      'if',
      { if: { required: ['x'] }, then: { properties: { mode: { const: 'a' } } } },
      { mode: 'other', x: 1 },
    ],
    ['a reference', { allOf: [{ $ref: '#/$defs/M' }], $defs: { M: { required: ['mode'] } } }, { x: 1 }],
  ])('accepts what only the redeclared name offends: %s', (_, more, value) => {
    expect(paths(raw(more), value)).toEqual([]);
  });

  test.each<[string, JsonSchema, Record<string, unknown>, readonly string[]]>([
    ['minProperties', { minProperties: 3 }, { x: 1 }, ['']],
    ['dependentRequired', { dependentRequired: { mode: ['x'] } }, { mode: 'other' }, ['x']],
    [
      'the branch that the redeclared value fits',
      {
        oneOf: [
          { properties: { mode: { const: 'a' } }, required: ['x'] },
          { properties: { mode: { const: 'b' } }, required: ['z'] },
        ],
      },
      { mode: 'a' },
      ['x'],
    ],
    [
      'a condition on the redeclared value',
      { if: { properties: { mode: { const: 'a' } }, required: ['mode'] }, then: { required: ['x'] } },
      { mode: 'a' },
      ['x'],
    ],
    [
      'the branch that the redeclared value fits, though another one only lacks that value',
      {
        oneOf: [
          { properties: { mode: { const: 'a' } }, required: ['x'] },
          { properties: { mode: { const: 'b' } } },
        ],
      },
      { mode: 'a' },
      ['x'],
    ],
    ['another field', {}, { mode: 'other', x: 'no' }, ['x']],
  ])('still enforces %s', (_, more, value, expected) => {
    expect(paths(raw(more), value)).toEqual(expected);
  });

  test('fills in defaults of the other fields', () => {
    expect(check(raw({}), { mode: 'other', x: 1 })).toEqual({ ok: true, value: { x: 1, y: 'q' } });
  });
});

test('finds what is wrong behind any number of mistakes in a field that is checked elsewhere', () => {
  const properties = { items: { type: 'array', items: { type: 'string' } }, count: { type: 'number' } };
  const options = { unknownFields: 'strict', where: 'a test', without: ['items'] } as const;
  const { check } = createContract({ type: 'object', properties }, options);
  const items = Array.from({ length: 300 }, () => 1);
  expect(check({ items, count: 'x' })).toMatchObject({ ok: false, issues: [{ path: 'count' }] });
  expect(check({ items, count: 1 })).toMatchObject({ ok: true });
});
