/** Puts a value into the constants of the generated code and gives the name it has there. */
export type UseConstant = (value: unknown) => string;

/** Asks the original validator about a value. */
export type AskOriginal = (value: unknown) => boolean;

/**
 * A validator of class-validator, written again so that it needs no call. It may be stricter than the
 * original, never looser: a value that it refuses is judged once more by class-validator.
 */
export interface InlineRule {
  /** How the default message begins: with another one it is another validator of the same name. */
  readonly says: string;
  /** Undefined where the rule cannot say what the validator does with these arguments. */
  readonly bind: (args: readonly unknown[], ask: AskOriginal) => BoundRule | undefined;
}

/** A rule with its arguments: the same test as an expression and as a function. */
export interface BoundRule {
  /** An expression in a variable, which it may name more than once. */
  readonly code: (value: string, use: UseConstant) => string;
  readonly test: (value: unknown) => boolean;
  /** Values near the arguments, on which test and original have to agree. */
  readonly probes?: readonly unknown[];
  /** What probes cannot find out. */
  readonly isOriginal?: () => boolean;
}

/** A rule without arguments. */
export function plainRule(says: string, rule: BoundRule): InlineRule {
  return { says, bind: () => rule };
}
