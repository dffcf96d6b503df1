import type { PlannedRule, RuleFault } from './criteria-plan.ts';

/** How a part of the criteria ends; `unjudged` when that hangs on a rule that could not be judged. */
export type Verdict = 'pass' | 'fail' | 'skipped' | 'unjudged';

/** How a rule ended. */
export interface JudgedRule {
  readonly rule: PlannedRule;
  readonly verdict: Verdict;
  /** Why it failed, or could not be judged. */
  readonly fault?: RuleFault;
}
