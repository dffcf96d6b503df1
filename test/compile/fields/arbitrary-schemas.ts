import fc from 'fast-check';
import type { JsonSchema, ObjectSchema } from '../../../src/shared/json-schema.ts';

const NAMES = ['a', 'b', 'c', '__proto__'];

export const scalar = fc.constantFrom<JsonSchema>(
  {},
  { type: 'string' },
  { type: 'string', minLength: 2 },
  { type: 'string', minLength: 2, pattern: '^x' },
  { type: 'string', enum: ['x', 'xy'] },
  { enum: ['xyz', 1] },
  { const: 'x' },
  { const: null },
  { type: 'integer' },
  { type: 'integer', minimum: 1 },
  { type: 'number' },
  { type: 'number', minimum: 1, maximum: 3 },
  { type: 'number', enum: [1, 1.5] },
  { type: 'boolean' },
  { type: ['string', 'null'] },
  { type: ['null', 'string'], minLength: 2 },
  { type: ['string', 'integer', 'null'], minLength: 2, minimum: 2 },
  { type: ['string', 'null'], enum: ['x', null] },
  { anyOf: [{ type: 'string', minLength: 3 }, { type: 'null' }] },
  { oneOf: [{ const: 'x', title: 'X' }, { const: 'xy' }] },
  { allOf: [{ type: 'string' }, { minLength: 2 }] },
  { type: 'string', not: { const: 'x' } },
  { type: 'number', if: { minimum: 2 }, then: { maximum: 3 } },
  { not: {} },
);

export function record<T>(value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), value), { selector: ([name]) => name, maxLength: 3 })
    .map((entries) => Object.fromEntries(entries));
}

export const schemas = fc.letrec<{
  any: JsonSchema;
  object: ObjectSchema;
  array: JsonSchema;
  union: JsonSchema;
}>((tie) => ({
  any: fc.oneof({ maxDepth: 3, withCrossShrink: true }, scalar, tie('object'), tie('array'), tie('union')),
  object: fc
    .tuple(
      record(tie('any')),
      fc.subarray(NAMES),
      fc.oneof(
        { weight: 3, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
        tie('any'),
      ),
    )
    .map(([properties, required, additionalProperties]) => ({
      type: 'object',
      properties,
      required: required.filter((name) => Object.hasOwn(properties, name)),
      additionalProperties,
    })),
  array: fc.oneof(
    tie('any').map((items) => ({ type: 'array', items })),
    fc
      .tuple(tie('any'), tie('any'))
      .map(([first, items]) => ({ type: 'array', prefixItems: [first], items })),
    tie('any').map((contains) => ({ type: 'array', contains, minItems: 1 })),
  ),
  union: fc
    .tuple(fc.constantFrom('anyOf', 'oneOf', 'allOf'), tie('any'), tie('any'))
    .map(([keyword, left, right]) => ({
      [keyword]: [left, right],
    })),
}));

export const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>('x', 'xy', 'xyz', 'yy', '', 0, 1, 1.5, 2, 3, null, true),
    record(tie('value')),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
})).value;

/** Values of every type, so many that most schemas accept some and refuse some. */
export const POOL = ((): readonly unknown[] => {
  const scalars = ['x', 'xy', 'xyz', 'yy', '', -1, 0, 1, 1.5, 2, 3, 4, null, true, false];
  const arrays = [
    [],
    ...scalars.map((value) => [value]),
    ...scalars.flatMap((value) => [
      ['x', value],
      [value, 1],
      [1, 1, value],
    ]),
  ];
  const inner = [...scalars, [], [1], ['xy'], {}, { a: 1 }, { b: 'xy' }];
  const objects = [{}, ...NAMES.flatMap((name) => inner.map((value) => Object.fromEntries([[name, value]])))];
  const pairs = scalars.flatMap((a) =>
    ['xy', 1, null].flatMap((b) => [
      { a, b },
      { b: a, c: b },
      { a, b, c: b },
    ]),
  );
  return [...scalars, ...arrays, ...objects, ...pairs];
})();
