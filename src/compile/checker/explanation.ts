/** How the input of a DTO class is checked. Frozen plain data. */
export interface CheckExplanation {
  /** The name of the class. */
  readonly dto: string;
  /**
   * `generated`: code written for the class. `closures`: the same steps where the platform allows no code made
   * at run time. `class-stack`: class-transformer and class-validator do it all.
   */
  readonly path: CheckPath;
  readonly reason: string;
  /** Every validator of the DTO and of the classes nested in it; empty for `class-stack`. */
  readonly rules: readonly ExplainedRule[];
}

export type CheckPath = 'generated' | 'closures' | 'class-stack';

export interface ExplainedRule {
  /** The names that lead to it, joined with dots. A class that is used twice is listed where it comes first. */
  readonly property: string;
  /** The name of the validator: `isString`, `isOptional`. */
  readonly rule: string;
  /** Written into the check, or a call of the original validator. */
  readonly how: 'inline' | 'called';
  /** Why it is called. */
  readonly why?: string;
}
