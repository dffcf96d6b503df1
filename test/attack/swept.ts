/** Everything that an input may be described with, each in a schema of its own, and values that are meant to be slow. */
import 'reflect-metadata';
import { Type } from 'class-transformer';
import * as validators from 'class-validator';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Class, SchemaSource } from 'toolwright';
import { z } from 'zod';

/** Arguments of decorators that cannot do without; the others are used with none. */
const ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  ArrayContains: [[1, 2]],
  ArrayNotContains: [['none']],
  ArrayMaxSize: [200_000],
  ArrayMinSize: [1],
  Contains: ['z'],
  Equals: ['z'],
  IsDivisibleBy: [7],
  IsEnum: [{ a: 'a', b: 'b' }],
  IsHash: ['sha256'],
  IsIn: [['z']],
  IsInstance: [Object],
  IsNotIn: [['z']],
  IsPhoneNumber: ['DE'],
  IsPostalCode: ['DE'],
  IsTaxId: ['de-DE'],
  Length: [1, 10_000_000],
  Matches: [/^(?:[a-z]+\s?)+$/],
  Max: [5],
  MaxDate: [new Date(0)],
  MaxLength: [10_000_000],
  Min: [5],
  MinDate: [new Date(0)],
  MinLength: [1],
  NotContains: ['z'],
  NotEquals: ['z'],
};

/** What is not a validator of values, or needs one of the author's own. */
const NO_VALIDATORS: ReadonlySet<string> = new Set([
  ...['Allow', 'IsDefined', 'IsOptional', 'Validate', 'ValidateBy', 'ValidateIf', 'ValidateNested'],
  ...['ValidatePromise', 'ValidatorConstraint', 'ValidationError', 'ValidationTypes', 'Validator'],
  'MetadataStorage',
]);

type Decorate = (...args: readonly unknown[]) => PropertyDecorator;

function validatorSchemas(): readonly (readonly [string, SchemaSource])[] {
  const names = Object.keys(validators).filter((name) => /^[A-Z][A-Za-z0-9]+$/.test(name));
  return names
    .filter((name) => !NO_VALIDATORS.has(name) && !/^[A-Z0-9_]+$/.test(name))
    .map((name) => {
      const decorate = (validators as unknown as Readonly<Record<string, Decorate>>)[name] as Decorate;
      class Input {
        value?: unknown;
      }
      decorate(...(ARGUMENTS[name] ?? []))(Input.prototype, 'value');
      return [name, Input] as const;
    });
}

class Leaf {
  id!: string;
}
validators.IsString()(Leaf.prototype, 'id');

/** Lists of nested objects, and validators that ask each item. */
function listSchemas(): readonly (readonly [string, SchemaSource])[] {
  const decorated = (...decorators: readonly PropertyDecorator[]): Class => {
    class Input {
      value!: unknown[];
    }
    for (const decorate of decorators) decorate(Input.prototype, 'value');
    return Input;
  };
  const each = { each: true };
  return [
    ['EachIsString', decorated(validators.IsArray(), validators.IsString(each))],
    ['EachIsEmail', decorated(validators.IsArray(), validators.IsEmail({}, each))],
    ['EachIsUrl', decorated(validators.IsArray(), validators.IsUrl({}, each))],
    ['EachMatches', decorated(validators.IsArray(), validators.Matches(/^(a+)+$/, each))],
    [
      'Nested',
      decorated(
        validators.ValidateNested(),
        Type(() => Leaf),
      ),
    ],
    [
      'EachNested',
      decorated(
        validators.IsArray(),
        validators.ValidateNested(each),
        Type(() => Leaf),
      ),
    ],
  ];
}

const json = (value: object): SchemaSource => ({ type: 'object', properties: { value } }) as SchemaSource;

function jsonSchemas(): readonly (readonly [string, SchemaSource])[] {
  const formats = Object.keys(fullFormats).map((format) => [`format ${format}`, json({ format })] as const);
  const distinct = { type: 'array', uniqueItems: true };
  const kinds: Readonly<Record<string, object>> = {
    contains: { contains: { const: 'z' }, maxContains: 3 },
    enum: { enum: Array.from({ length: 1000 }, (_, index) => `e${String(index)}`) },
    items: { items: { type: 'string' } },
    oneOf: { oneOf: [{ type: 'string', maxLength: 3 }, { items: { type: 'string' } }, { type: 'null' }] },
    pattern: { pattern: '^(\\w+\\s?)*$' },
    patternProperties: { patternProperties: { '^(a+)+$': { type: 'string' } } },
    propertyNames: { propertyNames: { pattern: '^(a|aa)+$' } },
    unevaluatedItems: { prefixItems: [{ type: 'string' }], unevaluatedItems: false },
    unevaluatedProperties: { properties: { a: {} }, unevaluatedProperties: false },
    uniqueItems: distinct,
    'uniqueItems below': { additionalProperties: distinct, items: distinct },
  };
  return [
    ...formats,
    ...Object.entries(kinds).map(([name, schema]) => [`keyword ${name}`, json(schema)] as const),
  ];
}

function zodSchemas(): readonly (readonly [string, SchemaSource])[] {
  const kinds: Readonly<Record<string, z.ZodType>> = {
    string: z.string(),
    email: z.email(),
    url: z.url(),
    uuid: z.uuid(),
    base64: z.base64(),
    jwt: z.jwt(),
    ipv4: z.ipv4(),
    ipv6: z.ipv6(),
    cidrv6: z.cidrv6(),
    emoji: z.emoji(),
    'iso datetime': z.iso.datetime(),
    'iso duration': z.iso.duration(),
    strings: z.array(z.string()),
    objects: z.array(z.object({ id: z.string() })),
    record: z.record(z.string(), z.string()),
    union: z.union([z.string().max(3), z.array(z.string()), z.record(z.string(), z.string())]),
    number: z.number(),
  };
  return Object.entries(kinds).map(
    ([name, value]) => [`zod ${name}`, z.object({ value }) as SchemaSource] as const,
  );
}

/** The name of what is swept → a schema whose one field is `value`. */
export const SWEPT: ReadonlyMap<string, SchemaSource> = new Map([
  ...validatorSchemas(),
  ...listSchemas(),
  ...jsonSchemas(),
  ...zodSchemas(),
]);

const PIECES: readonly string[] = [
  ...['a', 'A', '1', '0', ' ', '.', '-', '_', '@', '%', '+', ':', '/', '\\u0000', '\\n', '\\ud83d', '😀'],
  ...['a.', 'a@', 'a-', '1.', '1,', '::', '%2', 'a:a@', 'ab ', '\\"', '(', '[', '{', '&#', 'A1=', '٠'],
];
const HEADS: readonly string[] = ['', 'http://', 'data:a/b;', 'P1Y', '{"a":', 'a@b', '2020-01-01T'];

/** One value of about so many bytes, as JSON. */
export interface HostileValue {
  readonly name: string;
  readonly json: string;
}

/** @param bytes about how long each is; lists and objects stay below the limit on the number of values */
export function* hostileValues(bytes: number): Generator<HostileValue> {
  for (const piece of PIECES) {
    const repeated = piece.repeat(Math.floor(bytes / Buffer.byteLength(piece)));
    yield { name: `"${piece}…!"`, json: `"${repeated}!"` };
  }
  for (const head of HEADS.slice(1)) {
    const repeated = 'a:a@'.repeat(bytes / 4);
    yield { name: `"${head}a:a@…"`, json: JSON.stringify(`${head}${repeated}`) };
  }
  const list = (name: string, size: number, item: (index: number) => string): HostileValue => {
    const count = Math.min(size, Math.floor(bytes / (item(size).length + 1)));
    return { name, json: `[${Array.from({ length: count }, (_, index) => item(index)).join(',')}]` };
  };
  yield list('[1, 1, …]', 99_000, () => '1');
  yield list('[0, 1, 2, …]', 99_000, String);
  yield list('["a…", …]', 99_000, () => '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"');
  yield list('[{}, …]', 99_000, () => '{}');
  yield list('[{"id": 1}, …]', 49_000, (index) => `{"id":${String(index)}}`);
  yield list('[{"id": "a"}, …, 1]', 49_000, (index) => (index === 1 ? '1' : '{"id":"a"}'));
  yield list('[[], …]', 99_000, () => '[]');
  const { json: members } = list('', 99_000, (index) => `"n${String(index)}":1`);
  yield { name: '{"n0": 1, …}', json: `{${members.slice(1, -1)}}` };
  const depth = Math.min(50_000, Math.floor(bytes / 2));
  yield { name: '[[[…]]]', json: `${'['.repeat(depth)}${']'.repeat(depth)}` };
}
