import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { generateSchema, joinObjectSchemas } from '../tools/first-problem.ts';
import { generateDescription } from '../../../src/compile/tools/describe-tool.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import { descriptionsOf, fields, makeAction, makeTool } from '../tools/make-facts.ts';
import { tries } from '../../support/thorough.ts';

const string = { type: 'string' };
const tag = (...values: readonly unknown[]): JsonSchema =>
  values.length === 1 ? { const: values[0] } : { enum: values };
const a = fields({ kind: tag('a'), x: string });
const b = fields({ kind: tag('b'), y: string });

function needs(...schemas: readonly JsonSchema[]): string {
  const joined = joinObjectSchemas(schemas);
  const action = makeAction('do', { own: joined?.schema, branches: joined?.branches });
  return generateDescription(makeTool([action])).split("- 'do': ")[1] ?? '';
}

test.each<[string, JsonSchema, string]>([
  ['a tag in oneOf', { oneOf: [a, b] }, 'Requires: kind; with kind "a": x; with kind "b": y'],
  ['a tag in anyOf', { anyOf: [a, b] }, 'Requires: kind; with kind "a": x; with kind "b": y'],
  [
    'branches behind references',
    { oneOf: [{ $ref: '#/$defs/A' }, b], $defs: { A: a } },
    'Requires: kind; with kind "a": x; with kind "b": y',
  ],
  [
    'branches that need the same',
    { oneOf: [a, b, fields({ kind: tag('c', 'd'), x: string }), fields({ kind: tag('e') })] },
    'Requires: kind; with kind "a" or "c" or "d": x; with kind "b": y',
  ],
  [
    'tags of several types, one of them optional',
    { oneOf: [fields({ 'n?': tag(1), x: string }), fields({ 'n?': tag(null, true), y: string })] },
    'Requires: with n 1: x; with n null or true: y',
  ],
  [
    'a union within a branch, of the same tag',
    { oneOf: [{ oneOf: [a, b] }, fields({ kind: tag('c'), z: string })] },
    'Requires: kind; with kind "c": z; with kind "a": x; with kind "b": y',
  ],
  [
    'a union within a branch, of another tag',
    {
      oneOf: [
        { allOf: [a, { oneOf: [fields({ by: tag(1), u: string }), fields({ by: tag(2) })] }] },
        fields({ kind: tag('b'), y: string }),
      ],
    },
    'Requires: kind; with kind "a": x, by; with kind "b": y; with kind "a" and by 1: u',
  ],
  [
    'two unions side by side',
    { allOf: [{ oneOf: [a, b] }, { oneOf: [fields({ by: tag(1), u: string }), fields({ by: tag(2) })] }] },
    'Requires: kind, by; with kind "a": x; with kind "b": y; with by 1: u',
  ],
  [
    'what is required outside of the union, or has a default',
    { ...fields({ x: string, 'y?': { ...string, default: '' } }), oneOf: [a, b] },
    'Requires: x, kind',
  ],
  [
    'values that overlap',
    { anyOf: [fields({ kind: tag('a', 'b'), x: string }), fields({ kind: tag('b') })] },
    'Requires: kind',
  ],
  [
    'a tag that one branch leaves open',
    { anyOf: [a, b, fields({ kind: string, z: string })] },
    'Requires: kind',
  ],
  ['a union of one branch', { anyOf: [a] }, 'Requires: kind, x'],
])('says what is needed with %s', (_, schema, expected) => {
  expect(needs(schema)).toBe(expected);
});

test('leaves out what a later schema declares again', () => {
  expect(needs({ oneOf: [a, b] }, fields({ 'x?': string }))).toBe('Requires: kind; with kind "b": y');
});

test('leaves out what the common schema requires, unless the action declares it again', () => {
  const undeclared = { ...fields({ kind: tag('a') }), required: ['kind', 'x'] };
  const told = [undeclared, a].map((branch) => {
    const joined = joinObjectSchemas([{ oneOf: [branch, b] }]);
    const action = makeAction('do', { own: joined?.schema, branches: joined?.branches });
    const tool = makeTool([action], { common: fields({ x: string }) });
    return [generateDescription(tool).split("- 'do': ")[1], descriptionsOf(generateSchema(tool))['x']];
  });
  expect(told).toEqual([
    ['Requires: kind; with kind "b": y', '(always required)'],
    ['Requires: kind; with kind "a": x; with kind "b": y', 'For: do. Required for do with kind "a"'],
  ]);
});

test('names the branches of a common schema in its fields', () => {
  const common = { type: 'object', oneOf: [a, b] } as const;
  expect(
    descriptionsOf(generateSchema(makeTool([makeAction('one'), makeAction('two')], { common }))),
  ).toMatchObject({
    kind: '(always required)',
    x: 'For: one, two. Required with kind "a"',
  });
});

test('names the actions that need a field with the same tag together', () => {
  const joined = joinObjectSchemas([{ oneOf: [a, b] }]);
  const other = joinObjectSchemas([{ oneOf: [a, fields({ kind: tag('c'), x: string })] }]);
  const actions = ['one', 'two', 'three'].map((key, index) =>
    makeAction(key, index < 2 ? { own: joined?.schema, branches: joined?.branches } : { own: other?.schema }),
  );
  expect(descriptionsOf(generateSchema(makeTool(actions)))).toMatchObject({
    x: 'Required for: three. For: one, two. Required for one, two with kind "a"',
    y: 'For: one, two. Required for one, two with kind "b"',
  });
});

const NAMES = ['p', 'q', 'r', 's'];
const branchList = fc.uniqueArray(
  fc.record({
    value: fc.constantFrom<unknown>('a', 'b', 1, null, true),
    required: fc.subarray(NAMES),
    isInner: fc.boolean(),
  }),
  { selector: ({ value }) => String(value), minLength: 2, maxLength: 4 },
);

test('a call with a tag is refused without any of the listed fields, and accepted with all of them', () => {
  const ajv = new Ajv2020({ strict: false, logger: false });
  fc.assert(
    fc.property(branchList, fc.subarray(NAMES), (branches, outside) => {
      const schemas = branches.map(({ value, required, isInner }): JsonSchema => ({
        ...fields({ t: tag(value) }, { ...(isInner ? { allOf: [{ required }] } : {}) }),
        ...(isInner ? {} : { required: ['t', ...required] }),
      }));
      const schema: JsonSchema = { type: 'object', required: outside, oneOf: schemas };
      const joined = joinObjectSchemas([schema]);
      const isValid = ajv.compile(schema);
      for (const { value } of branches) {
        const told = (joined?.branches ?? []).filter(({ when }) => when[0]?.values.includes(value));
        const always = joined?.schema.required ?? [];
        const needed = [...new Set([...always, ...told.flatMap(({ required }) => required)])];
        const call = Object.fromEntries(needed.map((name) => [name, name === 't' ? value : 'text']));
        expect(isValid(call)).toBe(true);
        for (const name of needed) {
          expect(isValid(Object.fromEntries(Object.entries(call).filter(([key]) => key !== name)))).toBe(
            false,
          );
        }
      }
    }),
    { numRuns: tries(50, 200) },
  );
});
