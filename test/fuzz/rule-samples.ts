import {
  ArrayContains,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotContains,
  ArrayNotEmpty,
  ArrayUnique,
  Contains,
  Equals,
  IsArray,
  IsBoolean,
  IsDate,
  IsDefined,
  IsDivisibleBy,
  IsEmail,
  IsEmpty,
  IsEnum,
  IsIn,
  IsInstance,
  IsInt,
  IsLatitude,
  IsLongitude,
  IsNegative,
  IsNotEmpty,
  IsNotEmptyObject,
  IsNotIn,
  IsNumber,
  IsObject,
  IsPositive,
  IsString,
  Length,
  Matches,
  Max,
  MaxDate,
  MaxLength,
  Min,
  MinDate,
  MinLength,
  NotContains,
  NotEquals,
  type ValidationOptions,
} from 'class-validator';
import type { Random } from '../support/random.ts';

type Decorate = (random: Random, options: ValidationOptions) => PropertyDecorator;

enum Level {
  low,
  high = 5,
}
const Color = { red: 'red', green: 'green' } as const;
export class Marker {}

const NUMBERS = [0, 1, 2, 3, 5, 40, 2.5, 0.5, -1, 1e-7, 1e21, Number.NaN];
const SIZES = [0, 1, 2, 3, 40, 1.5];
const LENGTHS = [0, 1, 2, 3, 4, 6, 50, 120, 1.5];
const LISTS = [['a', 'b', 'red'], [1, 2, 'a', null], [undefined, ''], [Number.NaN, 0], []];
const SEEDS = ['a', 'ab', '', '😀', '\uD83D', '.', '\uFE0F'];
const PATTERNS = [/^a+b*$/, /^a/i, /^\p{L}+$/u, /a|^$/, /./s, 'a', /^[^a]*$/, /a/g];
const DATES = [new Date(0), new Date('2020-06-01T00:00:00Z'), () => new Date('2021-01-01T00:00:00Z')];

/** The kinds of values that rules go together for. */
export type Family = 'any' | 'string' | 'number' | 'array' | 'object' | 'date' | 'boolean';

/** Every rule of which code is made, but @IsOptional, and some that are called, by the name of the validator. */
export const RULES: Readonly<Record<Family, Readonly<Record<string, Decorate>>>> = {
  any: {
    isDefined: (_, options) => IsDefined(options),
    equals: (random, options) => Equals(random.pick(['a', 1, null, undefined, Number.NaN, true]), options),
    notEquals: (random, options) => NotEquals(random.pick(['a', 1, null, undefined, Number.NaN, 0]), options),
    isEmpty: (_, options) => IsEmpty(options),
    isNotEmpty: (_, options) => IsNotEmpty(options),
    isIn: (random, options) => IsIn(random.pick(LISTS), options),
    isNotIn: (random, options) => IsNotIn(random.pick(LISTS), options),
    isEnum: (random, options) => IsEnum(random.pick<object>([Level, Color]), options),
  },
  boolean: { isBoolean: (_, options) => IsBoolean(options) },
  string: {
    isString: (_, options) => IsString(options),
    minLength: (random, options) => MinLength(random.pick(LENGTHS), options),
    maxLength: (random, options) => MaxLength(random.pick(LENGTHS), options),
    isLength: (random, options) => Length(random.pick([0, 1, 2]), random.pick(LENGTHS), options),
    matches: (random, options) => Matches(random.pick(PATTERNS) as RegExp, options),
    contains: (random, options) => Contains(random.pick(SEEDS), options),
    notContains: (random, options) => NotContains(random.pick(SEEDS), options),
    isEmail: (_, options) => IsEmail({}, options),
  },
  number: {
    isInt: (_, options) => IsInt(options),
    isNumber: (random, options) =>
      IsNumber(random.pick([undefined, undefined, { allowNaN: true }, { maxDecimalPlaces: 1 }]), options),
    min: (random, options) => Min(random.pick(NUMBERS), options),
    max: (random, options) => Max(random.pick(NUMBERS), options),
    isPositive: (_, options) => IsPositive(options),
    isNegative: (_, options) => IsNegative(options),
    isDivisibleBy: (random, options) => IsDivisibleBy(random.pick(NUMBERS), options),
    isLatitude: (_, options) => IsLatitude(options),
    isLongitude: (_, options) => IsLongitude(options),
  },
  array: {
    isArray: (_, options) => IsArray(options),
    arrayContains: (random, options) => ArrayContains(random.pick(LISTS), options),
    arrayNotContains: (random, options) => ArrayNotContains(random.pick(LISTS), options),
    arrayNotEmpty: (_, options) => ArrayNotEmpty(options),
    arrayMinSize: (random, options) => ArrayMinSize(random.pick(SIZES), options),
    arrayMaxSize: (random, options) => ArrayMaxSize(random.pick(SIZES), options),
    arrayUnique: (random, options) =>
      random.chance(0.8) ? ArrayUnique(options) : ArrayUnique((item: unknown) => String(item), options),
  },
  object: {
    isObject: (_, options) => IsObject(options),
    isNotEmptyObject: (random, options) =>
      IsNotEmptyObject(random.pick([undefined, { nullable: false }, { nullable: true }]), options),
    isInstance: (random, options) =>
      IsInstance(random.pick<never>([Object, Date, Array, Marker] as never), options),
  },
  date: {
    isDate: (_, options) => IsDate(options),
    minDate: (random, options) => MinDate(random.pick(DATES), options),
    maxDate: (random, options) => MaxDate(random.pick(DATES), options),
  },
};
