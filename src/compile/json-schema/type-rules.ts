import { saysNoMore, type ConstraintRules } from './constraint-rule.ts';

/** Validators that are said by `type`, `enum` or a nested schema. */
export const typeRules: ConstraintRules = {
  isString: saysNoMore,
  isBoolean: saysNoMore,
  isInt: saysNoMore,
  isArray: saysNoMore,
  isObject: saysNoMore,
  isDate: saysNoMore,
  isEnum: saysNoMore,
};
