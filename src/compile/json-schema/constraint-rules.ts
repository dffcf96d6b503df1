import type { Constraint, ScalarType } from '../../shape/shape.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { arrayRules } from './array-rules.ts';
import { addKeywords } from './add-keywords.ts';
import { isLoss, lossOf, type ConstraintRules } from './constraint-rule.ts';
import { formatRules } from './format-rules.ts';
import { lengthRules } from './length-rules.ts';
import { numberRules } from './number-rules.ts';
import { objectRules } from './object-rules.ts';
import { patternRules } from './pattern-rules.ts';
import { typeRules } from './type-rules.ts';
import { valueRules } from './value-rules.ts';

const rules: ConstraintRules = {
  ...typeRules,
  ...valueRules,
  ...numberRules,
  ...lengthRules,
  ...patternRules,
  ...formatRules,
  ...arrayRules,
  ...objectRules,
};

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
    const rule = rules[constraint.name] ?? lossOf;
    const answer = rule(constraint, type);
    if (isLoss(answer)) losses.push(answer.loss);
    else result = addKeywords(result, answer);
  }
  return result;
}
