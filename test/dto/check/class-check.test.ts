import { describe, expect, jest, test } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  Allow,
  ArrayMinSize,
  IsArray,
  IsDate,
  IsInt,
  IsOptional,
  IsString,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import type { CheckOutcome } from '../../../src/call/issue.ts';
import { createChecker } from '../../../src/dto/check/class-check.ts';
import { createClassContract } from '../../../src/compile/contracts/create-contract.ts';
import { Field } from '../../../src/decorators/members.ts';
import { readShape } from '../../../src/dto/shape/read-shape.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { difference } from '../../fuzz/same-value.ts';
import { checkerOf, PATHS } from './checkers.ts';
import { validatedProperties } from '../../../src/dto/shape/validation-metadata.ts';
import { fuzzChecker } from '../../fuzz/fuzz-checker.ts';
import { RULES } from '../../fuzz/rule-samples.ts';
import { tries } from '../../support/thorough.ts';

class Item {
  @IsString() sku!: string;
  @IsInt() @Min(1) count = 1;
}

class Order {
  @IsInt() id!: number;
  @IsDate() @IsOptional() due?: Date;
  @Allow() note: unknown = { made: 'here' };
  @IsString() @Field({ default: 'open' }) state!: string;
  @IsArray() @ArrayMinSize(1) @ValidateNested({ each: true }) @Type(() => Item) items!: Item[];
  @IsOptional() @ValidateNested() @Type(() => Order) before?: Order;
}

const valid = {
  id: 1,
  due: '2030-01-01T00:00:00Z',
  note: { a: [{ b: null }] },
  items: [{ sku: 'a' }, { sku: 'b', count: 2 }],
};

/** What the libraries answer. */
function byLibraries(type: Class, value: unknown, unknownFields: 'strict' | 'strip'): CheckOutcome<object> {
  const { check } = createClassContract(type, { unknownFields, where: 'test', path: 'class-stack' });
  return check(value as Record<string, unknown>) as CheckOutcome<object>;
}

describe.each(PATHS)('%s', (path) => {
  const checker = checkerOf(Order, { path });

  test('makes the instance that the libraries make', () => {
    expect(checker.explanation.path).toBe(path);
    const made = checker.run({ ...valid, before: { ...valid, due: null } });
    expect(made).toBeInstanceOf(Order);
    const outcome = byLibraries(Order, { ...valid, before: { ...valid, due: null } }, 'strict');
    expect(difference(made, outcome.ok && outcome.value)).toBeUndefined();
    expect(made).toMatchObject({
      due: new Date('2030-01-01'),
      state: 'open',
      items: [{ count: 1 }, { count: 2 }],
    });
  });

  test('keeps the input as it came', () => {
    const input = JSON.parse(JSON.stringify(valid)) as typeof valid;
    const made = checker.run(input) as Order;
    (made.note as { a: object[] }).a.push({});
    expect(input).toEqual(valid);
  });

  test.each([
    ['an unknown name', { ...valid, extra: 1 }],
    ['an unknown name further in', { ...valid, items: [{ sku: 'a', extra: 1 }] }],
    ['a name that every object has', { ...valid, note: JSON.parse('{"__proto__": 1}') as object }],
    ['a missing field', { items: valid.items }],
    ['an item that is none', { ...valid, items: [null] }],
    ['a class instance in free JSON', { ...valid, note: new Map() }],
    ['no object', [] as unknown],
  ])('leaves %s to the libraries', (_, value) => {
    expect(checker.run(value as Record<string, unknown>)).toBeUndefined();
  });

  test('drops unknown names where they are stripped', () => {
    const loose = checkerOf(Order, { path, unknownFields: 'strip' });
    const input = {
      ...valid,
      extra: 1,
      items: [{ sku: 'a', extra: 1 }],
      note: JSON.parse('{"__proto__": 1, "a": 2}') as object,
    };
    const outcome = byLibraries(Order, input, 'strip');
    expect(difference(loose.run(input), outcome.ok && outcome.value)).toBeUndefined();
    expect(loose.run(input)).toMatchObject({ note: { a: 2 } });
  });

  test('refuses what is nested as deeply as the libraries refuse it', () => {
    const nest = (levels: number): object => {
      let value: object = { ...valid, note: 1 };
      for (let level = 0; level < levels; level += 1) value = { ...valid, note: 1, before: value };
      return value;
    };
    for (const levels of [510, 511, 512, 513]) {
      const isAccepted = byLibraries(Order, nest(levels), 'strict').ok;
      expect(checker.run(nest(levels) as Record<string, unknown>) !== undefined).toBe(isAccepted);
    }
  });

  test('takes nothing for a member that every object inherits', () => {
    class Loose {
      @IsOptional() @IsString() inherited?: string;
    }
    const loose = checkerOf(Loose, { path, unknownFields: 'strip' });
    expect(loose.run({})).toBeInstanceOf(Loose);
    Object.defineProperty(Object.prototype, 'inherited', {
      value: 'x',
      enumerable: true,
      configurable: true,
    });
    try {
      expect(loose.run({})).toBeUndefined();
    } finally {
      Reflect.deleteProperty(Object.prototype, 'inherited');
    }
  });

  test('after a promise nothing is asked twice any more', async () => {
    const validate = jest.fn((value: unknown) => Promise.resolve(value === 'a') as unknown as boolean);
    class Later {
      @ValidateBy({ name: 'later', validator: { validate } }) text!: string;
    }
    const { check, ...contract } = createClassContract(Later, {
      unknownFields: 'strict',
      where: 'test',
      path,
    });
    expect(contract.explanation).toMatchObject({ path });
    const later = createClassContract(Later, { unknownFields: 'strict', where: 'test', path });
    expect(later.explanation?.path).toBe(path);
    await expect(later.check({ text: 'a' })).resolves.toMatchObject({ ok: true });
    expect(later.explanation).toMatchObject({
      path: 'class-stack',
      reason: expect.stringContaining('promise'),
    });
    validate.mockClear();
    await expect(later.check({ text: 'b' })).resolves.toMatchObject({ ok: false });
    expect(validate).toHaveBeenCalledTimes(1);
  });

  test('an answer of the libraries is the answer', () => {
    const fast = createClassContract(Order, { unknownFields: 'strict', where: 'test', path });
    for (const value of [{ ...valid, id: 'x' }, { ...valid, extra: 1 }, { items: [{ sku: 1 }] }, {}]) {
      expect(fast.check(value)).toEqual(byLibraries(Order, value, 'strict'));
    }
  });
});

test('an explanation is frozen plain data, each class once', () => {
  const { explanation } = checkerOf(Order);
  expect(explanation).toMatchObject({ dto: 'Order', path: 'generated' });
  expect(explanation.rules.map(({ property, rule }) => `${property} ${rule}`).sort()).toEqual([
    ...['before isOptional', 'due isDate', 'due isOptional', 'id isInt'],
    ...['items arrayMinSize', 'items isArray', 'items.count isInt', 'items.count min', 'items.sku isString'],
    'state isString',
  ]);
  expect(structuredClone(explanation)).toEqual(explanation);
  expect(Object.isFrozen(explanation) && Object.isFrozen(explanation.rules)).toBe(true);
  expect(explanation.rules.every((rule) => Object.isFrozen(rule))).toBe(true);
});

test('code is made once, for the first value', () => {
  const { Function: Original } = globalThis;
  const construct = jest.fn(Reflect.construct);
  Reflect.set(globalThis, 'Function', new Proxy(Original, { construct }));
  try {
    const checker = createChecker(readShape(Order), { unknownFields: 'strict' });
    expect(construct).not.toHaveBeenCalled();
    for (const value of [valid, {}, valid]) void checker.run(value);
    expect(checker.explanation.path).toBe('generated');
    expect(construct).toHaveBeenCalledTimes(1);
  } finally {
    Reflect.set(globalThis, 'Function', Original);
  }
});

test('closures stand in where the platform allows no code made at run time', () => {
  const { Function: Original } = globalThis;
  const refuse = function refuse(): never {
    throw new EvalError('Code generation from strings disallowed for this context');
  };
  Reflect.set(globalThis, 'Function', refuse);
  let checker;
  try {
    checker = checkerOf(Order);
  } finally {
    Reflect.set(globalThis, 'Function', Original);
  }
  expect(checker.explanation).toMatchObject({ path: 'closures', reason: expect.stringContaining('no code') });
  expect(checker.run(valid)).toBeInstanceOf(Order);
});

const CASES = tries(1000, 20_000);

// `npm run fuzz` is the long form of it
test(`${CASES} values of generated DTOs: what the compiled checks accept, the libraries accept and build alike`, async () => {
  const rules = validatedProperties(Order);
  const report = await fuzzChecker({ cases: CASES, seed: 20_260_728, perDto: 80 });
  // It forgets the DTOs that it made, and no others of this process
  expect(validatedProperties(Order)).toEqual(rules);
  expect(rules).not.toEqual([]);
  expect(report.offenders).toEqual([]);
  expect(report.cases).toBeGreaterThanOrEqual(CASES);
  expect(report.byLibraries / report.dtos).toBeLessThan(0.2);
  const names = [...Object.values(RULES).flatMap((rules) => Object.keys(rules)), 'isOptional'];
  const unmet = names.filter((name) => (report.rules.get(name)?.accepted ?? 0) === 0);
  // Few values do not meet every rule
  expect(unmet.length).toBeLessThan(tries(names.length * 0.75, 1));
});
