import type { WorkflowContext, Condition } from '../conditions/condition.ts';

/** Validates outputs by criteria; the ValidationEngine is one. */
export interface OutputValidator {
  /** @throws InvalidCriteriaError for criteria that are malformed anywhere. */
  validate(
    output: unknown,
    criteria?: ValidationCriteria | null,
    context?: WorkflowContext,
  ): Promise<ValidationResult>;
}

/** What an output has to be: a rule, a regular expression as plain text, a composition, or a list of these. */
export type ValidationCriteria =
  ValidationRule | string | ValidationComposition | readonly ValidationCriteria[];

/** What all rules have. */
export interface RuleBase {
  /** Told when the rule fails; empty for the default text. */
  readonly message: string;
  /** The rule is skipped when it does not hold. */
  readonly condition?: Condition;
}

/** One rule that an output has to keep. */
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

/** How an output or a document was validated. */
export interface ValidationResult {
  readonly valid: boolean;
  /** One sentence for each fault. */
  readonly issues: readonly string[];
  /** What to change; at least one whenever it is invalid. */
  readonly suggestions: readonly string[];
  readonly details: readonly ValidationDetail[];
}

/** One failure of an output: its code, and where in the criteria it comes from. */
export interface ValidationDetail {
  /** `CONTAINS_MISSING`, `TOO_SHORT` and so on. */
  readonly code: string;
  /** An RFC 6901 pointer, into the criteria or into the document. */
  readonly path: string;
  /** The type of the rule that failed, where a rule did. */
  readonly ruleType?: string;
  readonly message: string;
  /** More, such as the faults that a schema found. */
  readonly info?: unknown;
}
