import type { Condition } from '../conditions/condition.ts';

/** What an output has to be: a rule, a regular expression as plain text, a composition, or a list of these. */
export type ValidationCriteria =
  ValidationRule | string | ValidationComposition | readonly ValidationCriteria[];

interface RuleBase {
  /** Told when the rule fails; empty for the default text. */
  readonly message: string;
  /** The rule is skipped when it does not hold. */
  readonly condition?: Condition;
}

export type ValidationRule =
  | (RuleBase & { readonly type: 'contains'; readonly value: string })
  /** Searched for, in linear time; flags are of `imsu`. */
  | (RuleBase & { readonly type: 'regex'; readonly pattern: string; readonly flags?: string })
  /** In UTF-16 units, both ends included. */
  | (RuleBase & { readonly type: 'length'; readonly min?: number; readonly max?: number })
  /** The output is JSON that the schema allows. */
  | (RuleBase & { readonly type: 'schema'; readonly schema: unknown });

/** Exactly one of the three. */
export interface ValidationComposition {
  readonly and?: readonly ValidationCriteria[];
  readonly or?: readonly ValidationCriteria[];
  readonly not?: ValidationCriteria;
}
