import { expect, test, describe } from '@jest/globals';
import ajvFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { plainToInstance, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  Contains,
  Equals,
  IsArray,
  IsBoolean,
  IsDefined,
  IsDivisibleBy,
  IsEmpty,
  IsEnum,
  IsIn,
  IsInt,
  IsNegative,
  IsNotEmpty,
  IsNotIn,
  IsNumber,
  IsNumberString,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  NotContains,
  NotEquals,
  ValidateIf,
  ValidateNested,
  validateSync,
} from 'class-validator';
import fc from 'fast-check';
import { createContract, createOutputContract } from '../../../src/compile/contracts/create-contract.ts';
import { readShape } from '../../../src/dto/shape/read-shape.ts';
import { indexShapes } from '../../../src/dto/shape/shape.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { withoutAbsentNulls } from '../../fuzz/absent-nulls.ts';
import { createSchemaValidator } from '../../../src/formats/schema-validator.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import { codeOf } from '../../support/thrown.ts';
import { check, issues, strict } from '../../support/check-helpers.ts';
import { tries } from '../../support/thorough.ts';

enum Level {
  low,
  high = 5,
}

const Color = { red: 'red', green: 'green' } as const;

class Texts {
  @IsString() any!: string;
  @IsOptional() @IsString() @MinLength(1) @MaxLength(3) short?: string;
  @IsString() @Matches(/^a+b*$/) pattern = 'ab';
  @IsOptional() @IsString() @Contains('a.') dotted?: string;
  @IsOptional() @NotContains('x') plain?: string;
  @Length(0, 2) upToTwo!: string;
  @IsOptional() @IsNumberString() digits?: string;
}

class Numbers {
  @IsInt() @Min(-1) @Max(3) int!: number;
  @IsOptional() @IsNumber() @IsPositive() above?: number;
  @IsOptional() @IsNegative() below?: number;
  @IsDivisibleBy(2) even = 2;
  @IsOptional() @IsNumber({ maxDecimalPlaces: 0 }) whole?: number;
}

class Values {
  @IsEnum(Color) color!: string;
  @IsIn([1, 'a', null]) listed!: unknown;
  @IsOptional() @IsNotIn(['a', 0]) unlisted?: unknown;
  @Equals(1) one = 1;
  @NotEquals('a') other: unknown;
  @IsDefined() defined: unknown;
  @IsNotEmpty() filled: unknown;
  @IsEmpty() empty: unknown;
  @IsBoolean() flag = false;
  @IsBoolean() @ValidateIf((_, value) => value !== null) maybe!: boolean | null;
}

class Point {
  @IsInt() x!: number;
  @IsOptional() @IsInt() y?: number;
}

class Nested {
  @IsArray() @IsString({ each: true }) @ArrayMinSize(1) @ArrayMaxSize(2) @ArrayUnique() tags!: string[];
  @IsArray() @ValidateNested({ each: true }) @Type(() => Point) points: Point[] = [];
  @IsObject() free!: object;
  @IsOptional() @IsArray() @IsInt({ each: true }) counts?: number[];
}

class Levels {
  @IsEnum(Level) level!: Level;
}

const scalar = fc.constantFrom<unknown>(
  ...[null, '', 'a', 'ab', 'aab', 'x', 'a.', '12', '1.5', 'red', 'low', 'high', 'A😀', '\n'],
  ...[0, 1, 2, 3, 4, 5, -1, -2, 1.5, -0.5, 1e21, true, false],
);
const point = fc.record({ x: scalar, y: scalar, z: scalar }, { requiredKeys: [] });
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 3 }),
  fc.array(point, { maxLength: 2 }),
  fc.constant({}),
  fc.constant({ a: { b: 1 } }),
);

const validInputs: readonly (readonly [Class, Readonly<Record<string, unknown>>])[] = [
  [Texts, { any: 'a', upToTwo: 'a' }],
  [Numbers, { int: 1 }],
  [Values, { color: 'red', listed: 1, defined: 1, filled: 1, maybe: true }],
  [Nested, { tags: ['a'], points: [{ x: 1 }], free: {} }],
  [Levels, { level: 0 }],
];

function acceptedByStack(type: Class, input: object, unknownFields: 'strict' | 'strip'): boolean {
  const instance: object = plainToInstance(type as new () => object, structuredClone(input));
  const options = { whitelist: true, forbidNonWhitelisted: unknownFields === 'strict' };
  return validateSync(instance, options).length === 0;
}

for (const unknownFields of ['strict', 'strip'] as const) {
  for (const [type, valid] of validInputs) {
    test(`schema, contract and class-validator agree about ${type.name}, ${unknownFields}`, () => {
      const contract = createContract(type, { unknownFields, where: 'test' });
      const ajv = new Ajv2020({ strict: false });
      ajvFormats.default(ajv);
      const schemaAccepts = ajv.compile(contract.schema);
      const shape = readShape(type);
      const shapes = indexShapes(shape);
      const names = [...contract.names, 'unknown'];
      const input = fc
        .tuple(
          fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 }),
          fc.subarray([...contract.names]),
        )
        .map(([changes, removed]) => {
          const kept = Object.entries(valid).filter(
            ([name]) => !removed.includes(name) || removed.length > 2,
          );
          return { ...Object.fromEntries(kept), ...changes };
        });
      fc.assert(
        fc.property(input, (candidate) => {
          const rest = withoutAbsentNulls(candidate, shape, shapes) as typeof candidate;
          // class-validator also accepts the names of a numeric enum
          const isName = 'level' in candidate && typeof candidate['level'] === 'string';
          const accepted = acceptedByStack(type, rest, unknownFields) && !isName;
          const outcome = contract.check(candidate);
          expect(outcome).not.toBeInstanceOf(Promise);
          expect({ candidate, accepted: 'ok' in outcome && outcome.ok }).toEqual({ candidate, accepted });
          expect({ candidate, accepted: schemaAccepts(rest) }).toEqual({ candidate, accepted });
        }),
        { numRuns: tries(50, 400) },
      );
    });
  }
}

/** Each definition asks twice for the next one: 2^50 checks of one value. */
function ladder(): JsonSchema {
  const $defs: Record<string, JsonSchema> = { L50: { type: 'object' } };
  for (let level = 0; level < 50; level += 1) {
    const next = { $ref: `#/$defs/L${String(level + 1)}` };
    $defs[`L${String(level)}`] = { allOf: [next, next] };
  }
  return { type: 'object', properties: { a: { type: 'integer' } }, allOf: [{ $ref: '#/$defs/L0' }], $defs };
}

/** Meets itself twice on every level of the value, and fails only at the bottom. */
const twice: JsonSchema = {
  type: 'object',
  properties: { a: { anyOf: [{ $ref: '#' }, { allOf: [{ $ref: '#' }] }] }, leaf: { const: 1 } },
};

function nested(levels: number, leaf: object): Record<string, unknown> {
  let value = { ...leaf };
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

const TOO_MANY = 'takes too many steps to be checked';

describe('a raw JSON Schema for arguments has the limits of a foreign one', () => {
  const foreign = createSchemaValidator();

  test.each([
    ['references that double on every level', ladder(), { a: 1 }],
    ['a union that meets itself twice', twice, nested(50, { leaf: 2 })],
  ])('%s end the check', (_name, schema, value) => {
    expect(foreign.validate(schema, value).errors).toMatchObject([{ keyword: 'limit', message: TOO_MANY }]);
    expect(issues(schema, value)).toMatchObject([{ path: '', message: TOO_MANY }]);
  });

  test('a check that ended leaves the next one its steps', () => {
    const contract = createContract(twice, strict);
    expect(contract.check(nested(50, { leaf: 2 }))).toMatchObject({ ok: false });
    expect(contract.check(nested(50, { leaf: 1 }))).toMatchObject({ ok: true });
    expect(contract.check(nested(2, { leaf: 2 }))).toMatchObject({ ok: false });
  });

  test('a schema that comes back to itself for one value is a fault of the server, and no mistake in the value', () => {
    const endless = { type: 'object', properties: {}, allOf: [{ $ref: '#' }] } as const;
    expect(() => issues(endless, {})).toThrow(RangeError);
  });

  test.each([
    ['50 001 nodes', { type: 'object', examples: Array.from({ length: 50_000 }, () => 0) }],
    ['more than a mebibyte', { type: 'object', description: 'x'.repeat(1_048_576) }],
  ])('a schema of %s is refused at the start', (_name, schema) => {
    expect(codeOf(() => foreign.validate(schema, {}))).toBe('SCHEMA_TOO_LARGE');
    expect(codeOf(() => createContract(schema, strict))).toBe('TW_COMPILE_SCHEMA_INVALID');
  });

  test('a pattern takes no longer for a text that would hold up JavaScript for years', () => {
    const schema = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
    const value = { text: `${'a'.repeat(50_000)}!` };
    expect(foreign.validate(schema, value).errors).toMatchObject([{ keyword: 'pattern' }]);
    expect(issues(schema, value)).toMatchObject([{ path: 'text' }]);
  });

  test('as many arguments as a call may have are within them', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { rows: { type: 'array', items: { $ref: '#/$defs/Row' }, uniqueItems: true } },
      $defs: {
        Row: {
          type: 'object',
          properties: {
            id: { type: 'integer' },
            kind: { enum: ['a', 'b'] },
            to: { anyOf: [{ type: 'null' }, { type: 'string' }, { $ref: '#/$defs/Row' }] },
          },
          required: ['id'],
        },
      },
    };
    const rows = Array.from({ length: 25_000 }, (_, id) => ({ id, kind: 'b', to: 'x' }));
    expect(check(schema, { rows })).toMatchObject({ ok: true });
    expect(foreign.validate(schema, { rows }).valid).toBe(true);
  });
});

test('an output, which comes from the author as well, may take as many steps as it needs', () => {
  const schema = {
    type: 'object',
    properties: {
      rows: { type: 'array', items: { allOf: Array.from({ length: 50 }, () => ({ minimum: 0 })) } },
    },
  };
  const rows = Array.from({ length: 90_000 }, (_, index) => index);
  expect(createOutputContract(schema, { where: 'x' }).check({ rows })).toMatchObject({ ok: true });
  expect(issues(schema, { rows })).toMatchObject([{ message: TOO_MANY }]);
});
