import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { generateFlatSchema, generateSchema, mergeOutputSchemas } from '../tools/first-problem.ts';
import { ProblemList } from '../../../src/errors/problem-list.ts';
import type { JsonSchema, ObjectSchema } from '../../../src/shared/json-schema.ts';
import { POOL, record, scalar, schemas, values } from './arbitrary-schemas.ts';
import { makeAction, makeTool } from '../tools/make-facts.ts';

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
    { numRuns: 300 },
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
