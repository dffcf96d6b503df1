import type { CriteriaPlan } from './criteria-plan.ts';
import type { Verdict } from './judged-rule.ts';
import type { RuleJudge } from './rule-judge.ts';

const OPPOSITES: Readonly<Record<Verdict, Verdict>> = {
  pass: 'fail',
  fail: 'pass',
  skipped: 'skipped',
  unjudged: 'unjudged',
};

/** The criteria are not nested deep. */
export function verdictOf(plan: CriteriaPlan, rules: RuleJudge): Verdict {
  switch (plan.kind) {
    case 'rule':
      return rules.judge(plan).verdict;
    case 'not':
      return OPPOSITES[verdictOf(plan.child, rules)];
    case 'all': {
      const verdicts = plan.children.map((child) => verdictOf(child, rules));
      return firstOf(['fail', 'unjudged', 'pass'], verdicts);
    }
    case 'any':
      return verdictOfAny(plan.children, rules);
  }
}

function verdictOfAny(children: readonly CriteriaPlan[], rules: RuleJudge): Verdict {
  const verdicts: Verdict[] = [];
  for (const child of children) {
    const verdict = verdictOf(child, rules);
    if (verdict === 'pass') return verdict;
    verdicts.push(verdict);
  }
  return firstOf(['unjudged', 'fail'], verdicts);
}

function firstOf(wanted: readonly Verdict[], verdicts: readonly Verdict[]): Verdict {
  return wanted.find((verdict) => verdicts.includes(verdict)) ?? 'skipped';
}
