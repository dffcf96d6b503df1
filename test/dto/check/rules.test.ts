import { expect, test } from '@jest/globals';
import {
  ArrayUnique,
  Contains,
  IsArray,
  IsDefined,
  IsDivisibleBy,
  IsEnum,
  IsIn,
  IsLatitude,
  IsNotEmptyObject,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Matches,
  MaxLength,
  MinDate,
  MinLength,
  registerDecorator,
  ValidateBy,
  type ValidationOptions,
} from 'class-validator';
import { createRandom } from '../../support/random.ts';
import { RULES } from '../../fuzz/rule-samples.ts';
import { checkerOf, howOf, PATHS } from './checkers.ts';

function dtoOf(...decorators: readonly PropertyDecorator[]): new () => { x: unknown } {
  class Dto {
    x: unknown;
  }
  for (const decorate of decorators) decorate(Dto.prototype, 'x');
  return Dto;
}

const CALLED = ['isEmail', 'custom'];
const ALL = Object.values(RULES).flatMap((rules) => Object.entries(rules));

test('the samples are the 38 rules of which code is made, and what is called', () => {
  expect(ALL.filter(([name]) => !CALLED.includes(name))).toHaveLength(38);
});

test.each(ALL)('%s is inline, alone and for items, or called', (name, decorate) => {
  for (const each of [false, true]) {
    const ways = Array.from({ length: 30 }, (_, seed) =>
      howOf(dtoOf(decorate(createRandom(seed), { each })), name),
    );
    if (CALLED.includes(name)) expect(new Set(ways)).toEqual(new Set(['called']));
    else expect(ways).toContain('inline');
  }
});

test('@IsOptional and conditions are explained, too', () => {
  const { rules } = checkerOf(dtoOf(IsString(), IsOptional())).explanation;
  expect(rules).toEqual([
    { property: 'x', rule: 'isOptional', how: 'inline' },
    { property: 'x', rule: 'isString', how: 'inline' },
  ]);
});

const people = ['Ada', 'Bob'];
const roles: Record<string, string> = { reader: 'r', writer: 'w' };

/** A rule, a value, and what the check knows about it: false is left to class-validator. */
const TRAPS: readonly (readonly [string, PropertyDecorator, unknown, boolean])[] = [
  ['a selector is not a character', MinLength(2), 'a\uFE0F', false],
  ['six units are two characters and more', MinLength(2), 'a\uFE0Fa\uFE0Fa\uFE0F', true],
  ['a pair is one character', MinLength(2), '😀', false],
  ['pairs are counted by the original', MinLength(2), '😀😀', true],
  ['a pair is shorter than it looks', MaxLength(1), '😀', true],
  ['two pairs are too long', MaxLength(1), '😀😀', false],
  ['a length between', Length(1, 2), 'ab', true],
  ['2.5 divides by 2', IsDivisibleBy(2.5), 4, true],
  ['2.5 does not divide by 2.5', IsDivisibleBy(2.5), 7.5, false],
  ['numbers with an exponent are no latitude', IsLatitude(), 1e-7, false],
  ['strings may be latitudes, and are published as numbers', IsLatitude(), '12.5', false],
  ['NaN is never unique', ArrayUnique(), [Number.NaN], false],
  ['0 is -0', ArrayUnique(), [0, -0], false],
  ['NaN is in no list', IsIn([Number.NaN]), Number.NaN, false],
  ['Infinity is not a number', IsNumber(), Number.POSITIVE_INFINITY, false],
  ['an empty string is found in longer ones only', Contains(''), 'a', false],
  ['a flag with a memory', Matches(/a/g), 'a', true],
  ['an object without members of its own', IsNotEmptyObject(), {}, false],
  ['null is not defined', IsDefined(), null, false],
  ['a value that is not an array is published as one', IsString({ each: true }), 'a', false],
  ['a list of items', IsString({ each: true }), ['a', 1], false],
  ['a bound that is a function', MinDate(() => new Date(5)), '1970-01-01T00:00:01Z', true],
  ['an enumeration', IsEnum(roles), 'r', true],
  ['a list', IsIn(people), 'Ada', true],
];

for (const path of PATHS) {
  test.each(TRAPS)(`${path}: %s`, (_, decorator, value, isKnown) => {
    const Dto = dtoOf(decorator);
    expect(checkerOf(Dto, { path }).run({ x: value }) !== undefined).toBe(isKnown);
  });

  test(`${path}: lists and enumerations are read as they are at that moment`, () => {
    const checker = checkerOf(dtoOf(IsIn(people)), { path });
    const members = checkerOf(dtoOf(IsEnum(roles)), { path });
    people.pop();
    roles['writer'] = 'x';
    try {
      expect(checker.run({ x: 'Bob' })).toBeUndefined();
      expect(members.run({ x: 'w' })).toBeUndefined();
    } finally {
      people.push('Bob');
      roles['writer'] = 'w';
    }
    expect(checker.run({ x: 'Bob' })).toBeDefined();
    expect(members.run({ x: 'w' })).toBeDefined();
  });
}

function spoof(
  name: string,
  validate: (value: unknown) => boolean | Promise<boolean>,
  message?: string,
): PropertyDecorator {
  return (target, propertyName) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: propertyName as string,
      validator: { validate, defaultMessage: () => message ?? '$property must be a string' },
    });
}

test.each<readonly [string, PropertyDecorator]>([
  ['that is looser', spoof('isString', () => true)],
  ['that is stricter', spoof('isString', (value) => typeof value === 'string' && value.startsWith('x'))],
  ['with words of its own', spoof('isString', (value) => typeof value === 'string', 'no text')],
  ['that throws', spoof('isString', (value) => (value as string).length > 0)],
  ['that is late', spoof('isString', async () => Promise.reject(new Error('no')))],
  ['with arguments of its own', spoof('isNumber', (value) => value === 1, 'must be a number conforming')],
])('a validator that takes the name of another one, and %s, is called', (_, decorator) => {
  const [rule] = checkerOf(dtoOf(decorator)).explanation.rules;
  expect(rule).toMatchObject({ how: 'called', why: expect.stringContaining('not the validator') });
});

test('what a function identifies is not known, so the original is asked', () => {
  const Dto = dtoOf(ArrayUnique((item: { sku?: string }) => item.sku ?? item));
  expect(howOf(Dto, 'arrayUnique')).toBe('called');
  expect(checkerOf(Dto).run({ x: [{ sku: 'a' }, { sku: 'a' }] })).toBeUndefined();
});

test('a validator under a condition of its own counts under that condition only', () => {
  const options: ValidationOptions = { validateIf: (_, value) => value !== 'free' };
  for (const path of PATHS) {
    const checker = checkerOf(dtoOf(MinLength(9, options)), { path });
    expect(checker.run({ x: 'free' })).toEqual({ x: 'free' });
    expect(checker.run({ x: 'short' })).toBeUndefined();
  }
});

test('a called validator sees the item, the value it stands in, and the finished instance', () => {
  const seen: unknown[] = [];
  const validate = (value: unknown, args?: { value: unknown; object: object }): boolean =>
    seen.push([value, args?.value, Object.keys(args?.object ?? {})]) > 0;
  for (const path of PATHS) {
    seen.length = 0;
    const checker = checkerOf(
      dtoOf(IsArray(), ValidateBy({ name: 'own', validator: { validate } }, { each: true })),
      { path },
    );
    expect(checker.run({ x: ['a', 'b'] })).toEqual({ x: ['a', 'b'] });
    expect(seen).toEqual([
      ['a', ['a', 'b'], ['x']],
      ['b', ['a', 'b'], ['x']],
    ]);
  }
});
