import { LRUCache } from 'lru-cache';
import { type CompilingSchemaValidator, createSchemaValidator } from '../../../formats/index.ts';
import type { PlainObject } from '../../../shared/json.ts';
import type { RuleCheck } from './criteria-plan.ts';
import { InvalidCriteriaError } from '../errors/workflow-error.ts';
import { compileLinear, type LinearPattern } from '../../../schema/patterns/linear-pattern.ts';
import { translatePattern, UnsupportedPatternError } from '../../../schema/patterns/translate-pattern.ts';
import { patternCost } from '../../../schema/patterns/pattern-cost.ts';

/** The compilers of parts of rules, with their caches. */
export interface RuleEngines {
  readonly patterns: PatternCache;
  readonly schemas: CompilingSchemaValidator;
}

/** The engines, and their budget. */
export interface RuleCompiler extends RuleEngines {
  readonly budget: CompileBudget;
}

/** One type of rule. */
export interface RuleKind {
  /** The names of its members, in addition to those of every rule. */
  readonly members: readonly string[];
  /** @throws InvalidCriteriaError for a member that cannot be used */
  readonly compile: (rule: PlainObject, path: string, compiler: RuleCompiler) => RuleCheck;
}

export function createRuleEngines(): RuleEngines {
  return { patterns: new PatternCache(), schemas: createSchemaValidator() };
}

/** For all criteria of one document, which share one budget. */
export function createRuleCompiler(): RuleCompiler {
  return { ...createRuleEngines(), budget: new CompileBudget() };
}

/** A compilation and its cost. */
interface Expense {
  /** Equal for equal sources. */
  readonly key: string;
  /** In instructions of regular expressions. */
  readonly cost: number;
  readonly path: string;
}

// About a second: some thousand regular expressions, or some hundred schemas.
const MOST_TOGETHER = 300_000;

/** The budget of compilations for one document, or for the criteria of one step. */
export class CompileBudget {
  readonly #done = new Set<string>();
  #left = MOST_TOGETHER;

  /**
   * Does the work unless it costs more than is left. Work that has succeeded before is free.
   * @throws InvalidCriteriaError at the path
   */
  spend<Result>({ key, cost, path }: Expense, work: () => Result): Result {
    const price = this.#done.has(key) ? 0 : cost;
    if (price > this.#left) {
      throw new InvalidCriteriaError(
        path,
        'the regular expressions and schemas up to here are too large together; use fewer and smaller ones.',
      );
    }
    this.#left -= price;
    const result = work();
    this.#done.add(key);
    return result;
  }
}

/** The size is in instructions of some hundred bytes each. */
const BOUNDS = { max: 500, maxSize: 100_000 };
// Twice the largest possible counted repetition.
const MOST_INSTRUCTIONS = 5000;
// Measured for the shortest pattern.
const INSTRUCTIONS_PER_PATTERN = 20;
// An estimate exceeds the real size, but not by this factor.
const MOST_ESTIMATED = 4 * MOST_INSTRUCTIONS;

/** Compiles regular expressions, and caches the most recently used ones. */
export class PatternCache {
  readonly #patterns = new LRUCache<string, LinearPattern>(BOUNDS);

  /** @throws UnsupportedPatternError */
  compile(source: string, flags: string): LinearPattern {
    const key = `${flags}/${source}`;
    const known = this.#patterns.get(key);
    if (known !== undefined) return known;
    const pattern = compilePattern(source, flags);
    this.#patterns.set(key, pattern, { size: pattern.size });
    return pattern;
  }
}

/**
 * @param flags any of `imsu`; `u` is always on, because the engine works on whole characters only
 * @throws UnsupportedPatternError for an invalid regular expression, or one that cannot run in linear time
 */
export function compilePattern(source: string, flags: string): LinearPattern {
  const pattern = compileLinear(read(source, flags).translated, flags);
  if (pattern.size > MOST_INSTRUCTIONS) throw tooLarge(String(pattern.size));
  return pattern;
}

/**
 * The maximum cost of compiling a regular expression, in instructions.
 * @throws UnsupportedPatternError if the cost exceeds every budget
 */
export function costOfPattern(source: string, flags: string): number {
  return INSTRUCTIONS_PER_PATTERN + read(source, flags).cost;
}

function read(source: string, flags: string): { readonly translated: string; readonly cost: number } {
  const translated = translatePattern(source, flags, true);
  const cost = patternCost(translated, flags.includes('i'));
  // The engine would create all of the instructions before it counts them
  if (cost > MOST_ESTIMATED) throw tooLarge(`up to ${Math.round(cost)}`);
  return { translated, cost };
}

function tooLarge(size: string): UnsupportedPatternError {
  return new UnsupportedPatternError(
    `is too large: it takes ${size} instructions, of ${MOST_INSTRUCTIONS} at most; use smaller repeat counts`,
  );
}
