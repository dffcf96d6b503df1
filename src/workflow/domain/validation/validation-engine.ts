import { createSchemaValidator } from '../../../formats/index.ts';
import type { WorkflowContext } from '../conditions/condition.ts';
import { failureOf, resultOf, type Failure, judgeCriteria } from './judge-criteria.ts';
import { OutputSubject, type CriteriaPlan } from './criteria-plan.ts';
import type { OutputValidator, ValidationCriteria, ValidationResult } from './output-validator.ts';
import { PatternCache } from './compile-pattern.ts';
import { CompileBudget, type RuleEngines } from './rule-compiler.ts';
import { compileCriteria } from './compile-criteria.ts';

const EMPTY_OUTPUT: Failure = Object.freeze({
  detail: Object.freeze({ code: 'EMPTY_OUTPUT', path: '', message: 'output must not be empty' }),
  suggestions: Object.freeze(['Give the output of this step as text with at least one visible character.']),
});

/**
 * Judges outputs by validation criteria. It keeps the 500 schemas and the 500 regular expressions that were used
 * last, and criteria that are deeply frozen as long as they live.
 *
 * @example
 * const engine = new ValidationEngine();
 * const criteria = [{ type: 'contains', value: 'DONE', message: '' }] as const;
 * const { valid, issues } = await engine.validate('work in progress', criteria);
 * // false, ['output must contain "DONE"']
 */
export class ValidationEngine implements OutputValidator {
  readonly #criteria = new CriteriaCache({
    patterns: new PatternCache(),
    schemas: createSchemaValidator(),
  });

  async validate(
    output: unknown,
    criteria?: ValidationCriteria | null,
    context: WorkflowContext = {},
  ): Promise<ValidationResult> {
    const plan = this.#criteria.compile(criteria);
    if (typeof output !== 'string') return resultOf([EMPTY_OUTPUT]);
    if (plan === undefined) return resultOf(output.trim() === '' ? [EMPTY_OUTPUT] : []);
    return resultOf(judgeCriteria(plan, new OutputSubject(output), context).map(failureOf));
  }
}

/** Compiles criteria, those that can never change only once. */
class CriteriaCache {
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

/** Whether nothing in a tree of JSON can ever change: every object is frozen, and no member is computed. */
function isDeepFrozen(value: object): boolean {
  const seen = new Set<unknown>([value]);
  // Grows while it is read
  for (const tree of seen) {
    if (typeof tree !== 'object' || tree === null) continue;
    if (!Object.isFrozen(tree)) return false;
    for (const property of Object.values(Object.getOwnPropertyDescriptors(tree))) {
      if (property.get !== undefined) return false;
      seen.add(property.value);
    }
  }
  return true;
}
