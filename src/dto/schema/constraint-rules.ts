import type { JsonSchema } from '../../shared/json-schema.ts';
import type { Constraint, ScalarType } from '../shape/shape.ts';
import {
  addKeywords,
  enumOf,
  isLoss,
  lossOf,
  saysNoMore,
  typesOfValues,
  type ConstraintRule,
  type ConstraintRules,
  type Loss,
} from './keywords.ts';
import { TEXT_RULES } from './text-rules.ts';

/** Adds what the validators say to a schema; what none of its keywords can say goes to `losses`. */
export function addConstraints(
  schema: JsonSchema,
  constraints: readonly Constraint[],
  type: ScalarType,
  losses: string[],
): JsonSchema {
  let result = schema;
  for (const constraint of constraints) {
    if (!constraint.isBuiltIn || constraint.isConditional) continue;
    const rule = RULES[constraint.name] ?? lossOf;
    const answer = rule(constraint, type);
    if (isLoss(answer)) losses.push(answer.loss);
    else result = addKeywords(result, answer);
  }
  return result;
}

const bound =
  (keyword: 'minimum' | 'maximum'): ConstraintRule =>
  (constraint) => {
    const [value] = constraint.args;
    return typeof value === 'number' && Number.isFinite(value) ? { [keyword]: value } : lossOf(constraint);
  };

/** What the validators of class-validator say in JSON Schema, by their names. */
const RULES: ConstraintRules = {
  ...TEXT_RULES,
  isString: saysNoMore,
  isBoolean: saysNoMore,
  isInt: saysNoMore,
  isArray: saysNoMore,
  isObject: saysNoMore,
  isDate: saysNoMore,
  isEnum: saysNoMore,
  isIn: ({ args }, type) => allowed(args[0], type),
  isNotIn: ({ args }) => refused(args[0]),
  equals: (constraint, type) =>
    isScalar(constraint.args[0]) ? single(constraint.args[0], type) : lossOf(constraint),
  notEquals: ({ args }) => refused([args[0]]),
  isEmpty: () => ({ enum: ['', null] }),
  isNotEmpty: (_, type) => notEmpty(type),
  isDefined: (_, type) => (type === 'any' ? { not: { type: 'null' } } : {}),
  isInstance: (constraint, type) => (type === 'any' ? lossOf(constraint) : {}),
  isNumber: decimalPlaces,
  min: bound('minimum'),
  max: bound('maximum'),
  isPositive: () => ({ exclusiveMinimum: 0 }),
  isNegative: () => ({ exclusiveMaximum: 0 }),
  isDivisibleBy: multiple,
  isLatitude: () => ({ minimum: -90, maximum: 90 }),
  isLongitude: () => ({ minimum: -180, maximum: 180 }),
  arrayMinSize: ({ args }) => size('minItems', Math.ceil(Number(args[0]))),
  arrayMaxSize: ({ args }) => size('maxItems', Math.floor(Number(args[0]))),
  arrayNotEmpty: () => ({ minItems: 1 }),
  arrayUnique: unique,
  arrayContains: ({ args }) => withAll(valuesOf(args[0])),
  arrayNotContains: ({ args }) => withNone(valuesOf(args[0])),
  isNotEmptyObject: notEmptyObject,
};

function allowed(values: unknown, type: ScalarType): JsonSchema {
  const scalars = valuesOf(values).filter(isScalar);
  return { ...(type === 'any' ? typesOfValues(scalars) : {}), ...enumOf([...new Set(scalars)]) };
}

function single(value: unknown, type: ScalarType): JsonSchema {
  return { ...(type === 'any' ? typesOfValues([value]) : {}), const: value };
}

function refused(values: unknown): JsonSchema {
  const scalars = valuesOf(values).filter(isScalar);
  return scalars.length === 0 ? {} : { not: { enum: [...new Set(scalars)] } };
}

function notEmpty(type: ScalarType): JsonSchema {
  if (type === 'string') return { minLength: 1 };
  return type === 'any' ? { not: { enum: ['', null] } } : {};
}

// Objects are compared by identity, so that no value from JSON is ever equal to one.
function isScalar(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

// multipleOf: 0.01 would refuse 0.07, as binary fractions are no exact multiples
function decimalPlaces({ args }: Constraint): JsonSchema | Loss {
  const places = (args[0] as { readonly maxDecimalPlaces?: number } | undefined)?.maxDecimalPlaces;
  if (places === undefined || places === 0) return {};
  return { loss: `must have at most ${String(places)} decimal places` };
}

function multiple(constraint: Constraint): JsonSchema | Loss {
  const [divisor] = constraint.args;
  if (!Number.isInteger(divisor) || divisor === 0) return lossOf(constraint);
  return { multipleOf: Math.abs(divisor as number) };
}

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

function notEmptyObject({ args }: Constraint): JsonSchema | Loss {
  const isNullable = (args[0] as { readonly nullable?: boolean } | undefined)?.nullable !== false;
  return isNullable ? { minProperties: 1 } : { loss: 'must have a member that is not null' };
}
