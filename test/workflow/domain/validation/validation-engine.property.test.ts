import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { WorkflowContext } from '../../../../src/workflow/domain/conditions/condition.ts';
import { InvalidCriteriaError } from '../../../../src/workflow/domain/errors/invalid-criteria-error.ts';
import type { ValidationCriteria } from '../../../../src/workflow/domain/validation/validation-criteria.ts';
import { ValidationEngine } from '../../../../src/workflow/domain/validation/validation-engine.ts';
import { valueAt } from '../../../../src/formats/schema/pointer.ts';

const engine = new ValidationEngine();

type Leaf = { type: 'contains'; value: string; message: string; condition?: { var: string } };
type Tree = Leaf | Tree[] | { and: Tree[] } | { or: Tree[] } | { not: Tree };

const leaf: fc.Arbitrary<Leaf> = fc
  .record({
    value: fc.constantFrom('a', 'b', 'c', 'd'),
    condition: fc.constantFrom(undefined, { var: 'on' }, { var: 'off' }),
  })
  .map(({ value, condition }) => ({
    type: 'contains',
    value,
    message: '',
    ...(condition === undefined ? {} : { condition }),
  }));

const { tree } = fc.letrec<{ tree: Tree }>((tie) => {
  const some = fc.array(tie('tree'), { minLength: 1, maxLength: 4 });
  return {
    tree: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      leaf,
      fc.array(tie('tree'), { maxLength: 4 }),
      some.map((and) => ({ and })),
      some.map((or) => ({ or })),
      tie('tree').map((not) => ({ not })),
    ),
  };
});
const output = fc.subarray(['a', 'b', 'c', 'd']).map((letters) => letters.join(''));
const context = { on: true, off: false };

/** 1 for pass, -1 for fail, 0 for skipped. */
type Three = 1 | 0 | -1;

/** The rules of the specification, word by word, without any care for speed. */
function verdict(node: Tree, text: string): Three {
  if (Array.isArray(node)) return allOf(node.map((child) => verdict(child, text)));
  if ('and' in node) return allOf(node.and.map((child) => verdict(child, text)));
  if ('or' in node) return -allOf(node.or.map((child) => -verdict(child, text) as Three)) as Three;
  if ('not' in node) return -verdict(node.not, text) as Three;
  if (node.condition?.var === 'off') return 0;
  return text.includes(node.value) ? 1 : -1;
}

function allOf(verdicts: readonly Three[]): Three {
  if (verdicts.includes(-1)) return -1;
  return verdicts.includes(1) ? 1 : 0;
}

/** `<code> <pointer>` of the leaves that make a part end as it does. */
function causes(node: Tree, text: string, path: string, negated: boolean): string[] {
  const ended = verdict(node, text);
  const below = (children: readonly Tree[], base: string): string[] =>
    children.flatMap((child, index) =>
      verdict(child, text) === ended ? causes(child, text, `${base}/${index}`, negated) : [],
    );
  if (Array.isArray(node)) return below(node, path);
  if ('and' in node) return below(node.and, `${path}/and`);
  if ('not' in node) return causes(node.not, text, `${path}/not`, !negated);
  if ('or' in node) {
    const first = node.or.findIndex((child) => verdict(child, text) === 1);
    if (first === -1) return below(node.or, `${path}/or`);
    return causes(node.or[first]!, text, `${path}/or/${first}`, negated);
  }
  return [`${negated ? 'FORBIDDEN_MATCH' : 'CONTAINS_MISSING'} ${path}`];
}

test('agrees with a model of the three verdicts, on the leaves as well', async () => {
  await fc.assert(
    fc.asyncProperty(tree, output, async (criteria, text) => {
      fc.pre(!(Array.isArray(criteria) && criteria.length === 0));
      const { valid, details } = await engine.validate(text, criteria, context);
      expect(valid).toBe(verdict(criteria, text) !== -1);
      expect(details.map(({ code, path }) => `${code} ${path}`)).toEqual(
        valid ? [] : causes(criteria, text, '', false),
      );
    }),
    { numRuns: 3000 },
  );
});

test('agrees with the model when each part is passed beneath a not', async () => {
  await fc.assert(
    fc.asyncProperty(tree, output, async (criteria, text) => {
      const inner = verdict(criteria, text);
      const { valid } = await engine.validate(text, { not: criteria }, context);
      expect(valid).toBe(inner !== 1);
      expect((await engine.validate(text, { not: { not: criteria } }, context)).valid).toBe(inner !== -1);
    }),
    { numRuns: 1000 },
  );
});

test('gives pointers to rules, an issue for each detail, and suggestions for every failure', async () => {
  await fc.assert(
    fc.asyncProperty(tree, output, async (criteria, text) => {
      const { valid, issues, suggestions, details } = await engine.validate(text, [criteria], context);
      for (const { path, ruleType } of details) {
        expect(valueAt([criteria], path)).toMatchObject({ type: ruleType });
      }
      expect(new Set(details.map(({ path }) => path)).size).toBe(details.length);
      expect(issues).toEqual(details.map(({ message }) => message));
      expect(suggestions.length > 0).toBe(!valid);
    }),
    { numRuns: 1000 },
  );
});

const member = fc.oneof(
  fc.anything({ maxDepth: 2 }),
  fc.constantFrom('contains', 'regex', 'length', 'schema'),
);
const oddRule = fc.dictionary(
  fc.constantFrom(
    'type',
    'message',
    'condition',
    'pattern',
    'flags',
    'value',
    'min',
    'max',
    'schema',
    'and',
    'not',
  ),
  member,
);
const odd = fc.oneof(
  fc.anything({
    withNullPrototype: true,
    withSparseArray: true,
    withDate: true,
    withMap: true,
    withBigInt: true,
  }),
  fc.array(oddRule, { maxLength: 3 }),
  oddRule,
  fc.string(),
);

test('throws nothing but InvalidCriteriaError, whatever it is given', async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.anything(), odd, fc.anything(), async (anyOutput, criteria, anyContext) => {
      const judged = engine.validate(
        anyOutput,
        criteria as ValidationCriteria,
        anyContext as WorkflowContext,
      );
      const result = await judged.catch((error: unknown) => error);
      if (result instanceof InvalidCriteriaError) {
        refused += 1;
        expect(result.path).toMatch(/^(\/.*)?$/su);
      } else {
        expect(result).toHaveProperty('valid');
      }
    }),
    { numRuns: 3000 },
  );
  expect(refused).toBeGreaterThan(0);
});

test('judges any output by a schema without throwing', async () => {
  const schema = { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } };
  const json = fc.oneof(fc.json(), fc.string(), fc.string({ unit: 'binary' }));
  await fc.assert(
    fc.asyncProperty(json, async (text) => {
      const { valid, details } = await engine.validate(text, { type: 'schema', schema, message: '' });
      expect(details).toHaveLength(valid ? 0 : 1);
    }),
    { numRuns: 1000 },
  );
});
