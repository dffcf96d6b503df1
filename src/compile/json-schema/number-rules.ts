import type { Constraint } from '../../shape/shape.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { lossOf, type ConstraintRule, type ConstraintRules, type Loss } from './constraint-rule.ts';

const bound =
  (keyword: 'minimum' | 'maximum'): ConstraintRule =>
  (constraint) => {
    const [value] = constraint.args;
    return typeof value === 'number' && Number.isFinite(value) ? { [keyword]: value } : lossOf(constraint);
  };

export const numberRules: ConstraintRules = {
  isNumber: decimalPlaces,
  min: bound('minimum'),
  max: bound('maximum'),
  isPositive: () => ({ exclusiveMinimum: 0 }),
  isNegative: () => ({ exclusiveMaximum: 0 }),
  isDivisibleBy: multiple,
  isLatitude: () => ({ minimum: -90, maximum: 90 }),
  isLongitude: () => ({ minimum: -180, maximum: 180 }),
};

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
