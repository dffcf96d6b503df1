import type { Constraint } from '../../shape/shape.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import type { ConstraintRules, Loss } from './constraint-rule.ts';

export const objectRules: ConstraintRules = { isNotEmptyObject: notEmpty };

function notEmpty({ args }: Constraint): JsonSchema | Loss {
  const isNullable = (args[0] as { readonly nullable?: boolean } | undefined)?.nullable !== false;
  return isNullable ? { minProperties: 1 } : { loss: 'must have a member that is not null' };
}
