import { describe, expect, test } from '@jest/globals';
import ajvFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Transform, Type } from 'class-transformer';
import * as classValidator from 'class-validator';
import fc from 'fast-check';
import { createContract } from '../../../src/compile/contracts/create-contract.ts';
import { Field } from '../../../src/decorators/members.ts';
import { readShape } from '../../../src/dto/shape/read-shape.ts';
import { indexShapes } from '../../../src/dto/shape/shape.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { withoutAbsentNulls } from '../../fuzz/absent-nulls.ts';
import { strict } from '../../support/check-helpers.ts';

enum Level {
  Low,
  Mid,
  High,
}
enum Mixed {
  A = 'a',
  // oxlint-disable-next-line typescript/no-mixed-enums -- users have them
  N = 4,
}
const Color = { red: 'red', green: 'green' } as const;

class Inner {
  @classValidator.IsInt() n!: number;
}

type Options = classValidator.ValidationOptions;
type Make = (options: Options) => PropertyDecorator;
const { IsEnum, IsIn, IsNotIn, Equals, NotEquals, Matches, IsUUID, IsIP, IsNumber } = classValidator;

/** Validators with arguments, several of some. */
const WITH_ARGUMENTS: Readonly<Record<string, readonly Make[]>> = {
  Allow: [() => classValidator.Allow()],
  Contains: [(o) => classValidator.Contains('a', o), (o) => classValidator.Contains('\uD83D', o)],
  NotContains: [(o) => classValidator.NotContains('a', o)],
  Equals: [(o) => Equals('a', o), (o) => Equals(1, o), (o) => Equals({}, o)],
  NotEquals: [(o) => NotEquals('a', o)],
  IsEnum: [(o) => IsEnum(Level, o), (o) => IsEnum(Mixed, o), (o) => IsEnum(Color, o)],
  IsIn: [(o) => IsIn(['a', 1, null], o), (o) => IsIn(['1', '2'], o), (o) => IsIn([], o)],
  IsNotIn: [(o) => IsNotIn(['a', 0], o)],
  IsNumber: [(o) => IsNumber({}, o), (o) => IsNumber({ maxDecimalPlaces: 0 }, o)],
  IsDivisibleBy: [(o) => classValidator.IsDivisibleBy(2, o), (o) => classValidator.IsDivisibleBy(2.5, o)],
  Min: [(o) => classValidator.Min(1, o)],
  Max: [(o) => classValidator.Max(1.5, o)],
  MinDate: [(o) => classValidator.MinDate(new Date(0), o)],
  MaxDate: [(o) => classValidator.MaxDate(new Date('2030-01-01T00:00:00Z'), o)],
  Length: [(o) => classValidator.Length(1, 2, o)],
  MinLength: [(o) => classValidator.MinLength(2, o)],
  MaxLength: [(o) => classValidator.MaxLength(1, o)],
  Matches: [(o) => Matches(/^..$/, o), (o) => Matches(/^a+$/i, o), (o) => Matches(/\p{L}/u, o)],
  IsUUID: [(o) => IsUUID(undefined, o), (o) => IsUUID('4', o)],
  IsIP: [(o) => IsIP(undefined, o), (o) => IsIP(4, o), (o) => IsIP('6', o)],
  IsUrl: [(o) => classValidator.IsUrl({}, o), (o) => classValidator.IsUrl({ require_tld: false }, o)],
  IsNotEmptyObject: [(o) => classValidator.IsNotEmptyObject({}, o)],
  IsInstance: [(o) => classValidator.IsInstance(Inner, o)],
  ArrayContains: [(o) => classValidator.ArrayContains(['a'], o)],
  ArrayNotContains: [(o) => classValidator.ArrayNotContains(['a', {}], o)],
  ArrayMinSize: [(o) => classValidator.ArrayMinSize(1, o)],
  ArrayMaxSize: [(o) => classValidator.ArrayMaxSize(1, o)],
  ArrayUnique: [(o) => classValidator.ArrayUnique(o), (o) => classValidator.ArrayUnique(String, o)],
  IsMobilePhone: [(o) => classValidator.IsMobilePhone('de-DE', {}, o)],
  IsPhoneNumber: [(o) => classValidator.IsPhoneNumber('DE', o)],
  IsIdentityCard: [(o) => classValidator.IsIdentityCard('ES', o)],
  IsPostalCode: [(o) => classValidator.IsPostalCode('DE', o)],
  IsPassportNumber: [(o) => classValidator.IsPassportNumber('DE', o)],
  IsTaxId: [(o) => classValidator.IsTaxId('de-DE', o)],
  IsHash: [(o) => classValidator.IsHash('md5', o)],
  IsByteLength: [(o) => classValidator.IsByteLength(1, 3, o)],
  IsMilitaryTime: [(o) => classValidator.IsMilitaryTime(o)],
};
const NO_VALIDATORS = new Set([
  ...['IsOptional', 'IsPromise', 'Validate', 'ValidateBy', 'ValidateIf', 'ValidateNested', 'ValidatePromise'],
  ...['ValidatorConstraint', 'ArrayUnique'],
]);

/** Each validator of class-validator, by name; those without arguments take their options last. */
const VALIDATORS: readonly (readonly [string, Make])[] = [
  ...Object.entries(WITH_ARGUMENTS).flatMap(([name, makers]) => makers.map((make) => [name, make] as const)),
  ...Object.entries(classValidator)
    .filter(([name, made]) => /^(Is|Array)[A-Z]/.test(name) && typeof made === 'function')
    .filter(([name]) => !NO_VALIDATORS.has(name) && !Object.hasOwn(WITH_ARGUMENTS, name))
    .map(([name, made]): readonly [string, Make] => {
      const make = made as (...args: readonly unknown[]) => PropertyDecorator;
      // an option that is given as an argument is ignored by those that have none
      return [name, (options) => (make.length > 1 ? make(undefined, options) : make(options))];
    }),
];

const NONE: PropertyDecorator = () => undefined;
const CONVERSIONS: Readonly<Record<string, PropertyDecorator>> = {
  none: NONE,
  String: Type(() => String),
  Number: Type(() => Number),
  Boolean: Type(() => Boolean),
  Date: Type(() => Date),
  trim: Transform(({ value }) => (typeof value === 'string' ? value.trim() : (value as unknown))),
  toNumber: Transform(({ value }) => Number(value)),
  isTrue: Transform(({ value }) => value === 'true' || value === true),
  split: Transform(({ value }) => (value as string).split(',')),
  parse: Transform(({ value }) => JSON.parse(value as string) as unknown),
  rank: Transform(({ value }) => ({ low: 0, high: 2 })[value as string] ?? (value as unknown)),
  typed: Field({ type: ['string', 'integer'] }),
};
const CONDITIONS: Readonly<Record<string, PropertyDecorator>> = {
  none: NONE,
  optional: classValidator.IsOptional(),
  never: classValidator.ValidateIf((object: { other?: unknown }) => object.other === 1),
  notEmpty: classValidator.ValidateIf((_, value) => value !== ''),
  notWord: classValidator.ValidateIf((_, value) => value !== 'n/a'),
  nullable: Field({ nullable: true }),
};
const DESIGNS = [undefined, String, Number, Boolean, Array, Object, Date];

const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, 1, 2, 1.5, -1, 100, 1e21, 1e-7],
  ...[
    '',
    ' ',
    'a',
    'aa',
    'ab',
    'A',
    'n/a',
    '1',
    '12.5',
    '-1',
    'true',
    'false',
    'Low',
    'N',
    'red',
    'a\uFE0F',
    '😀',
  ],
  ...[
    'a@b.de',
    'é@b.de',
    'b.de',
    'https://b.de/a',
    'localhost',
    'münchen.de',
    '127.0.0.1',
    '::1',
    'fe80::1%eth0',
  ],
  ...['2026', '2026-02-28', '2026-02-30', '2026-02-28T13:00:00', '2026-02-28T13:00:00Z', '2026-W09', '13:00'],
  ...[
    '6f1d1c1e-2c5e-4f8a-9f58-0d3f5f0f5b5f',
    '00000000-0000-0000-0000-000000000000',
    '#fff',
    '{}',
    '[1]',
    'AQ==',
  ],
  ...[[], [1], ['1'], ['a', 'a'], ['a', 'b'], [{}, {}], [null], [[1]], ['2026-02-28'], [true]],
  ...[{}, { n: 1 }, { n: '1' }, { a: null }, { 0: 'a' }],
];

interface Drawn {
  readonly validators: readonly (readonly [string, Make])[];
  readonly conversion: string;
  readonly condition: string;
  readonly design: unknown;
  readonly each: boolean;
}

function dtoOf({ validators, conversion, condition, design, each }: Drawn): Class {
  class Dto {
    declare x: unknown;
    declare other: unknown;
  }
  const { prototype } = Dto;
  classValidator.IsOptional()(prototype, 'other');
  for (const [name, make] of validators) {
    make(each && name !== 'Allow' ? { each } : {})(prototype, 'x');
  }
  CONVERSIONS[conversion]?.(prototype, 'x');
  CONDITIONS[condition]?.(prototype, 'x');
  if (design !== undefined) Reflect.metadata('design:type', design)(prototype, 'x');
  return Dto;
}

const ajv = new Ajv2020({ strict: false, allErrors: false });
ajvFormats.default(ajv);

/** The first value that the schema refuses and the check accepts. */
async function firstGap(type: Class, values: readonly unknown[]): Promise<unknown> {
  const contract = createContract(type, strict);
  const isPublished = ajv.compile(contract.schema);
  const shape = readShape(type);
  for (const x of values) {
    const rest = withoutAbsentNulls({ x }, shape, indexShapes(shape));
    if (isPublished(rest)) continue;
    const outcome = await contract.check({ x });
    if (outcome.ok) return { x, schema: contract.schema };
  }
  return 'none';
}

const drawn = fc.record({
  validators: fc.array(fc.constantFrom(...VALIDATORS), { minLength: 1, maxLength: 2 }),
  conversion: fc.constantFrom(...Object.keys(CONVERSIONS)),
  condition: fc.constantFrom(...Object.keys(CONDITIONS)),
  design: fc.constantFrom(...DESIGNS),
  each: fc.boolean(),
});

describe('what the published schema refuses, the check refuses', () => {
  test('validators, conversions, conditions and types of properties, as they come', async () => {
    await fc.assert(
      fc.asyncProperty(drawn, fc.shuffledSubarray([...VALUES], { minLength: 20 }), async (one, values) => {
        expect(await firstGap(dtoOf(one), values)).toBe('none');
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['IsArray', [null]],
    ['IsObject', 'red'],
  ])('what a conversion to dates leaves or makes: %s of %j', async (name, value) => {
    const validators = VALIDATORS.filter(([each]) => each === name);
    const plain = { conversion: 'Date', condition: 'none', design: undefined, each: false };
    expect(validators).not.toEqual([]);
    expect(await firstGap(dtoOf({ ...plain, validators }), [value])).toBe('none');
  });

  test('each validator alone, for all values', async () => {
    const gaps: unknown[] = [];
    for (const validator of VALIDATORS) {
      const plain = { conversion: 'none', condition: 'none', design: undefined, each: false };
      const gap = await firstGap(dtoOf({ ...plain, validators: [validator] }), VALUES);
      if (gap !== 'none') gaps.push([validator[0], gap]);
    }
    expect(gaps).toEqual([]);
  });
});
