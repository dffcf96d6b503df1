import { describe, expect, test } from '@jest/globals';
import { createSchemaValidator } from '../../src/formats/schema-validator.ts';
import { codeOf } from '../support/thrown.ts';

const validator = createSchemaValidator();

function isValid(schema: unknown, data: unknown): boolean {
  return validator.validate(schema, data).valid;
}
function failures(schema: unknown, data: unknown): readonly (readonly [string, string])[] {
  return validator.validate(schema, data).errors.map(({ path, keyword }) => [path, keyword]);
}

describe('a value', () => {
  test('is valid, or every error is reported with its place, keyword, message and parameters', () => {
    expect(validator.validate({ type: 'string' }, 'hello')).toEqual({ valid: true, errors: [] });
    const schema = { type: 'object', properties: { 'a/b': { maximum: 1 } }, required: ['name'] };
    expect(validator.validate(schema, { 'a/b': 2 })).toEqual({
      valid: false,
      errors: expect.arrayContaining([
        {
          path: '',
          keyword: 'required',
          message: "must have required property 'name'",
          params: { missingProperty: 'name' },
        },
        {
          path: '/a~1b',
          keyword: 'maximum',
          message: 'must be <= 1',
          params: { comparison: '<=', limit: 1 },
        },
      ]),
    });
  });

  test('is checked against objects, booleans, and JSON text of either', () => {
    expect(isValid('{"type":"string"}', 'a')).toBe(true);
    expect(isValid('{"type":"string"}', 1)).toBe(false);
    expect([isValid(true, 1), isValid(false, 1), isValid('true', 1), isValid(' false ', 1)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  test('is asserted to have its format, where the format is known', () => {
    expect(isValid({ format: 'date' }, '2024-02-30')).toBe(false);
    expect(isValid({ format: 'email' }, 'a@example.com')).toBe(true);
    for (const format of [
      'colour',
      'toString',
      'hasOwnProperty',
      'valueOf',
      '__proto__',
      'constructor',
      '',
    ]) {
      expect(isValid({ format }, 'anything')).toBe(true);
    }
  });

  test('is not checked by unknown keywords, whatever other tools make of them', () => {
    const schema = {
      type: 'string',
      id: 'x',
      $async: true,
      $recursiveRef: '#',
      'x-note': { $ref: 'http://example.com' },
      discriminator: { propertyName: 'a' },
      toolwrightSteps: 'a',
    };
    expect(isValid(schema, 'a')).toBe(true);
    expect(isValid({ properties: { a: schema } }, { a: 1 })).toBe(false);
    expect(isValid({ enum: ['a'], nullable: true }, null)).toBe(false);
    expect(isValid({ type: 'string', nullable: true }, null)).toBe(true);
    expect(isValid({ type: ['string', 'null'], nullable: false }, null)).toBe(true);
  });

  test('may have members with the names that every object has', () => {
    const data = JSON.parse('{"__proto__":1,"constructor":2}') as unknown;
    expect(failures({ required: ['__proto__', 'constructor', 'toString'] }, data)).toEqual([
      ['', 'required'],
    ]);
    expect(isValid({ required: ['__proto__'] }, {})).toBe(false);
    const closed = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"}},"additionalProperties":false}',
    ) as unknown;
    expect(failures(closed, JSON.parse('{"__proto__":1}'))).toEqual([['/__proto__', 'type']]);
    expect(isValid(closed, JSON.parse('{"__proto__":"a"}'))).toBe(true);
    expect(isValid(closed, JSON.parse('{"__proto__x":"a"}'))).toBe(false);
    const patterned = JSON.parse('{"patternProperties":{"__proto__":{"type":"string"}}}') as unknown;
    expect(isValid(patterned, JSON.parse('{"x__proto__":1}'))).toBe(false);
    const both =
      '{"properties":{"__proto__":{"type":"string"}},"patternProperties":{"^__proto__$":{"minLength":2}}}';
    expect(isValid(both, JSON.parse('{"__proto__":"a"}'))).toBe(false);
    expect(isValid(both, JSON.parse('{"__proto__":"ab"}'))).toBe(true);
    expect(codeOf(() => isValid('{"dependentRequired":{"__proto__":["a"]}}', {}))).toBe('INVALID_SCHEMA');
  });
});

describe('a tool', () => {
  const tool = { inputSchema: { type: 'object', required: ['a'] }, outputSchema: { type: 'number' } };

  test('has its arguments checked, and missing ones count as none', () => {
    expect(validator.validateInput(tool, { a: 1 }).valid).toBe(true);
    expect(validator.validateInput(tool, undefined).errors).toMatchObject([
      { path: '', keyword: 'required' },
    ]);
    expect(validator.validateInput(tool, null).errors).toMatchObject([{ path: '', keyword: 'type' }]);
    expect(validator.validateInput({ inputSchema: {} }, undefined).valid).toBe(true);
  });

  test('has to be there with an input schema', () => {
    for (const none of [
      undefined,
      null,
      {},
      { inputSchema: undefined },
      { inputSchema: null },
      { inputSchema: '' },
    ]) {
      expect(codeOf(() => validator.validateInput(none, {}))).toBe('INVALID_SCHEMA');
    }
  });

  test('has its result checked when it says what results look like', () => {
    expect(validator.validateOutput(tool, 1).valid).toBe(true);
    expect(validator.validateOutput(tool, 'a').valid).toBe(false);
    expect(validator.validateOutput({}, 'a')).toEqual({ valid: true, errors: [] });
    expect(validator.validateOutput({ outputSchema: false }, 'a').valid).toBe(false);
  });
});

describe('a schema', () => {
  test.each([
    undefined,
    null,
    1,
    [],
    '',
    ' ',
    '{',
    'null',
    '1',
    '"a"',
    '[]',
    () => true,
    Symbol('a'),
    10n,
    new Date(),
  ])('is not %p', (schema) => {
    expect(codeOf(() => isValid(schema, 1))).toBe('INVALID_SCHEMA');
  });

  test.each([
    { type: 'text' },
    { type: [] },
    { required: 'a' },
    { required: ['a', 'a'] },
    { minLength: -1 },
    { minLength: '1) || process.exit(1) || (1' },
    { properties: [] },
    { properties: { a: 1 } },
    { items: [{}] },
    { anyOf: [] },
    { enum: 'a' },
    { pattern: '(' },
    { pattern: 5 },
    { patternProperties: { '[': {} } },
    { $ref: 5 },
    { $id: 5 },
    { $defs: { a: 1 } },
    { maximum: Number.NaN },
    { maximum: 10n },
    { const: () => 1 },
    { const: new Map() },
    { enum: [undefined] },
  ])('is not valid as %p', (schema) => {
    expect(codeOf(() => isValid(schema, 1))).toBe('INVALID_SCHEMA');
  });

  test('names the place of its fault', () => {
    expect(() => isValid({ properties: { a: { type: 'text' } } }, {})).toThrow('/properties/a/type');
    expect(() => isValid({ properties: { a: { pattern: '(' } } }, {})).toThrow('/properties/a/pattern');
    expect(() => isValid({ properties: { a: { pattern: '(?=a)' } } }, {})).toThrow('/properties/a/pattern');
  });

  test('is never changed, and what it was is what counts', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', nullable: true, $comment: 'x' } },
      $id: 'a',
    };
    const before = JSON.stringify(schema);
    expect(isValid(schema, { a: 'x' })).toBe(true);
    expect(JSON.stringify(schema)).toBe(before);
    expect(Object.isFrozen(schema)).toBe(false);
    const compiled = validator.compile(schema);
    schema.properties.a.type = 'number';
    expect([isValid(schema, { a: 'x' }), compiled.validate({ a: 'x' }).valid]).toEqual([false, true]);
  });

  test('is out of the reach of those who get its errors', () => {
    const [error] = validator.validate({ enum: ['a', 'b'] }, 'c').errors;
    expect(Object.isFrozen(error?.params.allowedValues)).toBe(true);
    expect(error?.params).toEqual({ allowedValues: ['a', 'b'] });
  });

  test('may have the $id of another one', () => {
    expect(isValid({ $id: 'https://example.com/a', type: 'string' }, 'a')).toBe(true);
    expect(isValid({ $id: 'https://example.com/a', type: 'number' }, 1)).toBe(true);
    expect(isValid({ $id: 'https://example.com/a', type: 'string' }, 1)).toBe(false);
  });

  test('is compiled once, in whatever order its members come', () => {
    const first = validator.compile({ type: 'object', properties: { a: {}, b: {} }, title: undefined });
    expect(validator.compile({ properties: { b: {}, a: {} }, type: 'object' })).toBe(first);
    expect(validator.compile('{"type":"object","properties":{"a":{},"b":{}}}')).toBe(first);
    expect(validator.compile({ type: 'object', properties: { a: {} } })).not.toBe(first);
    expect(createSchemaValidator().compile({ type: 'object', properties: { a: {}, b: {} } })).not.toBe(first);
  });

  test('is forgotten after 500 others', () => {
    const own = createSchemaValidator();
    const kept = own.compile({ const: 'kept' });
    const forgotten = own.compile({ const: 'forgotten' });
    for (let count = 0; count < 499; count += 1) {
      own.compile({ const: count });
      expect(own.compile({ const: 'kept' })).toBe(kept);
    }
    expect(own.compile({ const: 'forgotten' })).not.toBe(forgotten);
  });
});

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
