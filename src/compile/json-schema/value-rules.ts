import type { Constraint, ScalarType } from '../../shape/shape.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { lossOf, type ConstraintRules, type Loss } from './constraint-rule.ts';
import { enumOf, typesOfValues } from './json-types.ts';

/** Validators that name the values they accept or refuse. */
export const valueRules: ConstraintRules = {
  isIn: ({ args }, type) => allowed(args[0], type),
  isNotIn: ({ args }) => refused(args[0]),
  equals: (constraint, type) =>
    isScalar(constraint.args[0]) ? single(constraint.args[0], type) : lossOf(constraint),
  notEquals: ({ args }) => refused([args[0]]),
  isEmpty: () => ({ enum: ['', null] }),
  isNotEmpty: (_, type) => notEmpty(type),
  isDefined: (_, type) => (type === 'any' ? { not: { type: 'null' } } : {}),
  isInstance: instance,
};

function allowed(values: unknown, type: ScalarType): JsonSchema {
  const scalars = (Array.isArray(values) ? (values as readonly unknown[]) : []).filter(isScalar);
  return { ...(type === 'any' ? typesOfValues(scalars) : {}), ...enumOf([...new Set(scalars)]) };
}

function single(value: unknown, type: ScalarType): JsonSchema {
  return { ...(type === 'any' ? typesOfValues([value]) : {}), const: value };
}

function refused(values: unknown): JsonSchema {
  const scalars = (Array.isArray(values) ? (values as readonly unknown[]) : []).filter(isScalar);
  return scalars.length === 0 ? {} : { not: { enum: [...new Set(scalars)] } };
}

function notEmpty(type: ScalarType): JsonSchema {
  if (type === 'string') return { minLength: 1 };
  return type === 'any' ? { not: { enum: ['', null] } } : {};
}

function instance(constraint: Constraint, type: ScalarType): JsonSchema | Loss {
  return type === 'any' ? lossOf(constraint) : {};
}

// Objects are compared by identity, so that no value from JSON is ever equal to one.
function isScalar(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}
