import type { WorkflowContext } from '../conditions/condition.ts';
import { evaluateCondition } from '../conditions/evaluate-condition.ts';
import type { PlannedRule, RuleFault } from './criteria-plan.ts';
import type { JudgedRule } from './judged-rule.ts';
import { JudgingBudget } from './judging-budget.ts';
import type { OutputSubject } from './output-subject.ts';

/** Judges one output by rules, by each of them once. */
export class RuleJudge {
  readonly #output: OutputSubject;
  readonly #context: WorkflowContext;
  readonly #budget: JudgingBudget;
  readonly #judged = new Map<PlannedRule, JudgedRule>();

  constructor(output: OutputSubject, context: WorkflowContext) {
    this.#output = output;
    this.#context = context;
    this.#budget = new JudgingBudget(output.text.length);
  }

  judge(rule: PlannedRule): JudgedRule {
    const known = this.#judged.get(rule);
    if (known !== undefined) return known;
    const judged = this.#judge(rule);
    this.#judged.set(rule, judged);
    return judged;
  }

  #judge(rule: PlannedRule): JudgedRule {
    if (!evaluateCondition(rule.condition, this.#context)) return { rule, verdict: 'skipped' };
    const excess = this.#excessOf(rule);
    if (excess !== undefined) return { rule, verdict: 'unjudged', fault: excess };
    const fault = rule.judge(this.#output);
    return fault === undefined ? { rule, verdict: 'pass' } : { rule, verdict: 'fail', fault };
  }

  /** What is wrong with an output that is too long to be searched. */
  #excessOf({ search }: PlannedRule): RuleFault | undefined {
    if (search === undefined) return undefined;
    const max = this.#budget.spend(search.size);
    if (max === undefined) return undefined;
    return {
      code: 'TOO_LONG',
      text: `output is longer than ${max} characters, too long to be searched for ${search.shown}`,
      suggestions: ['Make the output shorter, or have the regular expressions of this step made simpler.'],
      info: { length: this.#output.text.length, max },
    };
  }
}
