import { expect, test } from '@jest/globals';
import { createSchemaValidator } from '../../src/formats/schema-validator.ts';

const validator = createSchemaValidator();

test('values that JSON does not have are checked like any other', () => {
  for (const value of [
    undefined,
    Number.NaN,
    10n,
    Symbol('a'),
    () => 1,
    new Date(),
    new Map(),
    Object.create(null),
  ]) {
    for (const schema of [
      true,
      { type: 'string' },
      { enum: ['a', { b: 1 }] },
      { multipleOf: 2, minLength: 1 },
    ]) {
      expect(typeof validator.validate(schema, value).valid).toBe('boolean');
    }
    expect(validator.validate({ uniqueItems: true, items: { const: 1 } }, [value, 1]).valid).toBe(false);
  }
});

test('members may be called like the functions that every object has', () => {
  const odd = { valueOf: 1, toString: [], constructor: {}, hasOwnProperty: null, toJSON: 1 };
  for (const schema of [
    { const: odd },
    { enum: [{}, odd] },
    { uniqueItems: true },
    { contains: { const: odd } },
  ]) {
    const values: readonly unknown[] = [odd, { ...odd }, [odd, { ...odd }], { valueOf: {} }, { toString: 1 }];
    for (const value of values) expect(typeof validator.validate(schema, value).valid).toBe('boolean');
  }
  const $schema = 'http://json-schema.org/draft-07/schema#';
  expect(validator.validate({ $schema, enum: [odd, { valueOf: 2 }] }, { ...odd }).valid).toBe(true);
  expect(validator.validate({ const: odd }, { ...odd }).valid).toBe(true);
  expect(validator.validate({ uniqueItems: true }, [odd, { ...odd }]).valid).toBe(false);
});

test('equal values are equal whatever the order of their members, and others are not', () => {
  const schema = { uniqueItems: true };
  const isUnique = (...items: readonly unknown[]) => validator.validate(schema, items).valid;
  expect(isUnique({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(false);
  expect(isUnique(1, '1', true, 'true', null, 'null', [1], ['1'], { a: 1 }, '{"a":1}', [], {}, '')).toBe(
    true,
  );
  expect(isUnique({ a: [1, 2] }, { a: [12] }, { a: ['1,2'] }, { 'a":[1],"b': 1 }, { a: [1], b: 1 })).toBe(
    true,
  );
  expect([isUnique(0, -0), isUnique([0], [-0])]).toEqual([false, false]);
  expect(validator.validate({ enum: [{ a: 1, b: 2 }, [1], 0] }, { b: 2, a: 1 }).valid).toBe(true);
  expect(validator.validate({ enum: [{ a: 1, b: 2 }, [1], 0] }, [2]).valid).toBe(false);
  expect(validator.validate({ enum: [0] }, -0).valid).toBe(true);
});
