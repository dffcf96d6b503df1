import { describe, expect, test } from '@jest/globals';
import { ElicitRequestFormParamsSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDateString,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsPositive,
  IsString,
  IsUrl,
  Length,
  Matches,
  Max,
  Min,
} from 'class-validator';
import { Field } from 'toolwright';
import { z } from 'zod';
import { createContract } from '../../../src/compile/contracts/create-contract.ts';
import { elicitationSchema } from '../../../src/compile/contracts/elicitation-schema.ts';
import type { JsonSchema, ObjectSchema } from '../../../src/shared/json-schema.ts';
import type { SchemaSource } from '../../../src/shared/schema-source.ts';

enum Size {
  Small = 'small',
  Large = 'large',
}

class Order {
  @IsEmail() @Field({ description: 'Where the receipt goes', title: 'E-mail' }) email!: string;
  @IsString() @Length(2, 40) @Matches(/^[a-z]+$/) name!: string;
  @IsInt() @Min(1) @Max(9) count = 1;
  @IsNumber() @IsPositive() weight!: number;
  @IsBoolean() isGift = false;
  @IsEnum(Size) size = Size.Small;
  @IsIn(['red', 'blue'], { each: true }) @IsArray() @ArrayMinSize(1) @ArrayMaxSize(2) colours!: string[];
  @IsOptional() @IsUrl() page?: string;
  @IsDateString() day!: string;
}

function asked(source: SchemaSource): ObjectSchema {
  const { schema } = createContract(source, { where: 'Form', unknownFields: 'strip' });
  return elicitationSchema(schema, 'Form');
}

function field(schema: JsonSchema): JsonSchema | undefined {
  return asked({ type: 'object', properties: { it: schema } }).properties?.['it'];
}

function refusal(schema: JsonSchema): string {
  try {
    field(schema);
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was refused';
}

test('asks for a DTO by the keywords that forms know, and no others', () => {
  expect(asked(Order)).toEqual({
    type: 'object',
    properties: {
      email: { type: 'string', format: 'email', title: 'E-mail', description: 'Where the receipt goes' },
      name: { type: 'string', minLength: 2, maxLength: 40 },
      count: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
      weight: { type: 'number', minimum: 0 },
      isGift: { type: 'boolean', default: false },
      size: { type: 'string', enum: ['small', 'large'], default: 'small' },
      colours: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['red', 'blue'] } },
      page: { type: 'string', format: 'uri' },
      day: { type: 'string', format: 'date' },
    },
    required: ['email', 'name', 'weight', 'colours', 'day'],
  });
});

test('is accepted by the schema that the official client has for it', () => {
  const params = { mode: 'form', message: 'Order?', requestedSchema: asked(Order) };
  expect(ElicitRequestFormParamsSchema.safeParse(params).success).toBe(true);
});

describe('a Standard Schema', () => {
  test('loses null and what a form does not know', () => {
    const schema = z.object({
      nick: z.string().min(2).nullable(),
      level: z.enum(['low', 'high']).nullable().default(null),
      age: z.int().gt(17),
      either: z.union([z.literal('yes'), z.literal('no')]),
    });
    expect(asked(schema)).toEqual({
      type: 'object',
      properties: {
        nick: { type: 'string', minLength: 2 },
        level: { type: 'string', enum: ['low', 'high'] },
        age: { type: 'integer', minimum: 18, maximum: Number.MAX_SAFE_INTEGER },
        either: { type: 'string', enum: ['yes', 'no'] },
      },
      required: ['age', 'either'],
    });
  });
});

describe('a JSON Schema', () => {
  test('keeps the titles of choices', () => {
    const oneOf = [{ const: '#f00', title: 'Red' }, { const: '#00f' }];
    const titled = [
      { const: '#f00', title: 'Red' },
      { const: '#00f', title: '#00f' },
    ];
    expect(field({ oneOf, default: '#00f' })).toEqual({ type: 'string', oneOf: titled, default: '#00f' });
    expect(field({ type: 'array', items: { anyOf: oneOf }, uniqueItems: true, default: ['#f00'] })).toEqual({
      type: 'array',
      items: { anyOf: titled },
      default: ['#f00'],
    });
  });

  test('keeps the titles that stand in a list beside the choices, where each choice has one', () => {
    const choices = { type: 'string', enum: ['r', 'b'] };
    const titled = { ...choices, enumNames: ['Red', 'Blue'] };
    expect(field(titled)).toEqual(titled);
    expect(field({ ...choices, enumNames: ['Red'] })).toEqual(choices);
    expect(field({ ...choices, enumNames: ['Red', 7] })).toEqual(choices);
    expect(field({ enum: ['r', 'b', null], enumNames: ['Red', 'Blue', 'None'] })).toEqual(choices);
  });

  test('may refer to its own definitions', () => {
    const $defs = { Colour: { enum: ['red', 'blue'] }, Name: { type: ['string', 'null'] } };
    const schema = asked({
      type: 'object',
      $defs,
      required: ['colours', 'name'],
      properties: {
        colours: { type: 'array', items: { $ref: '#/$defs/Colour' } },
        name: { anyOf: [{ $ref: '#/$defs/Name' }, { type: 'null' }], description: 'How to call you' },
      },
    });
    expect(schema).toEqual({
      type: 'object',
      properties: {
        colours: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] } },
        name: { type: 'string', description: 'How to call you' },
      },
      required: ['colours'],
    });
  });

  test('loses a default that its field could not have', () => {
    expect(field({ type: 'string', default: 7 })).toEqual({ type: 'string' });
    expect(field({ type: 'integer', default: 1.5 })).toEqual({ type: 'integer' });
    expect(field({ enum: ['a'], default: 'b' })).toEqual({ type: 'string', enum: ['a'] });
  });
});

describe('what no form can show', () => {
  test.each<[string, JsonSchema, string]>([
    ['an object', { type: 'object', properties: {} }, '"it" is an object'],
    ['a list of texts', { type: 'array', items: { type: 'string' } }, '"it" is a list of something else'],
    ['a list of objects', { type: 'array', items: { type: 'object' } }, '"it" is a list of something else'],
    ['numbers to choose from', { type: 'integer', enum: [1, 2] }, '"it" has choices that are no texts'],
    ['mixed choices', { enum: ['a', 2] }, '"it" has choices that are no texts'],
    ['two types', { type: ['string', 'number'] }, '"it" may be of several types'],
    ['a union', { anyOf: [{ type: 'string' }, { type: 'number' }] }, '"it" may be of several types'],
    ['anything', {}, '"it" has no type'],
  ])('refuses %s and names the field', (_name, schema, message) => {
    expect(refusal(schema)).toContain(`TW_ASK_SCHEMA: Form cannot be asked for in a form: ${message}`);
  });

  test('is reported for all fields at once', () => {
    const ask = () => asked({ type: 'object', properties: { a: { type: 'object' }, b: {} } });
    expect(ask).toThrow('"a" is an object; "b" has no type');
  });

  test.each<[string, SchemaSource]>([
    ['a union', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
    ['a map', z.record(z.string(), z.string())],
  ])('is %s as a whole', (_name, schema) => {
    expect(() => asked(schema)).toThrow(/TW_ASK_SCHEMA/);
  });
});
