import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { clientForm } from '../../src/schema/client-form.ts';
import type { JsonSchema } from '../../src/shared/json-schema.ts';

test.each<readonly [string, object, object]>([
  ['a property that may be anything', { properties: { a: true } }, { properties: { a: {} } }],
  ['one that may not be there', { properties: { a: false } }, { properties: { a: { not: {} } } }],
  [
    'branches',
    { anyOf: [true, { type: 'array', items: true }] },
    { anyOf: [{}, { type: 'array', items: {} }] },
  ],
  ['values', { enum: ['a', 1, null] }, { type: ['string', 'integer', 'null'], enum: ['a', 1, null] }],
  ['numbers', { enum: [1, 1.5] }, { type: 'number', enum: [1, 1.5] }],
  ['a constant', { const: true }, { type: 'boolean', const: true }],
  ['an array', { type: 'array' }, { type: 'array', items: {} }],
  ['a closed object', { additionalProperties: false }, { additionalProperties: false }],
  ['a closed tuple', { prefixItems: [true], items: false }, { prefixItems: [{}], items: false }],
  ['data', { default: true, examples: [true] }, { default: true, examples: [true] }],
])('writes %s as clients take it', (_, given, form) => {
  expect(clientForm(given as JsonSchema)).toEqual(form);
});

test('leaves an array alone whose further items are counted', () => {
  const counted = { type: 'array', prefixItems: [{}], unevaluatedItems: false } as const;
  expect(clientForm(counted)).toEqual(counted);
});

const leaf = fc.oneof(
  fc.boolean(),
  fc.constantFrom<object>({ type: 'string' }, { enum: ['a', 1] }, { const: null }, { type: 'array' }, {}),
);
const schema = fc.oneof(
  leaf,
  fc.record(
    {
      properties: fc.dictionary(fc.constantFrom('a', 'b'), leaf),
      items: leaf,
      prefixItems: fc.array(leaf, { minLength: 1, maxLength: 2 }),
      anyOf: fc.array(leaf, { minLength: 1, maxLength: 2 }),
      not: leaf,
      additionalProperties: leaf,
      unevaluatedItems: leaf,
      enum: fc.constantFrom<unknown[]>(['a'], [[1]], [{ a: 1 }]),
    },
    { requiredKeys: [] },
  ),
);
const value = fc.constantFrom<unknown>(
  'a',
  1,
  null,
  true,
  [],
  [1],
  ['a', 2],
  {},
  { a: 'a' },
  { a: 1, b: null },
);

test('the form means what the schema means', () => {
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 5 }), (given, values) => {
      if (typeof given === 'boolean') return;
      const ajv = new Ajv2020({ strict: false });
      const [before, after] = [given, clientForm(given as JsonSchema)].map((one) => ajv.compile(one));
      for (const one of values) expect([one, after?.(one)]).toEqual([one, before?.(one)]);
    }),
    { numRuns: 60 },
  );
});
