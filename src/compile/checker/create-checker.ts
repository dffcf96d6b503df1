import { thrownMessage } from '../../call/thrown-message.ts';
import type { UnknownFields } from '../../metadata/options.ts';
import type { ObjectShape } from '../../shape/shape.ts';
import { createClosures } from './closures/create-closures.ts';
import { explainPlan } from './explain-plan.ts';
import type { CheckExplanation, CheckPath, ExplainedRule } from './explanation.ts';
import { generateCheck } from './generate/generate-check.ts';
import { planCheck } from './plan/plan-check.ts';
import type { RunCheck } from './run-check.ts';

export interface CheckerOptions {
  readonly unknownFields: UnknownFields;
  /** Fields of the root that another contract judges. */
  readonly redeclared?: readonly string[];
  /** The first way to try. Default `generated`. */
  readonly path?: CheckPath;
}

/** The compiled check of a DTO, in front of class-transformer and class-validator. */
export interface Checker {
  /**
   * Undefined: the libraries have to judge the value. Never throws.
   * @param onThrow told of what was thrown instead of an answer
   */
  readonly run: (value: Parameters<RunCheck>[0], onThrow?: (error: unknown) => void) => object | undefined;
  readonly explanation: CheckExplanation;
}

const NO_CODE = 'the platform allows no code that is made at run time';

/**
 * The check of a DTO class, as far as it can do without the libraries. It is compiled when it is first needed:
 * an application of a thousand actions would start in seconds, and may be asked for ten of them.
 */
export function createChecker(shape: ObjectShape, options: CheckerOptions): Checker {
  let current: Checker | undefined;
  const compiled = (): Checker =>
    (current ??= compileSafely(shape, options, (given) => {
      current = given;
    }));
  return Object.freeze({
    run: (value, onThrow) => runGuarded(current ?? compiled(), value, onThrow),
    get explanation() {
      return compiled().explanation;
    },
  } satisfies Checker);
}

/** A class that cannot be compiled is left to the libraries, and `explain()` tells why. */
function compileSafely(
  shape: ObjectShape,
  options: CheckerOptions,
  replace: (checker: Checker) => void,
): Checker {
  try {
    return compileChecker(shape, options, replace);
  } catch (thrown) {
    const run = (): never => {
      throw thrown;
    };
    return { ...byLibraries(shape, `its compilation failed: ${thrownMessage(thrown)}`), run };
  }
}

function byLibraries(shape: ObjectShape, reason: string): Checker {
  return Object.freeze({ run: () => undefined, explanation: explain(shape, 'class-stack', reason) });
}

function explain(
  shape: ObjectShape,
  path: CheckPath,
  reason: string,
  rules: readonly ExplainedRule[] = [],
): CheckExplanation {
  return Object.freeze({ dto: shape.id.name, path, reason, rules: Object.freeze(rules) });
}

/** @param replace takes the checker that is to stand in for the compiled one, from the next value on */
function compileChecker(
  shape: ObjectShape,
  { unknownFields, redeclared = [], path = 'generated' }: CheckerOptions,
  replace: (checker: Checker) => void,
): Checker {
  if (path === 'class-stack') return byLibraries(shape, 'it was asked for');
  const plan = planCheck(shape, {
    unknownFields,
    redeclared,
    // asking it twice for every value may mean two queries of a database
    onPromise: () => replace(byLibraries(shape, 'one of its validators gave a promise')),
  });
  if ('obstacle' in plan) return byLibraries(shape, plan.obstacle);
  const rules = explainPlan(plan);
  const generated = path === 'generated' ? generateCheck(plan) : undefined;
  return generated === undefined
    ? { run: createClosures(plan), explanation: explain(shape, 'closures', NO_CODE, rules) }
    : { run: generated, explanation: explain(shape, 'generated', 'nothing stands in the way', rules) };
}

/** What a constructor, condition or validator throws is thrown once more where the libraries judge the value. */
function runGuarded(
  checker: Checker,
  value: Parameters<RunCheck>[0],
  onThrow?: (error: unknown) => void,
): object | undefined {
  try {
    return checker.run(value);
  } catch (error) {
    onThrow?.(error);
    return undefined;
  }
}
