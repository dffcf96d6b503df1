import type { CompilingSchemaValidator } from '../../../../formats/index.ts';
import type { PlainObject } from '../../../../shared/json.ts';
import type { CompileBudget } from '../compile-budget.ts';
import type { Judge } from '../criteria-plan.ts';
import type { PatternCache } from '../compile-pattern.ts';

/** What compiles parts of rules, and remembers them. */
export interface RuleEngines {
  readonly patterns: PatternCache;
  readonly schemas: CompilingSchemaValidator;
}

/** The engines, and how much they may do. */
export interface RuleCompiler extends RuleEngines {
  readonly budget: CompileBudget;
}

/** One type of rule. */
export interface RuleKind {
  /** The names of its members, beside those that every rule has. */
  readonly members: readonly string[];
  /** @throws InvalidCriteriaError for a member that cannot be used */
  readonly compile: (rule: PlainObject, path: string, compiler: RuleCompiler) => Judge;
}
