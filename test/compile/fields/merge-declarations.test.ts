import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { generateSchema, generateFlatSchema, mergeOutputSchemas } from '../tools/first-problem.ts';
import type { JsonSchema, ObjectSchema } from '../../../src/shared/json-schema.ts';
import { fields, toolOfFieldX, makeAction, makeTool } from '../tools/make-facts.ts';
import { mergeTable } from './merge-table.ts';
import { ProblemList } from '../../../src/errors/problem-list.ts';
import { POOL, record, scalar, schemas, values } from './arbitrary-schemas.ts';
import { tries } from '../../support/thorough.ts';

function mergedX(...schemas: readonly JsonSchema[]): JsonSchema {
  const { description, ...merged } = generateSchema(toolOfFieldX(...schemas)).properties?.['x'] ?? {};
  expect(description).toContain('one');
  return merged;
}

const string = { type: 'string' };
const nullish = { type: 'null' };

test.each(mergeTable)('%s', (_, schemas, merged) => {
  expect(mergedX(...schemas)).toEqual(merged);
});

test('nested objects have all properties and require what all of them require', () => {
  const one = fields({ a: { type: 'integer' }, b: string, 'c?': string }, { additionalProperties: false });
  const two = fields({ a: { type: 'number' }, d: string }, { additionalProperties: false });
  expect(mergedX(one, two)).toEqual({
    type: 'object',
    properties: { a: { type: 'number' }, b: string, c: string, d: string },
    required: ['a'],
    additionalProperties: false,
  });
});

test('nested declarations keep the first description and drop differing defaults', () => {
  const one = fields({ 'a?': { ...string, description: 'First', default: 'x' } });
  const two = fields({ 'a?': { ...string, description: 'Second', default: 'y' } });
  expect(mergedX(one, two).properties).toEqual({ a: { ...string, description: 'First' } });
});

test('a nested object that accepts any further field makes the fields of the other one any', () => {
  const one = fields({ a: string }, { additionalProperties: false });
  const two = fields({ 'b?': string }, { additionalProperties: true });
  expect(mergedX(one, two)).toEqual({
    type: 'object',
    properties: { a: {}, b: string },
    additionalProperties: true,
  });
});

test('records merge their value types', () => {
  const record = (type: string) => ({ type: 'object', additionalProperties: { type } });
  expect(mergedX(record('integer'), record('number'))).toEqual(record('number'));
});

test('an enum beside an unrestricted type of another kind stays inside the field as anyOf', () => {
  const schema = {
    anyOf: [
      { ...string, enum: ['auto'] },
      { type: 'integer', minimum: 1 },
    ],
  };
  expect(mergedX(schema, { type: 'integer' })).toEqual({
    anyOf: [{ ...string, enum: ['auto'] }, { type: 'integer' }],
  });
});

const forOne = { description: 'For: one' };
const forTwo = { description: 'For: two' };

test.each<[string, JsonSchema, JsonSchema, readonly JsonSchema[]]>([
  [
    'string with number',
    string,
    { type: 'number' },
    [
      { ...string, ...forOne },
      { type: 'number', ...forTwo },
    ],
  ],
  [
    'array with object',
    { type: 'array' },
    { type: 'object' },
    [
      { type: 'array', ...forOne },
      { type: 'object', ...forTwo },
    ],
  ],
  [
    'two nullable types',
    { type: ['string', 'null'] },
    { type: ['number', 'null'] },
    [
      { ...string, ...forOne },
      { ...nullish, description: 'For: one, two' },
      { type: 'number', ...forTwo },
    ],
  ],
  [
    'string enum with number enum',
    { enum: ['1'] },
    { enum: [1] },
    [
      { ...string, enum: ['1'], ...forOne },
      { type: 'integer', enum: [1], ...forTwo },
    ],
  ],
  [
    'null with string',
    nullish,
    string,
    [
      { ...nullish, ...forOne },
      { ...string, ...forTwo },
    ],
  ],
])('%s: each type names its actions', (_, left, right, anyOf) => {
  expect(mergedX(left, right)).toEqual({ anyOf });
});

test('the first declaration with a description gives the description', () => {
  const merged = (...texts: readonly string[]) =>
    generateSchema(toolOfFieldX(...texts.map((description) => ({ ...string, description })))).properties?.[
      'x'
    ]?.description;
  expect(merged('First', 'Second')).toBe('First. Required for: one, two');
  expect(merged('', 'Second')).toBe('Second. Required for: one, two');
});

test('recursive types that differ keep their type only', () => {
  const list = (value: string): JsonSchema =>
    fields(
      { x: { $ref: '#/$defs/List' } },
      { $defs: { List: fields({ v: { type: value }, 'next?': { $ref: '#/$defs/List' } }) } },
    );
  const [one, two] = toolOfFieldX({}, {}).actions;
  if (one === undefined || two === undefined) throw new Error('two actions expected');
  const merged = generateSchema({
    ...toolOfFieldX({}),
    actions: [
      { ...one, own: { ...list('string'), type: 'object' } },
      { ...two, own: { ...list('number'), type: 'object' } },
    ],
  });
  expect(merged.properties?.['x']).toEqual({ type: 'object', description: 'Required for: one, two' });
  expect(merged.$defs).toBeUndefined();
});

const ajv = new Ajv2020({ strict: false, logger: false, addUsedSchema: false });

function accepts(schema: JsonSchema, value: unknown): boolean {
  return ajv.compile(schema)(value);
}

/** The objects as actions take them: root fields only, nothing beside them. */
const inputs = schemas.object.map((schema): ObjectSchema => ({ ...schema, additionalProperties: false }));
const inputLists = fc.array(inputs, { minLength: 1, maxLength: 3 });

function toolOf(owns: readonly ObjectSchema[]) {
  return makeTool(owns.map((own, index) => makeAction(`k${String(index)}`, { own })));
}

const RUNS = { numRuns: 120 };

test('a merged field accepts whatever the field of at least one action accepts', () => {
  fc.assert(
    fc.property(fc.array(schemas.any, { minLength: 1, maxLength: 4 }), (declared) => {
      const owns = declared.map((x): ObjectSchema => ({ type: 'object', properties: { x } }));
      const merged = generateSchema(toolOf(owns), new ProblemList()).properties?.['x'] ?? {};
      const isMergedValid = ajv.compile(merged);
      for (const schema of declared) {
        const isValid = ajv.compile(schema);
        const refused = POOL.filter((value) => isValid(value) && !isMergedValid(value));
        expect({ schema, refused }).toEqual({ schema, refused: [] });
      }
    }),
    { numRuns: tries(50, 300) },
  );
});

test('the merged schema accepts whatever the schema of at least one action accepts', () => {
  fc.assert(
    fc.property(inputLists, fc.array(record(values), { minLength: 1, maxLength: 8 }), (owns, args) => {
      const merged = generateSchema(toolOf(owns), new ProblemList());
      for (const [index, own] of owns.entries()) {
        for (const arg of args.filter((candidate) => accepts(own, candidate))) {
          expect(accepts(merged, { action: `k${String(index)}`, ...arg })).toBe(true);
        }
      }
    }),
    RUNS,
  );
});

test('the merged schema of one action accepts exactly the same values for its fields', () => {
  fc.assert(
    fc.property(inputs, fc.array(record(values), { minLength: 1, maxLength: 8 }), (own, args) => {
      const flat = { ...generateFlatSchema([own]), additionalProperties: false };
      for (const arg of args) expect(accepts(flat, arg)).toBe(accepts(own, arg));
    }),
    RUNS,
  );
});

test('a merged output schema accepts what each action may return', () => {
  fc.assert(
    fc.property(inputLists, fc.array(record(values), { minLength: 1, maxLength: 8 }), (owns, outputs) => {
      const merged = mergeOutputSchemas(owns.map((schema, index) => ({ key: String(index), schema })));
      for (const own of owns) {
        for (const output of outputs.filter((candidate) => accepts(own, candidate))) {
          expect(accepts(merged ?? {}, output)).toBe(true);
        }
      }
    }),
    RUNS,
  );
});

test('a root union or intersection accepts what its parts accept', () => {
  const open = schemas.object.map(({ additionalProperties: _, ...schema }) => schema);
  const roots = fc.tuple(fc.constantFrom('anyOf', 'oneOf', 'allOf'), inputs, open, open);
  fc.assert(
    fc.property(roots, ([keyword, base, left, right]) => {
      const branches =
        keyword === 'allOf'
          ? [left, right]
          : [left, right].map((branch) => ({
              ...branch,
              properties: { ...base.properties, ...branch.properties },
              additionalProperties: false,
            }));
      const own: ObjectSchema = { type: 'object', [keyword]: branches };
      const isValid = ajv.compile(own);
      const isFlatValid = ajv.compile(generateFlatSchema([own]));
      expect(POOL.filter((value) => isValid(value) && !isFlatValid(value))).toEqual([]);
    }),
    RUNS,
  );
});

test('whether types conflict does not depend on the order of the actions', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(scalar, scalar), { minLength: 2, maxLength: 4 }),
      fc.nat(3),
      (pairs, turn) => {
        const conflicts = (declared: readonly (readonly [JsonSchema, JsonSchema])[]): number => {
          const problems = new ProblemList();
          const owns = declared.map(([a, b]): ObjectSchema => ({
            type: 'object',
            properties: { a, b: { type: 'array', items: b } },
          }));
          generateSchema(toolOf(owns), problems);
          return problems.problems.length;
        };
        expect(conflicts([...pairs.slice(turn), ...pairs.slice(0, turn)])).toBe(conflicts(pairs));
        expect(conflicts([...pairs].reverse())).toBe(conflicts(pairs));
      },
    ),
    RUNS,
  );
});

test('merging a field with itself changes nothing', () => {
  fc.assert(
    fc.property(inputs, (own) => {
      const fieldsOf = (owns: readonly ObjectSchema[]) => {
        const { action: _, ...properties } = generateSchema(toolOf(owns)).properties ?? {};
        return Object.entries(properties).map(([name, { description: __, ...schema }]) => [name, schema]);
      };
      expect(fieldsOf([own, own])).toEqual(fieldsOf([own]));
    }),
    RUNS,
  );
});

test('the root has type, properties and required only, whatever the actions look like', () => {
  fc.assert(
    fc.property(fc.array(schemas.union, { minLength: 1, maxLength: 3 }), (roots) => {
      const owns = roots.map((root): ObjectSchema => ({ ...root, type: 'object' }));
      const merged = generateSchema(toolOf(owns), new ProblemList());
      expect(Object.keys(merged)).toEqual(['type', 'properties', 'required']);
      expect(JSON.stringify(generateSchema(toolOf(structuredClone(owns)), new ProblemList()))).toBe(
        JSON.stringify(merged),
      );
    }),
    RUNS,
  );
});
