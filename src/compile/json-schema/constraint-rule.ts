import type { Constraint, ScalarType } from '../../shape/shape.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';

/** A rule that JSON Schema cannot say; the reason goes on from the name of the field. */
export interface Loss {
  readonly loss: string;
}

/** What one validator adds to the schema of a value of the given type. */
export type ConstraintRule = (constraint: Constraint, type: ScalarType) => JsonSchema | Loss;

/** The rules of one family, by the validator's name. */
export type ConstraintRules = Readonly<Record<string, ConstraintRule>>;

export function isLoss(answer: JsonSchema | Loss): answer is Loss {
  return 'loss' in answer;
}

/** The loss of a validator that has no rule, in its own words. */
export function lossOf(constraint: Constraint): Loss {
  return { loss: constraint.phrase };
}

/** For validators that the type of the value says completely. */
export const saysNoMore: ConstraintRule = () => ({});
