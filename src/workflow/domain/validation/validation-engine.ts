import { refuseOptions } from '../../../errors/option-errors.ts';
import type { SchemaValidator } from '../../../formats/index.ts';
import { objectWith, type OptionRules } from '../../../shared/option-rules.ts';
import type { WorkflowContext } from '../conditions/condition.ts';
import {
  OutputSubject,
  type CriteriaPlan,
  type CheckedRule,
  type Verdict,
  type PlannedRule,
  type RuleFault,
} from './criteria-plan.ts';
import type {
  OutputValidator,
  ValidationCriteria,
  ValidationResult,
  ValidationDetail,
} from './output-validator.ts';
import { CompileBudget, createRuleEngines, type RuleEngines } from './rule-compiler.ts';
import { compileCriteria } from './compile-criteria.ts';
import { evaluateCondition } from '../conditions/evaluate-condition.ts';

const EMPTY_OUTPUT: Failure = Object.freeze({
  detail: Object.freeze({ code: 'EMPTY_OUTPUT', path: '', message: 'output must not be empty' }),
  suggestions: Object.freeze(['Give the output of this step as text with at least one visible character.']),
});

/** Options of `new ValidationEngine()`. */
export interface ValidationEngineOptions {
  /**
   * Checks outputs against the JSON Schemas of criteria, such as one with formats of your own. Default: the validator that
   * `createSchemaValidator()` of `toolwright/formats` gives.
   */
  readonly schemaValidator?: Pick<SchemaValidator, 'validate'>;
}

export const VALIDATION_ENGINE_RULES: OptionRules<ValidationEngineOptions> = {
  schemaValidator: objectWith('a validator', 'validate'),
};

/**
 * Validates outputs against criteria. It caches the 500 most recently used schemas and regular expressions each, and
 * the plans of deeply frozen criteria for as long as the criteria live.
 *
 * @example
 * const engine = new ValidationEngine();
 * const criteria = [{ type: 'contains', value: 'DONE', message: '' }] as const;
 * const { valid, issues } = await engine.validate('work in progress', criteria);
 * // false, ['output must contain "DONE"']
 */
export class ValidationEngine implements OutputValidator {
  readonly #engines: RuleEngines;
  /** The plans of criteria that can never change. */
  readonly #plans = new WeakMap<object, CriteriaPlan>();

  /** @throws ToolwrightError `INVALID_OPTION` */
  constructor(options: ValidationEngineOptions = {}) {
    refuseOptions('INVALID_OPTION', 'new ValidationEngine()', options, VALIDATION_ENGINE_RULES);
    this.#engines = createRuleEngines(options.schemaValidator);
  }

  async validate(
    output: unknown,
    criteria?: ValidationCriteria | null,
    context: WorkflowContext = {},
  ): Promise<ValidationResult> {
    const plan = this.#plan(criteria);
    if (typeof output !== 'string') return resultOf([EMPTY_OUTPUT]);
    if (plan === undefined) return resultOf(output.trim() === '' ? [EMPTY_OUTPUT] : []);
    return resultOf(checkCriteria(plan, new OutputSubject(output), context).map(failureOf));
  }

  /** @throws InvalidCriteriaError */
  #plan(criteria: unknown): CriteriaPlan | undefined {
    const tree = typeof criteria === 'object' && criteria !== null ? criteria : undefined;
    const known = tree && this.#plans.get(tree);
    if (known !== undefined) return known;
    const plan = compileCriteria(criteria, '', { ...this.#engines, budget: new CompileBudget() });
    if (tree !== undefined && plan !== undefined && isDeepFrozen(tree)) this.#plans.set(tree, plan);
    return plan;
  }
}

/** Whether a JSON tree can never change: every object is frozen, and no member has a getter. */
function isDeepFrozen(value: object): boolean {
  const seen = new Set<unknown>([value]);
  // Grows during the loop
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

/**
 * Checks an output against all relevant parts of the criteria.
 * @returns the rules that make it invalid or leave it undecided, in document order; none for a valid output
 */
function checkCriteria(
  plan: CriteriaPlan,
  output: OutputSubject,
  context: WorkflowContext,
): readonly CheckedRule[] {
  const rules = new RuleChecker(output, context);
  return isDueTo(plan, 'fail', rules) ? causesOf(plan, 'fail', rules) : [];
}

/** Below a `not`, every passing alternative is a cause, not only the first. */
function causesOf(plan: CriteriaPlan, verdict: 'pass' | 'fail', rules: RuleChecker): readonly CheckedRule[] {
  if (plan.kind === 'rule') return [rules.check(plan)];
  if (plan.kind === 'not') return causesOf(plan.child, verdict === 'fail' ? 'pass' : 'fail', rules);
  return plan.children
    .filter((child) => isDueTo(child, verdict, rules))
    .flatMap((child) => causesOf(child, verdict, rules));
}

/** A part that could not be checked counts as either result. */
function isDueTo(plan: CriteriaPlan, wanted: 'pass' | 'fail', rules: RuleChecker): boolean {
  const verdict = verdictOf(plan, rules);
  return verdict === wanted || verdict === 'unjudged';
}

const OPPOSITES: Readonly<Record<Verdict, Verdict>> = {
  pass: 'fail',
  fail: 'pass',
  skipped: 'skipped',
  unjudged: 'unjudged',
};

/** May recurse: the depth of criteria is limited. */
function verdictOf(plan: CriteriaPlan, rules: RuleChecker): Verdict {
  if (plan.kind === 'rule') return rules.check(plan).verdict;
  if (plan.kind === 'not') return OPPOSITES[verdictOf(plan.child, rules)];
  const verdicts: Verdict[] = [];
  for (const child of plan.children) {
    const verdict = verdictOf(child, rules);
    if (plan.kind === 'any' && verdict === 'pass') return verdict;
    verdicts.push(verdict);
  }
  const order: readonly Verdict[] = plan.kind === 'all' ? ['fail', 'unjudged', 'pass'] : ['unjudged', 'fail'];
  return order.find((verdict) => verdicts.includes(verdict)) ?? 'skipped';
}

// Instructions times characters: a fraction of a second for ordinary patterns, some seconds for the worst.
const MOST_INSTRUCTIONS = 250_000_000;

/** Checks one output against rules, each of them once. */
class RuleChecker {
  readonly #output: OutputSubject;
  readonly #context: WorkflowContext;
  readonly #checked = new Map<PlannedRule, CheckedRule>();
  /** The instructions per character so far, including searches that the limit prevented. */
  #spent = 0;
  #wanted = 0;

  constructor(output: OutputSubject, context: WorkflowContext) {
    this.#output = output;
    this.#context = context;
  }

  check(rule: PlannedRule): CheckedRule {
    const known = this.#checked.get(rule);
    if (known !== undefined) return known;
    const checked = this.#check(rule);
    this.#checked.set(rule, checked);
    return checked;
  }

  #check(rule: PlannedRule): CheckedRule {
    if (!evaluateCondition(rule.condition, this.#context)) return { rule, verdict: 'skipped' };
    const excess = this.#excessOf(rule);
    if (excess !== undefined) return { rule, verdict: 'unjudged', fault: excess };
    const fault = rule.check(this.#output);
    return fault === undefined ? { rule, verdict: 'pass' } : { rule, verdict: 'fail', fault };
  }

  /** Charges a search to the budget; returns a fault if the output is too long for the rest of it. */
  #excessOf({ search }: PlannedRule): RuleFault | undefined {
    if (search === undefined) return undefined;
    const { length } = this.#output.text;
    this.#wanted += search.size;
    if ((this.#spent + search.size) * length <= MOST_INSTRUCTIONS) {
      this.#spent += search.size;
      return undefined;
    }
    const max = Math.floor(MOST_INSTRUCTIONS / this.#wanted);
    return {
      code: 'TOO_LONG',
      text: `output is longer than ${max} characters, too long to be searched for ${search.shown}`,
      suggestions: ['Make the output shorter, or have the regular expressions of this step made simpler.'],
      info: { length, max },
    };
  }
}

interface Failure {
  readonly detail: ValidationDetail;
  readonly suggestions: readonly string[];
}

/** The result for the failures; valid if there are none. */
function resultOf(failures: readonly Failure[]): ValidationResult {
  return {
    valid: failures.length === 0,
    issues: failures.map(({ detail }) => detail.message),
    suggestions: [
      ...new Set(failures.flatMap(({ suggestions }) => suggestions)),
      ...suggestAlternatives(failures.map(({ detail }) => detail.path)),
    ],
    details: failures.map(({ detail }) => detail),
  };
}

/** A passed rule is a failure if a `not` forbids it. */
function failureOf({ rule, verdict, fault }: CheckedRule): Failure {
  const { path, ruleType } = rule;
  // The message describes a failed check, and this rule may not have been checked
  const message = verdict === 'unjudged' ? '' : rule.message;
  const { code, text, suggestions, info } = fault ?? { code: 'FORBIDDEN_MATCH', ...rule.forbidden };
  return {
    detail: {
      code,
      path,
      ruleType,
      message: message === '' ? text : message,
      ...(info === undefined ? {} : { info }),
    },
    suggestions,
  };
}

/** For every outermost `or` with failed alternatives, suggests that one of them is enough. */
function suggestAlternatives(paths: readonly string[]): readonly string[] {
  const alternatives = new Map<string, Set<string>>();
  for (const path of paths) {
    const steps = path.split('/');
    const or = steps.findIndex((step, position) => step === 'or' && !isForbidden(steps.slice(0, position)));
    const index = steps[or + 1];
    if (or === -1 || index === undefined) continue;
    const place = steps.slice(0, or + 1).join('/');
    alternatives.set(place, (alternatives.get(place) ?? new Set()).add(index));
  }
  return Array.from(alternatives)
    .filter(([, indices]) => indices.size > 1)
    .map(([or]) => `Of the alternatives at ${or}, one is enough.`);
}

/** Below a `not`, no alternative may pass. */
function isForbidden(steps: readonly string[]): boolean {
  return steps.filter((step) => step === 'not').length % 2 === 1;
}
