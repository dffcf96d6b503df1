import { expect, test } from '@jest/globals';
import * as v from 'class-validator';
import { createContract } from '../../../src/compile/contracts/create-contract.ts';
import { readShape } from '../../../src/dto/shape/read-shape.ts';
import { indexShapes } from '../../../src/dto/shape/shape.ts';
import { withoutAbsentNulls } from '../../fuzz/absent-nulls.ts';
import { accepts } from './emit-helpers.ts';

enum Level {
  low,
  high = 3,
}

type Make = (options: v.ValidationOptions) => PropertyDecorator;

const validators: Readonly<Record<string, Make>> = {
  IsDefined: (o) => v.IsDefined(o),
  Equals: (o) => v.Equals(1, o),
  'Equals null': (o) => v.Equals(null, o),
  NotEquals: (o) => v.NotEquals('a', o),
  IsEmpty: (o) => v.IsEmpty(o),
  IsNotEmpty: (o) => v.IsNotEmpty(o),
  IsIn: (o) => v.IsIn(['a', 1, null, true], o),
  'IsIn nothing': (o) => v.IsIn([], o),
  IsNotIn: (o) => v.IsNotIn(['a', 1, null], o),
  IsBoolean: (o) => v.IsBoolean(o),
  IsString: (o) => v.IsString(o),
  IsInt: (o) => v.IsInt(o),
  IsNumber: (o) => v.IsNumber({ allowNaN: true }, o),
  'IsNumber without decimals': (o) => v.IsNumber({ maxDecimalPlaces: 0 }, o),
  'IsNumber with decimals': (o) => v.IsNumber({ maxDecimalPlaces: 1 }, o),
  IsArray: (o) => v.IsArray(o),
  IsObject: (o) => v.IsObject(o),
  IsEnum: (o) => v.IsEnum(Level, o),
  'IsEnum with digits': (o) => v.IsEnum({ '2x': '1st', y: 'a' }, o),
  'IsEnum of an array': (o) => v.IsEnum(['a', 'b'], o),
  Min: (o) => v.Min(-1.5, o),
  Max: (o) => v.Max(2, o),
  IsPositive: (o) => v.IsPositive(o),
  IsNegative: (o) => v.IsNegative(o),
  IsDivisibleBy: (o) => v.IsDivisibleBy(-2, o),
  'IsDivisibleBy a fraction': (o) => v.IsDivisibleBy(2.5, o),
  'IsDivisibleBy zero': (o) => v.IsDivisibleBy(0, o),
  MinLength: (o) => v.MinLength(2, o),
  MaxLength: (o) => v.MaxLength(2, o),
  Length: (o) => v.Length(1, 2, o),
  Matches: (o) => v.Matches(/^a.b$/g, o),
  'Matches with flags': (o) => v.Matches(/a/i, o),
  'Matches with escapes': (o) => v.Matches(/\-/, o),
  Contains: (o) => v.Contains('a.', o),
  'Contains nothing': (o) => v.Contains('', o),
  NotContains: (o) => v.NotContains('a', o),
  ArrayContains: (o) => v.ArrayContains(['a'], o),
  'ArrayContains nothing': (o) => v.ArrayContains([], o),
  ArrayNotContains: (o) => v.ArrayNotContains(['a', 1], o),
  'ArrayNotContains nothing': (o) => v.ArrayNotContains([], o),
  ArrayNotEmpty: (o) => v.ArrayNotEmpty(o),
  ArrayMinSize: (o) => v.ArrayMinSize(2, o),
  ArrayMaxSize: (o) => v.ArrayMaxSize(1, o),
  ArrayUnique: (o) => v.ArrayUnique(o),
  IsNotEmptyObject: (o) => v.IsNotEmptyObject({}, o),
  'IsNotEmptyObject without nulls': (o) => v.IsNotEmptyObject({ nullable: false }, o),
  IsAlpha: (o) => v.IsAlpha(undefined, o),
  'IsAlpha in German': (o) => v.IsAlpha('de-DE', o),
  IsAlphanumeric: (o) => v.IsAlphanumeric(undefined, o),
  IsAscii: (o) => v.IsAscii(o),
  IsNumberString: (o) => v.IsNumberString({}, o),
  IsBooleanString: (o) => v.IsBooleanString(o),
  IsHexadecimal: (o) => v.IsHexadecimal(o),
  IsHexColor: (o) => v.IsHexColor(o),
  IsMongoId: (o) => v.IsMongoId(o),
  IsMilitaryTime: (o) => v.IsMilitaryTime(o),
  IsEmail: (o) => v.IsEmail({}, o),
  IsUrl: (o) => v.IsUrl({}, o),
  IsFQDN: (o) => v.IsFQDN(undefined, o),
  IsUUID: (o) => v.IsUUID('all', o),
  'IsUUID of versions': (o) => v.IsUUID(['1', '4'], o),
  IsIP: (o) => v.IsIP(undefined, o),
  'IsIP of a version': (o) => v.IsIP(4, o),
  IsDateString: (o) => v.IsDateString({}, o),
  IsRFC3339: (o) => v.IsRFC3339(o),
  IsLatitude: (o) => v.IsLatitude(o),
  IsLongitude: (o) => v.IsLongitude(o),
  Allow: (o) => v.Allow(o),
  IsJSON: (o) => v.IsJSON(o),
  IsPort: (o) => v.IsPort(o),
  IsSemVer: (o) => v.IsSemVer(o),
  IsByteLength: (o) => v.IsByteLength(1, 2, o),
  IsIBAN: (o) => v.IsIBAN(undefined, o),
  IsInstance: (o) => v.IsInstance(Date, o),
};

const NAMES_OF_ENUM = 'stricter: a numeric enum also accepts its names';
const FORMAT = 'either: the format of JSON Schema is not what validator.js checks';
const NUMBERS_AS_TEXT =
  'stricter: numbers in strings are accepted; looser: those written with an exponent are not';

/** Where a schema without a remark and its validator are known to differ. */
const DISAGREEMENTS: Readonly<Record<string, string>> = {
  IsEnum: NAMES_OF_ENUM,
  MinLength: 'looser: a variation selector counts for nothing in validator.js',
  ArrayUnique: 'stricter: equal objects are no duplicates for class-validator',
  IsUrl: FORMAT,
  IsUUID: FORMAT,
  IsDateString: FORMAT,
  IsLatitude: NUMBERS_AS_TEXT,
  IsLongitude: NUMBERS_AS_TEXT,
};

const scalars: readonly unknown[] = [
  ...[
    null,
    '',
    'a',
    'A',
    'ab',
    'a.b',
    'a\nb',
    'a-b',
    'abc',
    '1',
    '12',
    '1.5',
    '-1',
    '+3',
    '.5',
    'true',
    '1st',
  ],
  ...[
    '0x1F',
    '0x',
    '#fff',
    '507f1f77bcf86cd799439011',
    '0x7f1f77bcf86cd799439011',
    '12:30',
    '2500',
    'a@b.co',
  ],
  ...['a@b', 'http://a.co', 'a.co', 'localhost', '1.2.3.4', '::1', '256.1.1.1', 'é', '😀', '😀😀', 'a\uFE0F'],
  ...['550e8400-e29b-41d4-a716-446655440000', '550e8400-e29b-71d4-a716-446655440000', 'urn:x:y', '{}', 'x y'],
  ...['urn:uuid:550e8400-e29b-41d4-a716-446655440000', '2020-01-01', '2020-02-30', '2020-01-01T10:00:00Z'],
  ...['2020-01-01T10:00', '2020', '10,20', '1.0.0', 'DE89370400440532013000', '\uD800'],
  ...[0, -0, 1, 2, 3, 4, -1, -2, 1.5, 2.5, 91, 181, 1e-7, 1e21, true, false, {}, { a: 1 }, { a: null }],
];
const values: readonly unknown[] = [
  ...scalars,
  ...[[], ['a'], ['a', 'b'], ['a', 'a'], [1, 'a'], [[]], [['a']], [{}, {}], [1, 1], [1, 2, 3], [null]],
];

test.each(Object.entries(validators))('%s means the same in the schema and in the check', (name, make) => {
  for (const each of [false, true]) {
    for (const isOptional of [false, true]) {
      class Dto {
        value: unknown;
      }
      make({ each })(Dto.prototype, 'value');
      if (each) v.IsArray()(Dto.prototype, 'value');
      if (isOptional) v.IsOptional()(Dto.prototype, 'value');
      const contract = createContract(Dto, { unknownFields: 'strict', where: 'test' });
      const schemaAccepts = accepts(Dto);
      const shape = readShape(Dto);
      const shapes = indexShapes(shape);
      const inputs = [
        {},
        ...(each ? [...values, ...scalars.map((one) => [one])] : values).map((value) => ({ value })),
      ];
      for (const input of inputs) {
        const outcome = contract.check(input);
        const isAccepted = 'ok' in outcome && outcome.ok;
        const isOffered = schemaAccepts(withoutAbsentNulls(input, shape, shapes));
        const isRemarked = contract.looseFields.length > 0 && isOffered;
        if (isRemarked || name in DISAGREEMENTS) continue;
        expect({ input, isOffered }).toEqual({ input, isOffered: isAccepted });
      }
    }
  }
});
