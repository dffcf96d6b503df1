import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { evaluateCondition } from '../../../../src/workflow/domain/conditions/evaluate-condition.ts';
import { validateCondition } from '../../../../src/workflow/domain/conditions/condition-check.ts';
import { tries } from '../../../support/thorough.ts';

type Json = Record<string, unknown>;

const names = fc.constantFrom('a', 'b', 'c', 'toString', '__proto__');
const values = fc.oneof(
  fc.integer({ min: -2, max: 2 }),
  fc.constantFrom('', 'x', null, true, false, [1], { n: 1 }),
);
const contexts = fc
  .array(fc.tuple(names, values), { maxLength: 4 })
  .map((entries) => Object.fromEntries(entries) as Json);

const { condition: conditions } = fc.letrec<{ condition: Json }>((tie) => {
  const several = fc.array(tie('condition'), { maxLength: 3 });
  const comparisons = fc.record(
    { equals: values, not_equals: values, gt: values, gte: values, lt: values, lte: values },
    { requiredKeys: [] },
  );
  const compared = fc.tuple(names, comparisons).map(([name, rest]) => ({ var: name, ...rest }));
  const composed = fc.record({ and: several, or: several, not: tie('condition') }, { requiredKeys: [] });
  return {
    condition: fc.oneof(
      { maxDepth: 5 },
      compared,
      composed,
      fc.tuple(compared, composed).map(([left, right]) => ({ ...left, ...right })),
    ),
  };
});

function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function numbers(left: unknown, right: unknown): boolean {
  return typeof left === 'number' && typeof right === 'number';
}

/** What each operator says of the operand, and of the variable, which is a list of one or none. */
const OPERATORS: Readonly<
  Record<string, (operand: unknown, variable: readonly unknown[], context: Json) => boolean>
> = {
  equals: (operand, variable) => variable.some((value) => same(value, operand)),
  not_equals: (operand, variable) => !variable.some((value) => same(value, operand)),
  gt: (operand, [value]) => numbers(value, operand) && (value as number) > (operand as number),
  gte: (operand, [value]) => numbers(value, operand) && (value as number) >= (operand as number),
  lt: (operand, [value]) => numbers(value, operand) && (value as number) < (operand as number),
  lte: (operand, [value]) => numbers(value, operand) && (value as number) <= (operand as number),
  and: (operand, _, context) => (operand as Json[]).every((child) => model(child, context)),
  or: (operand, _, context) => (operand as Json[]).some((child) => model(child, context)),
  not: (operand, _, context) => !model(operand as Json, context),
};

/** What the words of the rule say, without any care for malformed parts or depth. */
function model(condition: Json, context: Json): boolean {
  const variable = Object.entries(context).flatMap(([name, value]) =>
    name === condition.var ? [value] : [],
  );
  const isCompared = /equals|[gl]te?/.test(Object.keys(condition).join());
  return Object.entries(condition).every(([name, operand]) =>
    name === 'var' ? isCompared || Boolean(variable[0]) : OPERATORS[name]!(operand, variable, context),
  );
}

function isRefused(condition: unknown): boolean {
  try {
    validateCondition(condition);
    return false;
  } catch {
    return true;
  }
}

describe('conditions', () => {
  test('mean what the rule says, frozen or not', () => {
    fc.assert(
      fc.property(conditions, contexts, (condition, context) => {
        const expected = model(condition, context);
        expect(evaluateCondition(condition, context)).toBe(expected);
        expect(isRefused(condition)).toBe(false);
        const frozen = JSON.parse(JSON.stringify(condition), (_, value: unknown) =>
          Object.freeze(value),
        ) as Json;
        expect(evaluateCondition(frozen, context)).toBe(expected);
        expect(evaluateCondition(frozen, context)).toBe(expected);
      }),
      { numRuns: tries(100, 1000) },
    );
  });

  test('never make anything throw, whatever stands in their place', () => {
    const anything = fc.anything({
      withNullPrototype: true,
      withMap: true,
      withDate: true,
      withBigInt: true,
    });
    fc.assert(
      fc.property(anything, anything, (condition, context) => {
        expect(typeof evaluateCondition(condition, context)).toBe('boolean');
        expect(typeof evaluateCondition({ or: [{}, condition] }, context)).toBe('boolean');
      }),
      { numRuns: tries(100, 1000) },
    );
  });

  test('do not hold, nor their opposites, exactly when the check refuses them', () => {
    const operands = fc.oneof(conditions, fc.jsonValue({ maxDepth: 3 }));
    const loose = fc.dictionary(
      fc.constantFrom('var', 'equals', 'gt', 'and', 'or', 'not', 'foo'),
      fc.oneof(operands, fc.array(operands, { maxLength: 2 }), names),
    );
    fc.assert(
      fc.property(fc.oneof(loose, operands), contexts, (condition, context) => {
        fc.pre(condition !== null);
        const holds = [condition, { not: condition }].filter((each) => evaluateCondition(each, context));
        expect(holds).toHaveLength(isRefused(condition) ? 0 : 1);
      }),
      { numRuns: tries(100, 1000) },
    );
  });
});
