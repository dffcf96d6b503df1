import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { RULES } from '../../../src/cli/lock/changes.ts';
import { compareSchemas } from '../../../src/cli/lock/compare-schemas.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import { tries } from '../../support/thorough.ts';

const object = (properties: JsonSchema['properties'], ...required: string[]): JsonSchema => ({
  type: 'object',
  properties: properties ?? {},
  required,
  additionalProperties: false,
});

const input = (before: JsonSchema, after: JsonSchema): readonly string[] =>
  compareSchemas({ before, after, direction: 'input' }).map(({ rule, path }) => `${rule} ${path}`.trim());

const output = (before: JsonSchema, after: JsonSchema): readonly string[] =>
  compareSchemas({ before, after, direction: 'output' }).map(({ rule, path }) => `${rule} ${path}`.trim());

describe('of an input', () => {
  const text = { type: 'string' };
  const cases: readonly (readonly [
    what: string,
    before: JsonSchema,
    after: JsonSchema,
    rules: readonly string[],
  ])[] = [
    ['a required field is new', object({}), object({ a: text }, 'a'), ['field-required-added a']],
    ['an optional field is new', object({}), object({ a: text }), ['field-optional-added a']],
    ['a field is gone and refused', object({ a: text }), object({}), ['field-removed a']],
    ['a field is gone and dropped', { properties: { a: text } }, { properties: {} }, ['field-dropped a']],
    ['a field is made required', object({ a: text }), object({ a: text }, 'a'), ['field-made-required a']],
    ['a field is made optional', object({ a: text }, 'a'), object({ a: text }), ['field-made-optional a']],
    ['another type', object({ a: text }), object({ a: { type: 'number' } }), ['type-changed a']],
    ['number to integer', { type: 'number' }, { type: 'integer' }, ['type-narrowed']],
    ['integer to number', { type: 'integer' }, { type: 'number' }, ['type-widened']],
    ['null is no longer taken', { type: ['string', 'null'] }, text, ['type-narrowed']],
    ['null is taken', text, { type: ['string', 'null'] }, ['type-widened']],
    ['a type where there was none', {}, text, ['type-narrowed']],
    ['a value is gone', { enum: ['a', 'b'] }, { enum: ['a'] }, ['value-removed']],
    ['a value is new', { enum: ['a'] }, { enum: ['a', 'b'] }, ['value-added']],
    ['another constant', { const: 1 }, { const: 2 }, ['value-removed', 'value-added']],
    ['a list of values is new', text, { type: 'string', enum: ['a'] }, ['value-removed']],
    ['a list of values is gone', { type: 'string', enum: ['a'] }, text, ['value-added']],
    ['a minimum is higher', { minimum: 1 }, { minimum: 2 }, ['bound-tightened']],
    ['a minimum is lower', { minimum: 2 }, { minimum: 1 }, ['bound-loosened']],
    ['a maximum is lower', { maxLength: 9 }, { maxLength: 8 }, ['bound-tightened']],
    ['a maximum is gone', { maxItems: 9 }, {}, ['bound-loosened']],
    ['a pattern is new', text, { ...text, pattern: '^a' }, ['pattern-changed']],
    ['a format is another one', { format: 'date' }, { format: 'time' }, ['pattern-changed']],
    ['a pattern is gone', { pattern: 'a' }, {}, ['pattern-removed']],
    ['items must differ', { type: 'array' }, { type: 'array', uniqueItems: true }, ['constraint-changed']],
    ['another default', { default: 1 }, { default: 2 }, ['default-changed']],
    ['a default is new', {}, { default: null }, ['default-changed']],
    [
      'a description',
      object({ a: { description: 'x' } }),
      object({ a: { description: 'y' } }),
      ['description-changed a'],
    ],
    [
      'white space',
      object({ a: { description: 'x  y' } }),
      object({ a: { description: ' x y' } }),
      ['white-space-changed a'],
    ],
    ['examples', { examples: [1] }, { examples: [2] }, ['presentation-changed']],
    ['further fields are refused', { type: 'object' }, object({}), ['unknown-fields-refused']],
    [
      'further fields are taken',
      object({}),
      { ...object({}), additionalProperties: true },
      ['unknown-fields-accepted'],
    ],
    [
      'further fields have to fit a schema',
      { type: 'object' },
      { type: 'object', additionalProperties: text },
      ['unknown-fields-refused'],
    ],
    [
      'further fields no longer have to',
      { type: 'object', additionalProperties: text },
      { type: 'object' },
      ['unknown-fields-accepted'],
    ],
    ['items', { items: { type: 'integer' } }, { items: { type: 'string' } }, ['type-changed []']],
    [
      'a field of an item',
      { items: object({}) },
      { items: object({ a: text }, 'a') },
      ['field-required-added [].a'],
    ],
    ['an alternative is gone', { anyOf: [text, { type: 'null' }] }, { anyOf: [text] }, ['type-narrowed']],
    ['an alternative is new', { oneOf: [text] }, { oneOf: [text, { type: 'null' }] }, ['type-widened']],
    ['a further condition', { allOf: [text] }, { allOf: [text, { minLength: 1 }] }, ['type-narrowed']],
    [
      'a value of an alternative',
      { anyOf: [text, { enum: [1, 2] }] },
      { anyOf: [text, { enum: [1] }] },
      ['value-removed'],
    ],
    ['a rule of another keyword', { not: { const: 1 } }, { not: { const: 2 } }, ['constraint-changed']],
  ];
  test.each(cases)('%s', (_, before, after, rules) => {
    expect(input(before, after)).toEqual(rules);
  });

  test('what the schema does not say of unknown fields counts for the whole, not for objects in it', () => {
    const holding = (properties: JsonSchema['properties']): JsonSchema => ({ properties: properties ?? {} });
    const before = holding({ gone: text, inner: holding({ lost: text }) });
    const after = holding({ inner: holding({}) });
    const found = compareSchemas({ before, after, direction: 'input', refusesUnknown: true });
    expect(found.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      'field-removed gone',
      'field-dropped inner.lost',
    ]);
  });

  test('references are followed, rings included', () => {
    const list = (item: JsonSchema): JsonSchema => ({
      ...object({ next: { $ref: '#/$defs/node' } }),
      $defs: { node: object({ value: item, next: { $ref: '#/$defs/node' } }) },
    });
    const found = input(list({ type: 'string' }), list({ type: 'number' }));
    expect(found).toContain('type-changed next.value');
    expect(new Set(found.map((entry) => entry.split(' ')[0]))).toEqual(new Set(['type-changed']));
  });
});

describe('of an output, more is worse and less is better', () => {
  const text = { type: 'string' };
  const cases: readonly (readonly [
    what: string,
    before: JsonSchema,
    after: JsonSchema,
    rules: readonly string[],
  ])[] = [
    ['a field is gone', object({ a: text }), object({}), ['output-field-removed a']],
    ['a field may be missing', object({ a: text }, 'a'), object({ a: text }), ['output-field-optional a']],
    ['a field is always there', object({ a: text }), object({ a: text }, 'a'), ['output-field-required a']],
    ['a field is new', object({}), object({ a: text }, 'a'), ['output-field-added a']],
    ['a value is new', { enum: ['a'] }, { enum: ['a', 'b'] }, ['output-value-added']],
    ['a value is gone', { enum: ['a', 'b'] }, { enum: ['a'] }, ['output-value-removed']],
    ['a further type', text, { type: ['string', 'null'] }, ['output-type-widened']],
    ['fewer types', { type: ['string', 'null'] }, text, ['output-type-narrowed']],
    ['a default means nothing', {}, { default: 1 }, []],
  ];
  test.each(cases)('%s', (_, before, after, rules) => {
    expect(output(before, after)).toEqual(rules);
  });
});

const scalar: fc.Arbitrary<JsonSchema> = fc.oneof(
  fc.record(
    {
      type: fc.constantFrom('integer', 'number'),
      minimum: fc.integer({ min: -3, max: 3 }),
      maximum: fc.integer({ min: -3, max: 5 }),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    {
      type: fc.constantFrom<string | string[]>('string', ['string', 'null']),
      minLength: fc.integer({ min: 0, max: 3 }),
      maxLength: fc.integer({ min: 0, max: 4 }),
      pattern: fc.constantFrom('^a', 'b'),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record({ enum: fc.uniqueArray(fc.constantFrom<unknown>('a', 'ab', 1, 2, null), { minLength: 1 }) }),
);

const schema: fc.Arbitrary<JsonSchema> = fc.letrec<{ node: JsonSchema; object: JsonSchema }>((tie) => ({
  object: fc
    .record({
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('node'), { maxKeys: 3 }),
      needs: fc.subarray(['a', 'b', 'c']),
    })
    .map(({ properties, needs }) => ({
      type: 'object',
      properties,
      required: needs.filter((name) => Object.hasOwn(properties, name)),
      // Where further fields are taken, a field that is new may meet one of the same name: that counts as safe
      additionalProperties: false,
    })),
  node: fc.oneof(
    { maxDepth: 2 },
    scalar,
    tie('object'),
    fc.record({ type: fc.constant('array'), items: tie('node') }),
    fc.record({ anyOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
  ),
})).object;

const value: fc.Arbitrary<unknown> = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<unknown>('a', 'ab', 'b', 'abcd', '', null, 0, 1, 2, 3, -1, 1.5, true),
    fc.array(tie('node'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('node'), { maxKeys: 3 }),
  ),
})).node;

describe('against a validator', () => {
  const ajv = new Ajv2020({ strict: false });

  test('nothing differs from itself', () => {
    fc.assert(fc.property(schema, (one) => input(one, one).length === 0 && output(one, one).length === 0));
  });

  test('a value that was taken is refused only where something is breaking', () => {
    let compared = 0;
    fc.assert(
      fc.property(
        schema,
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        fc.array(value, { minLength: 5, maxLength: 20 }),
        (before, edits, values) => {
          const after = edits.reduce((last, change) => change(last), before);
          const found = compareSchemas({ before, after, direction: 'input' });
          if (found.some(({ rule }) => RULES[rule].level === 'breaking')) return;
          compared += 1;
          const [takes, took] = [ajv.compile(after), ajv.compile(before)];
          for (const one of values) if (took(one)) expect([takes(one), one]).toEqual([true, one]);
        },
      ),
      { numRuns: tries(50, 500) },
    );
    expect(compared).toBeGreaterThan(tries(5, 50));
  });
});

type Edit = (schema: JsonSchema) => JsonSchema;

/** Takes away, raises or lowers one keyword anywhere in a schema. */
const edit: fc.Arbitrary<Edit> = fc
  .tuple(fc.nat(), fc.constantFrom('remove', 'raise', 'lower'))
  .map(([place, how]) => (schema) => {
    const copy = structuredClone(schema) as Record<string, unknown>;
    const places = keywordsIn(copy);
    const chosen = places[place % Math.max(1, places.length)];
    if (chosen === undefined) return copy;
    const [holder, keyword] = chosen;
    const current = holder[keyword];
    if (how === 'remove' || typeof current !== 'number') Reflect.deleteProperty(holder, keyword);
    else holder[keyword] = Math.max(0, current + (how === 'raise' ? 1 : -1));
    return copy;
  });

function keywordsIn(node: unknown): readonly (readonly [Record<string, unknown>, string])[] {
  if (Array.isArray(node)) return node.flatMap(keywordsIn);
  if (typeof node !== 'object' || node === null) return [];
  const holder = node as Record<string, unknown>;
  const editable = ['minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'required', 'enum'];
  const own = editable
    .filter((keyword) => Object.hasOwn(holder, keyword))
    .map((keyword) => [holder, keyword] as const);
  return [...own, ...Object.values(holder).flatMap(keywordsIn)];
}
