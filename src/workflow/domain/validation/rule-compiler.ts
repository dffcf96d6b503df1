import { type CompilingSchemaValidator, createSchemaValidator } from '../../../formats/index.ts';
import type { PlainObject } from '../../../shared/json.ts';
import type { RuleCheck } from './criteria-plan.ts';
import { PatternCache } from './compile-pattern.ts';
import { InvalidCriteriaError } from '../errors/workflow-error.ts';

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
  readonly compile: (rule: PlainObject, path: string, compiler: RuleCompiler) => RuleCheck;
}

/** For the criteria of one document: all of them together have one budget. */
export function createRuleCompiler(): RuleCompiler {
  return { patterns: new PatternCache(), schemas: createSchemaValidator(), budget: new CompileBudget() };
}

/** Something that takes time to compile. */
interface Expense {
  /** Equal for equal things. */
  readonly key: string;
  /** In instructions of regular expressions. */
  readonly cost: number;
  readonly path: string;
}

// A second, or little more: some thousands of regular expressions, or some hundred schemas.
const MOST_INSTRUCTIONS = 300_000;

/** What may be compiled for one document, or for the criteria of one step. */
export class CompileBudget {
  readonly #done = new Set<string>();
  #left = MOST_INSTRUCTIONS;

  /**
   * Does the work unless it costs more than is left. What succeeded before costs nothing more.
   * @throws InvalidCriteriaError at the path
   */
  spend<Result>({ key, cost, path }: Expense, work: () => Result): Result {
    if (!this.#done.has(key)) this.#take(cost, path);
    const result = work();
    this.#done.add(key);
    return result;
  }

  #take(cost: number, path: string): void {
    if (cost > this.#left) {
      throw new InvalidCriteriaError(
        path,
        'the regular expressions and schemas up to here are too large together; use fewer and smaller ones.',
      );
    }
    this.#left -= cost;
  }
}
