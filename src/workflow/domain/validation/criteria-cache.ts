import { CompileBudget } from './compile-budget.ts';
import { compileCriteria } from './compile-criteria.ts';
import type { CriteriaPlan } from './criteria-plan.ts';
import { isDeepFrozen } from './is-deep-frozen.ts';
import type { RuleEngines } from './rules/rule-kind.ts';

/** Compiles criteria, those that can never change only once. */
export class CriteriaCache {
  readonly #engines: RuleEngines;
  readonly #plans = new WeakMap<object, CriteriaPlan>();

  constructor(engines: RuleEngines) {
    this.#engines = engines;
  }

  /** @throws InvalidCriteriaError */
  compile(criteria: unknown): CriteriaPlan | undefined {
    if (typeof criteria !== 'object' || criteria === null) return this.#compile(criteria);
    const known = this.#plans.get(criteria);
    if (known !== undefined) return known;
    const plan = this.#compile(criteria);
    if (plan !== undefined && isDeepFrozen(criteria)) this.#plans.set(criteria, plan);
    return plan;
  }

  #compile(criteria: unknown): CriteriaPlan | undefined {
    return compileCriteria(criteria, '', { ...this.#engines, budget: new CompileBudget() });
  }
}
