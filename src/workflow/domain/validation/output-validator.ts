import type { WorkflowContext, Condition } from '../conditions/condition.ts';

/** Validates outputs against criteria; ValidationEngine implements it. */
export interface OutputValidator {
  /** @throws InvalidCriteriaError for criteria that are malformed anywhere. */
  validate(
    output: unknown,
    criteria?: ValidationCriteria | null,
    context?: WorkflowContext,
  ): Promise<ValidationResult>;
}

/** Criteria for an output: a rule, a regular expression as plain text, a composition, or a list of these. */
export type ValidationCriteria =
  | ValidationRule
  | string
  | ValidationComposition
  | readonly ValidationCriteria[];

/** The members of every rule. */
export interface RuleBase {
  /** Reported if the rule fails; empty for the default text. */
  readonly message: string;
  /** The rule is skipped if the condition does not hold. */
  readonly condition?: Condition;
}

/** One rule for an output. */
export type ValidationRule =
  | (RuleBase & { readonly type: 'contains'; readonly value: string })
  /** A search in linear time; the flags may be any of `imsu`. */
  | (RuleBase & { readonly type: 'regex'; readonly pattern: string; readonly flags?: string })
  /** In UTF-16 code units, both ends included. */
  | (RuleBase & { readonly type: 'length'; readonly min?: number; readonly max?: number })
  /** The output must be JSON that is valid against the schema. */
  | (RuleBase & { readonly type: 'schema'; readonly schema: unknown });

/** Exactly one of the three members. */
export interface ValidationComposition {
  /** The output must pass all of these. */
  readonly and?: readonly ValidationCriteria[];
  /** The output must pass at least one of these. */
  readonly or?: readonly ValidationCriteria[];
  /** The output must not pass this. */
  readonly not?: ValidationCriteria;
}

/** The result of validating an output or a document. */
export interface ValidationResult {
  /** Whether nothing is wrong. */
  readonly valid: boolean;
  /** One sentence for each fault. */
  readonly issues: readonly string[];
  /** What to change; at least one if invalid. */
  readonly suggestions: readonly string[];
  /** The faults with their codes and places. */
  readonly details: readonly ValidationDetail[];
}

/** One failure: its code, and its place in the criteria or in the document. */
export interface ValidationDetail {
  /** `CONTAINS_MISSING`, `TOO_SHORT` and so on. */
  readonly code: string;
  /** An RFC 6901 pointer, into the criteria or into the document. */
  readonly path: string;
  /** The type of the failed rule, if a rule failed. */
  readonly ruleType?: string;
  /** The fault, in a sentence. */
  readonly message: string;
  /** More details, such as the errors of a schema. */
  readonly info?: unknown;
}
