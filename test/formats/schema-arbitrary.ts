import fc from 'fast-check';
import type { Json } from './convert.ts';

/** A schema, and values of which most are likely to fit it. */
export interface Sample {
  readonly schema: Json;
  readonly value: fc.Arbitrary<unknown>;
}

const KEYS = ['a', 'b', 'c', 'd'] as const;

const words = fc.constantFrom('', 'a', 'bc', 'def', 'Z9');
const numbers = fc.integer({ min: -5, max: 7 });
const mixed = fc.constantFrom<unknown>(null, true, 'x', 3, -40);

const texts: fc.Arbitrary<Sample> = fc
  .record(
    { minLength: fc.nat(2), pattern: fc.constant('^[a-z]*$'), title: fc.constant('Text') },
    { requiredKeys: [] },
  )
  .map((more) => ({ schema: { type: 'string', ...more }, value: words }));

const integers: fc.Arbitrary<Sample> = fc
  .record(
    {
      minimum: fc.integer({ min: -3, max: 0 }),
      maximum: fc.integer({ min: 1, max: 5 }),
      exclusiveMinimum: fc.integer({ min: -3, max: 0 }),
      multipleOf: fc.constant(2),
    },
    { requiredKeys: [] },
  )
  .map((more) => ({ schema: { type: 'integer', ...more }, value: numbers }));

const listed: fc.Arbitrary<Sample> = fc
  .uniqueArray(fc.constantFrom<unknown>('x', 'y', 1, 2.5, true, false, null), { minLength: 1, maxLength: 3 })
  .map((values) => ({ schema: { enum: values }, value: fc.constantFrom(...values, 'x', 1) }));

const constant: fc.Arbitrary<Sample> = fc
  .constantFrom<unknown>('x', 7, false, null)
  .map((value) => ({ schema: { const: value }, value: fc.constantFrom(value, 'y') }));

const several: fc.Arbitrary<Sample> = fc
  .subarray(['string', 'integer', 'boolean', 'null'], { minLength: 2 })
  .map((types) => ({
    schema: { type: types },
    value: mixed,
  }));

/** Lists that say little or nothing of their items. */
const bareLists: fc.Arbitrary<Sample> = fc
  .record(
    {
      type: fc.constantFrom<unknown>('array', ['array', 'null'], ['array', 'string']),
      prefixItems: fc.constantFrom([{ type: 'string' }], [{ type: 'integer' }, {}]),
      items: fc.constant(false),
      maxItems: fc.constant(3),
      anyOf: fc.constantFrom<unknown>(
        [{ minItems: 1 }, { items: { type: 'string' } }],
        [{ type: 'array', items: { type: 'integer' } }, { type: 'null' }],
      ),
    },
    { requiredKeys: ['type'] },
  )
  .map((schema) => ({ schema, value: fc.oneof(fc.array(mixed, { maxLength: 3 }), mixed) }));

const structures: readonly unknown[] = [{ z: 1 }, { a: 'x', b: [null] }, {}, [1, 'x'], []];

const listedStructures: fc.Arbitrary<Sample> = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...structures, 'x', 1, null), { minLength: 1, maxLength: 3 }),
    fc.constantFrom<Json>({}, { type: ['object', 'array', 'string'] }, { description: 'One of few.' }),
  )
  .map(([values, more]) => ({
    schema: { ...more, ...(values.length === 1 ? { const: values[0] } : { enum: values }) },
    value: fc.constantFrom(...values, 'y'),
  }));

/** Of which no target loses anything. */
const simple: fc.Arbitrary<Sample> = fc.constantFrom(
  { schema: { type: 'string' }, value: words },
  { schema: { type: 'integer' }, value: numbers },
  { schema: { type: 'boolean' }, value: mixed },
);

const never = { schema: { not: {} }, value: fc.constant(0) };

/** Objects with nothing but what they declare: to close them changes nothing. */
function objects(part: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc
    .record({
      members: fc.dictionary(fc.constantFrom(...KEYS), part, {
        minKeys: 1,
        maxKeys: 3,
        noNullPrototype: true,
      }),
      required: fc.subarray([...KEYS]),
      isClosed: fc.boolean(),
    })
    .map(({ members, required, isClosed }) => objectOf(members, required, isClosed));
}

function objectOf(
  members: Readonly<Record<string, Sample>>,
  wanted: readonly string[],
  isClosed: boolean,
): Sample {
  const entries = Object.entries(members);
  const required = wanted.filter((key) => Object.hasOwn(members, key));
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([key, { schema }]) => [key, schema])),
      ...(required.length > 0 && { required }),
      ...(isClosed && { additionalProperties: false }),
    },
    value: fc.record(Object.fromEntries(entries.map(([key, { value }]) => [key, value])), {
      requiredKeys: required,
      noNullPrototype: true,
    }),
  };
}

function unions(part: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc
    .tuple(fc.constantFrom('anyOf', 'oneOf'), fc.array(part, { minLength: 1, maxLength: 3 }))
    .map(([keyword, parts]) => ({
      schema: { [keyword]: parts.map(({ schema }) => schema) },
      value: fc.oneof(...parts.map(({ value }) => value)),
    }));
}

function lists(part: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc
    .tuple(
      part,
      fc.record({ minItems: fc.nat(2), maxItems: fc.integer({ min: 1, max: 3 }) }, { requiredKeys: [] }),
    )
    .map(([{ schema, value }, more]) => ({
      schema: { type: 'array', items: schema, ...more },
      value: fc.array(value, { maxLength: 3 }),
    }));
}

/** Schemas of any depth with these at their ends. */
function nested(leaf: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  const { inner } = fc.letrec<{ inner: Sample }>((tie) => ({
    inner: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      objects(tie('inner')),
      unions(tie('inner')),
      lists(tie('inner')),
      tie('inner').map(({ schema, value }) => ({ schema: { ...schema, description: 'Some.' }, value })),
    ),
  }));
  return inner;
}

/** The schema of arguments, with one definition that any property may refer to. */
function rootsOf(inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc.tuple(objects(inner), inner).map(([root, shared]) => {
    const properties = { ...(root.schema.properties as Json), shared: { $ref: '#/$defs/Shared' } };
    return {
      schema: { ...root.schema, properties, $defs: { Shared: shared.schema } },
      value: fc
        .tuple(root.value, fc.option(shared.value, { nil: undefined }))
        .map(([value, held]) => ({ ...(value as Json), ...(held !== undefined && { shared: held }) })),
    };
  });
}

export const argumentSamples = rootsOf(nested(fc.oneof(simple, texts, integers, listed, constant, several)));

/** Schemas with lists of no declared items, and with listed objects and lists. */
export const oddSamples = rootsOf(nested(fc.oneof(simple, listed, bareLists, listedStructures)));

/** A schema of arguments, and arguments of which most fit it. */
export interface Probe {
  readonly schema: Json;
  readonly values: readonly unknown[];
}

const probesOf = (samples: fc.Arbitrary<Sample>): fc.Arbitrary<Probe> =>
  samples.chain(({ schema, value }) =>
    fc.array(value, { minLength: 4, maxLength: 4 }).map((values) => ({ schema, values })),
  );

export const argumentsFor = probesOf(argumentSamples);

/** The same, with many schemas of which no target loses anything: any richer one loses something somewhere. */
export const argumentsForModest = fc.oneof(argumentsFor, probesOf(rootsOf(nested(simple))));

/** Any schema of the kind that strangers write, valid or not for any value. */
export const anySchemas: fc.Arbitrary<Json> = fc
  .tuple(
    argumentSamples,
    fc.subarray(
      Object.entries({
        not: never.schema,
        minProperties: 1,
        'x-order': 1,
        patternProperties: { '^z': { type: 'string' } },
        anyOf: [{ required: ['a'] }, { type: 'object', properties: { e: {} } }],
        $schema: 'http://json-schema.org/draft-07/schema#',
        deprecated: true,
        default: {},
      }),
    ),
  )
  .map(([{ schema }, more]) => ({ ...schema, ...Object.fromEntries(more) }));

/** The same JSON with the keys of every object in another order. */
export function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, shuffled(member)] as const)
      .reverse(),
  );
}
