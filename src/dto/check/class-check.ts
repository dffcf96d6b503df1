import type { CheckFailure, CheckOutcome } from '../../call/issue.ts';
import { thrownMessage } from '../../call/thrown-message.ts';
import type { UnknownFields } from '../../metadata/options.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { ObjectShape } from '../shape/shape.ts';
import type { RunCheck } from './check-plan.ts';
import { createClosures } from './closure-check.ts';
import { explainPlan, type CheckExplanation, type CheckPath, type ExplainedRule } from './explanation.ts';
import { generateCheck } from './generate-check.ts';
import { planCheck } from './plan-check.ts';

/** Checks and converts a value: gives the instance, or all issues. */
export type ClassCheck = (value: PlainObject) => MaybePromise<CheckOutcome<object>>;

/** The compiled check of a DTO, in front of class-transformer and class-validator. */
export interface Checker {
  /**
   * Undefined: the libraries decide. Never throws.
   * @param onThrow is given what was thrown instead of an answer
   */
  readonly run: (value: PlainObject, onThrow?: (error: unknown) => void) => object | undefined;
  readonly explanation: CheckExplanation;
}

/**
 * The check of a DTO class. Values that the compiled checker does not accept go to the libraries. Their answer is
 * final, and they are prepared for the first value that they get.
 */
export function createClassCheck(checker: Checker, prepareLibraries: () => ClassCheck): ClassCheck {
  let byLibraries: ClassCheck | undefined;
  let thrown: CheckFailure | undefined;
  let isTold = false;
  const onThrow = (error: unknown): void => {
    thrown = { error, by: 'framework' };
  };
  // If the libraries do not throw for the same value, no rule did: the compiled check is wrong, which is logged once
  const explain = (outcome: CheckOutcome<object>, failure: CheckFailure): CheckOutcome<object> => {
    if (outcome.failure !== undefined || isTold) return outcome;
    isTold = true;
    return { ...outcome, failure };
  };
  return (value) => {
    const instance = checker.run(value, onThrow);
    if (instance !== undefined) return { ok: true, value: instance };
    const failure = thrown;
    thrown = undefined;
    byLibraries ??= prepareLibraries();
    const answer = byLibraries(value);
    if (failure === undefined) return answer;
    return answer instanceof Promise
      ? answer.then((outcome) => explain(outcome, failure))
      : explain(answer, failure);
  };
}

export interface CheckerOptions {
  readonly unknownFields: UnknownFields;
  /** Fields of the root that another contract checks. */
  readonly redeclared?: readonly string[];
  /** The first kind of check to try. Default `generated`. */
  readonly path?: CheckPath;
}

/**
 * The check of a DTO class, as far as it works without the libraries. It is compiled when it is first needed:
 * compiling a thousand actions would delay the start by seconds, and perhaps ten of them are called.
 */
export function createChecker(shape: ObjectShape, options: CheckerOptions): Checker {
  let current: CompiledCheck | undefined;
  const compiled = (): CompiledCheck =>
    (current ??= compileSafely(shape, options, (given) => {
      current = given;
    }));
  return Object.freeze({
    run: (value, onThrow) => {
      // An error of a constructor, condition or validator is thrown again when the libraries check the value
      try {
        return (current ?? compiled()).run(value);
      } catch (error) {
        onThrow?.(error);
        return undefined;
      }
    },
    get explanation() {
      return compiled().explanation;
    },
  } satisfies Checker);
}

interface CompiledCheck {
  readonly run: RunCheck;
  readonly explanation: CheckExplanation;
}

/** Replaces a compiled check from the next value on. */
type Replace = (check: CompiledCheck) => void;

/** A class that cannot be compiled is left to the libraries, and `explain()` says why. */
function compileSafely(shape: ObjectShape, options: CheckerOptions, replace: Replace): CompiledCheck {
  try {
    return compileCheck(shape, options, replace);
  } catch (thrown) {
    const run = (): never => {
      throw thrown;
    };
    return { ...leftToLibraries(shape, `its compilation failed: ${thrownMessage(thrown)}`), run };
  }
}

function compileCheck(
  shape: ObjectShape,
  { unknownFields, redeclared = [], path = 'generated' }: CheckerOptions,
  replace: Replace,
): CompiledCheck {
  if (path === 'class-stack') return leftToLibraries(shape, 'it was asked for');
  const plan = planCheck(shape, {
    unknownFields,
    redeclared,
    // calling it twice for every value may query a database twice
    onPromise: () => replace(leftToLibraries(shape, 'one of its validators gave a promise')),
  });
  if ('obstacle' in plan) return leftToLibraries(shape, plan.obstacle);
  const rules = explainPlan(plan);
  const generated = path === 'generated' ? generateCheck(plan) : undefined;
  if (generated !== undefined) {
    return { run: generated, explanation: explain(shape, 'generated', 'nothing stands in the way', rules) };
  }
  const reason = 'the platform allows no code that is made at run time';
  return { run: createClosures(plan), explanation: explain(shape, 'closures', reason, rules) };
}

function leftToLibraries(shape: ObjectShape, reason: string): CompiledCheck {
  return { run: () => undefined, explanation: explain(shape, 'class-stack', reason) };
}

function explain(
  shape: ObjectShape,
  path: CheckPath,
  reason: string,
  rules: readonly ExplainedRule[] = [],
): CheckExplanation {
  return Object.freeze({ dto: shape.id.name, path, reason, rules: Object.freeze(rules) });
}
