import { ARRAY_RULES } from './array-rules.ts';
import { DATE_RULES } from './date-rules.ts';
import type { InlineRule } from './inline-rule.ts';
import { NUMBER_RULES } from './number-rules.ts';
import { STRING_RULES } from './string-rules.ts';
import { TYPE_RULES } from './type-rules.ts';
import { VALUE_RULES } from './value-rules.ts';

/** Every validator of class-validator that is compiled, by the name it registers itself with. */
export const INLINE_RULES: ReadonlyMap<string, InlineRule> = new Map(
  [VALUE_RULES, TYPE_RULES, NUMBER_RULES, DATE_RULES, STRING_RULES, ARRAY_RULES].flatMap((rules) =>
    Object.entries(rules),
  ),
);
