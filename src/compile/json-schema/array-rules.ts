import type { Constraint } from '../../shape/shape.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import type { ConstraintRules, Loss } from './constraint-rule.ts';

export const arrayRules: ConstraintRules = {
  arrayMinSize: ({ args }) => size('minItems', Math.ceil(Number(args[0]))),
  arrayMaxSize: ({ args }) => size('maxItems', Math.floor(Number(args[0]))),
  arrayNotEmpty: () => ({ minItems: 1 }),
  arrayUnique: unique,
  arrayContains: ({ args }) => withAll(valuesOf(args[0])),
  arrayNotContains: ({ args }) => withNone(valuesOf(args[0])),
};

function size(keyword: 'minItems' | 'maxItems', count: number): JsonSchema {
  return Number.isFinite(count) && count >= 0 ? { [keyword]: count } : {};
}

function withAll(values: readonly unknown[]): JsonSchema {
  return values.length === 0 ? {} : { allOf: values.map((value) => ({ contains: { const: value } })) };
}

function withNone(values: readonly unknown[]): JsonSchema {
  return values.length === 0 ? {} : { not: { contains: { enum: values } } };
}

function valuesOf(values: unknown): readonly unknown[] {
  return Array.isArray(values) ? (values as readonly unknown[]) : [];
}

/** With an identifier, items may be different and still count as equal. */
function unique(constraint: Constraint): JsonSchema | Loss {
  return comparesWhole(constraint)
    ? { uniqueItems: true }
    : { loss: 'must not have two items of the same identity' };
}

// The identifier is hidden in the validator; two objects without any members give it away.
function comparesWhole(constraint: Constraint): boolean {
  try {
    return constraint.validate([{}, {}], {}) === true;
  } catch {
    return false;
  }
}
