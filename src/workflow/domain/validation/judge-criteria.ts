import type { WorkflowContext } from '../conditions/condition.ts';
import type { CriteriaPlan } from './criteria-plan.ts';
import type { JudgedRule } from './judged-rule.ts';
import type { OutputSubject } from './output-subject.ts';
import { RuleJudge } from './rule-judge.ts';
import { verdictOf } from './verdict-of.ts';

/**
 * Judges an output by all parts of the criteria that count.
 * @returns the rules because of which it is invalid, or cannot be called valid, in document order; none for a valid one
 */
export function judgeCriteria(
  plan: CriteriaPlan,
  output: OutputSubject,
  context: WorkflowContext,
): readonly JudgedRule[] {
  const rules = new RuleJudge(output, context);
  return isDueTo(plan, 'fail', rules) ? causesOf(plan, 'fail', rules) : [];
}

/** Of alternatives that pass beneath a `not`, every one is a cause, also those behind the first. */
function causesOf(plan: CriteriaPlan, verdict: 'pass' | 'fail', rules: RuleJudge): readonly JudgedRule[] {
  if (plan.kind === 'rule') return [rules.judge(plan)];
  if (plan.kind === 'not') return causesOf(plan.child, verdict === 'fail' ? 'pass' : 'fail', rules);
  return plan.children
    .filter((child) => isDueTo(child, verdict, rules))
    .flatMap((child) => causesOf(child, verdict, rules));
}

/** What could not be judged may end either way. */
function isDueTo(plan: CriteriaPlan, wanted: 'pass' | 'fail', rules: RuleJudge): boolean {
  const verdict = verdictOf(plan, rules);
  return verdict === wanted || verdict === 'unjudged';
}
