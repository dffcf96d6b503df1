import { evaluateCondition } from '../conditions/evaluate-condition.ts';
import type { WorkflowContext } from '../conditions/condition.ts';
import type { CriteriaPlan, PlannedGroup, PlannedNegation, PlannedRule, RuleFault } from './criteria-plan.ts';
import type { OutputSubject } from './output-subject.ts';

export type Verdict = 'pass' | 'fail' | 'skipped';

/** How one part of the criteria ended. */
export interface Outcome {
  readonly verdict: Verdict;
  /** The rules that are the reason, in document order. */
  readonly causes: readonly JudgedRule[];
}

/** A rule that decided something. */
export interface JudgedRule {
  readonly rule: PlannedRule;
  /** Undefined for a rule that the output passes. */
  readonly fault: RuleFault | undefined;
}

const SKIPPED: Outcome = Object.freeze({ verdict: 'skipped', causes: [] });

/** Judges an output by all parts of the criteria that count; the criteria are not nested deep. */
export function judgeCriteria(plan: CriteriaPlan, output: OutputSubject, context: WorkflowContext): Outcome {
  switch (plan.kind) {
    case 'rule':
      return judgeRule(plan, output, context);
    case 'all':
      return judgeAll(plan, output, context);
    case 'any':
      return judgeAny(plan, output, context);
    case 'not':
      return judgeNot(plan, output, context);
  }
}

function judgeRule(rule: PlannedRule, output: OutputSubject, context: WorkflowContext): Outcome {
  if (!evaluateCondition(rule.condition, context)) return SKIPPED;
  const fault = rule.judge(output);
  return { verdict: fault === undefined ? 'pass' : 'fail', causes: [{ rule, fault }] };
}

/** Goes on after a failure, so that all failures are told at once. */
function judgeAll({ children }: PlannedGroup, output: OutputSubject, context: WorkflowContext): Outcome {
  const outcomes = children.map((child) => judgeCriteria(child, output, context));
  return outcomeOf(outcomes, ['fail', 'pass']);
}

function judgeAny({ children }: PlannedGroup, output: OutputSubject, context: WorkflowContext): Outcome {
  const outcomes: Outcome[] = [];
  for (const child of children) {
    const outcome = judgeCriteria(child, output, context);
    if (outcome.verdict === 'pass') return outcome;
    outcomes.push(outcome);
  }
  return outcomeOf(outcomes, ['fail']);
}

/** What makes the child pass is what makes this fail, and the other way round. */
function judgeNot({ child }: PlannedNegation, output: OutputSubject, context: WorkflowContext): Outcome {
  const { verdict, causes } = judgeCriteria(child, output, context);
  return verdict === 'skipped' ? SKIPPED : { verdict: verdict === 'pass' ? 'fail' : 'pass', causes };
}

/** The first of the verdicts that any child has, for the reasons that all such children give. */
function outcomeOf(outcomes: readonly Outcome[], verdicts: readonly Verdict[]): Outcome {
  const verdict = verdicts.find((wanted) => outcomes.some((outcome) => outcome.verdict === wanted));
  if (verdict === undefined) return SKIPPED;
  return {
    verdict,
    causes: outcomes.flatMap((outcome) => (outcome.verdict === verdict ? outcome.causes : [])),
  };
}
