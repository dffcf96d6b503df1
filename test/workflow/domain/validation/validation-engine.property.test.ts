import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { WorkflowContext } from '../../../../src/workflow/domain/conditions/condition.ts';
import { InvalidCriteriaError } from '../../../../src/workflow/domain/errors/workflow-error.ts';
import type { ValidationCriteria } from '../../../../src/workflow/domain/validation/output-validator.ts';
import { ValidationEngine } from '../../../../src/workflow/domain/validation/validation-engine.ts';
import { valueAt } from '../../../../src/schema/pointer.ts';
import { causes, context, letters, tree, verdict, type Leaf } from './criteria-model.ts';
import { tries } from '../../../support/thorough.ts';

const engine = new ValidationEngine();

const contained =
  (text: string) =>
  ({ value }: Leaf): boolean =>
    text.includes(value);

test('agrees with a model of the three verdicts, on the leaves as well', async () => {
  await fc.assert(
    fc.asyncProperty(tree, letters, async (criteria, text) => {
      fc.pre(!(Array.isArray(criteria) && criteria.length === 0));
      const { valid, details } = await engine.validate(text, criteria, context);
      expect(valid).toBe(verdict(criteria, contained(text)) !== -1);
      expect(details.map(({ code, path }) => `${code} ${path}`)).toEqual(
        valid ? [] : causes(criteria, contained(text)),
      );
    }),
    { numRuns: tries(300, 3000) },
  );
});

test('agrees with the model when each part is passed beneath a not', async () => {
  await fc.assert(
    fc.asyncProperty(tree, letters, async (criteria, text) => {
      const inner = verdict(criteria, contained(text));
      const { valid } = await engine.validate(text, { not: criteria }, context);
      expect(valid).toBe(inner !== 1);
      expect((await engine.validate(text, { not: { not: criteria } }, context)).valid).toBe(inner !== -1);
    }),
    { numRuns: tries(100, 1000) },
  );
});

test('gives pointers to rules, an issue for each detail, and suggestions for every failure', async () => {
  await fc.assert(
    fc.asyncProperty(tree, letters, async (criteria, text) => {
      const { valid, issues, suggestions, details } = await engine.validate(text, [criteria], context);
      for (const { path, ruleType } of details) {
        expect(valueAt([criteria], path)).toMatchObject({ type: ruleType });
      }
      expect(new Set(details.map(({ path }) => path)).size).toBe(details.length);
      expect(issues).toEqual(details.map(({ message }) => message));
      expect(suggestions.length > 0).toBe(!valid);
    }),
    { numRuns: tries(100, 1000) },
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
    { numRuns: tries(300, 3000) },
  );
  expect(refused).toBeGreaterThan(0);
});

test('checks any output by a schema without throwing', async () => {
  const schema = { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } };
  const json = fc.oneof(fc.json(), fc.string(), fc.string({ unit: 'binary' }));
  await fc.assert(
    fc.asyncProperty(json, async (text) => {
      const { valid, details } = await engine.validate(text, { type: 'schema', schema, message: '' });
      expect(details).toHaveLength(valid ? 0 : 1);
    }),
    { numRuns: tries(100, 1000) },
  );
});
