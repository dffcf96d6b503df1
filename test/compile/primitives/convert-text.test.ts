import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { convertText, convertTexts } from '../../../src/compile/primitives/convert-text.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';

const integer = { type: 'integer' };
const nullable = { type: ['integer', 'null'] };

test.each<[string, JsonSchema, string, unknown]>([
  ['an integer', integer, '5', 5],
  ['a negative integer', integer, '-5', -5],
  ['an integer with a fraction of zero', integer, '5.0', 5],
  ['a number', { type: 'number' }, '2.5e-1', 0.25],
  ['true', { type: 'boolean' }, 'true', true],
  ['True', { type: 'boolean' }, 'True', true],
  ['FALSE', { type: 'boolean' }, 'FALSE', false],
  ['a nullable integer', nullable, '5', 5],
  ['null where it may be', nullable, 'null', null],
  ['a nullable integer as a union', { anyOf: [integer, { type: 'null' }] }, '5', 5],
  ['an enum of numbers', { enum: [1, 2, 3] }, '2', 2],
  ['an enum of booleans', { enum: [true] }, 'true', true],
  ['a constant', { const: 7 }, '7', 7],
  ['a union of literals and numbers', { anyOf: [{ const: 'auto' }, integer] }, '3', 3],
  ['an intersection', { allOf: [{ type: 'number' }, { minimum: 1 }] }, '3', 3],
])('converts %s', (_name, schema, text, expected) => {
  expect(convertText(text, schema)).toBe(expected);
});

test.each<[string, JsonSchema, string]>([
  ['text for a string', { type: 'string' }, '5'],
  ['text for a string or a number', { type: ['string', 'integer'] }, '5'],
  ['text of an enum that has it in both forms', { enum: ['1', 1] }, '1'],
  ['null for a nullable string', { type: ['string', 'null'] }, 'null'],
  ['text for a schema that says nothing', {}, '5'],
  ['emptiness', integer, ''],
  ['a space', integer, ' '],
  ['a number with spaces', integer, ' 5 '],
  ['a fraction for an integer', integer, '5.5'],
  ['hexadecimal digits', integer, '0x10'],
  ['leading zeros', integer, '007'],
  ['a plus', integer, '+5'],
  ['a word', integer, 'five'],
  ['infinity', { type: 'number' }, '1e999'],
  ['the word Infinity', { type: 'number' }, 'Infinity'],
  ['NaN', { type: 'number' }, 'NaN'],
  ['an integer that a number cannot hold', integer, '9007199254740993'],
  ['a number for a boolean', { type: 'boolean' }, '1'],
  ['yes for a boolean', { type: 'boolean' }, 'yes'],
  ['null where it may not be', integer, 'null'],
  ['a number that an enum lacks', { enum: [1, 2] }, '3'],
  ['a list', { type: 'array', items: integer }, '[1]'],
])('leaves %s as it is', (_name, schema, text) => {
  expect(convertText(text, schema)).toBe(text);
});

test('leaves alone what is not a string, what has no schema, and the prototype', () => {
  const args = JSON.parse('{"a":"1","b":2,"c":"3","__proto__":"4"}') as Record<string, unknown>;
  const converted = convertTexts(args, new Map<string, JsonSchema>([['a', integer], ['b', integer]])); // oxfmt-ignore
  expect(JSON.stringify(converted)).toBe('{"a":1,"b":2,"c":"3","__proto__":"4"}');
  expect(Object.getPrototypeOf(converted)).toBe(Object.prototype);
});

describe('for every text and schema', () => {
  const validate = (schema: JsonSchema, value: unknown) =>
    new Ajv2020({ strict: false }).validate(schema, value);
  const schemas = fc.constantFrom<JsonSchema>(
    integer,
    nullable,
    { type: 'number' },
    { type: 'boolean' },
    { enum: [0, 1, null] },
    { type: ['boolean', 'integer'] },
    { anyOf: [{ type: 'number' }, { type: 'null' }] },
  );
  const literal = fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null)).map(String);
  const texts = fc.oneof(
    fc.string(),
    literal,
    fc.string({ unit: fc.constantFrom('0', '1', '-', '+', '.', 'e', ' ', 't', 'n') }),
  );

  test('a text that is not a literal never becomes a valid value', () => {
    const meaning = (text: string): unknown => {
      try {
        return JSON.parse(text.trim() === text ? text.toLowerCase() : '?') as unknown;
      } catch {
        return undefined;
      }
    };
    fc.assert(
      fc.property(texts, schemas, (text, schema) => {
        const value = convertText(text, schema);
        if (value === text) return;
        expect(value).toBe(meaning(text));
        expect(validate(schema, value)).toBe(true);
      }),
    );
  });

  test('a literal that the schema takes is converted', () => {
    fc.assert(
      fc.property(literal, schemas, (text, schema) => {
        const value: unknown = text === 'NaN' || text.endsWith('Infinity') ? text : JSON.parse(text);
        const isExact = typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value);
        if (isExact && validate(schema, value)) expect(convertText(text, schema)).toBe(value);
      }),
    );
  });
});
