import { firstIssues, type CheckOutcome, type Issue } from '../../call/issue.ts';
import { makeIssue, refused } from '../../call/make-issue.ts';
import type { UnknownFields } from '../../metadata/options.ts';
import type { Class } from '../../shared/class-type.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import { indexShapes, type ObjectShape } from '../shape/shape.ts';
import { isCarried } from '../shape/transformer-metadata.ts';
import type { Checker, ClassCheck } from './class-check.ts';
import { classIssues, thrownIssues, type ClassIssueContext } from './class-issues.ts';
import { createClassStack, type ClassStack, type StackResult } from './class-stack.ts';
import { concerns, withoutNames } from './copy-json.ts';
import { createNameCheck, type NamedInput } from './check-names.ts';
import { createThinLists } from './thin-lists.ts';

interface LibraryCheckOptions {
  readonly unknownFields: UnknownFields;
  /** Fields that another contract checks. */
  readonly redeclared: readonly string[];
  readonly side: 'input' | 'output';
  /** What it accepts of lists is left out of what the libraries look at. */
  readonly checker: Checker;
}

type Outcome = CheckOutcome<object>;
type Answer = MaybePromise<Outcome>;
type Settle = (result: StackResult) => Answer;

/** The check of a DTO class by the libraries: names first, then conversion and validators in one go. */
export function createLibraryCheck(
  shape: ObjectShape,
  schema: JsonSchema,
  { unknownFields, redeclared, side, checker }: LibraryCheckOptions,
): ClassCheck {
  const shapes = indexShapes(shape);
  const checkNames = createNameCheck(shape, unknownFields);
  const stack = createClassStack(shape);
  const { path } = checker.explanation;
  const thinLists = path === 'class-stack' ? undefined : createThinLists(shape, { unknownFields, path });
  const isIgnored = (type: Class, property: string): boolean =>
    side === 'output' && !isCarried(type, property);

  /** The issues of fields that are checked here; what a value of an unknown sub-type contains does not count. */
  function* ownIssues({ issues, closed }: NamedInput, found: Iterable<Issue>): Generator<Issue> {
    for (const issue of issues) if (!concerns(issue.path, redeclared)) yield issue;
    for (const issue of found) {
      if (!concerns(issue.path, closed) && !concerns(issue.path, redeclared)) yield issue;
    }
  }
  const settle = (named: NamedInput, result: StackResult, context: ClassIssueContext): Outcome => {
    const issues = firstIssues(ownIssues(named, classIssues(result.failures, shape, [], context)));
    return issues.length > 0 ? refused(issues) : { ok: true, value: result.instance };
  };
  const settleThrown = (named: NamedInput, context: ClassIssueContext, error: unknown): Outcome => {
    const issues = firstIssues(ownIssues(named, guardedThrown(shape, stack, named.value, context)));
    const found = issues.length > 0 ? issues : [makeIssue([], 'the value could not be checked', context)];
    return { ...refused(found), failure: { error, by: 'rule' } };
  };
  const run = createRun(stack);
  const runWhole = (named: NamedInput, context: ClassIssueContext): Answer => {
    const settled: Settle = (result) => settle(named, result, context);
    const rest = withoutNames(named.value, redeclared) as PlainObject;
    const thrown = (error: unknown): Outcome => settleThrown(named, context, error);
    // a value of the other contract's type may be what a conversion or validator here throws at
    return run(named.value, settled, rest === named.value ? thrown : () => run(rest, settled, thrown));
  };

  return (value) => {
    const context: ClassIssueContext = { schema, input: value, shapes, isIgnored };
    const named = checkNames(value);
    if (named.isTooDeep) return refused(named.issues);
    const whole = (): Answer => runWhole(named, context);
    // a validator that has given a promise since then is not to be asked twice
    const thin = checker.explanation.path === 'class-stack' ? undefined : thinLists?.(named.value);
    if (thin === undefined) return whole();
    const settled: Settle = (result) => {
      const outcome = settle(named, result, context);
      return outcome.ok ? whole() : outcome;
    };
    return run(thin.value, settled, whole, thin.spread);
  };
}

type Run = (
  plain: PlainObject,
  settled: Settle,
  failed: (error: unknown) => Answer,
  prepare?: (made: object) => void,
) => Answer;

/** Validates a value; what is thrown leads to the other answer. */
function createRun(stack: ClassStack): Run {
  return (plain, settled, failed, prepare) => {
    let result: StackResult | Promise<StackResult>;
    try {
      result = stack.run(plain, prepare);
    } catch (error) {
      return failed(error);
    }
    return result instanceof Promise ? result.then(settled, failed) : settled(result);
  };
}

function guardedThrown(
  shape: ObjectShape,
  stack: ClassStack,
  plain: PlainObject,
  context: ClassIssueContext,
): readonly Issue[] {
  try {
    return firstIssues(thrownIssues(shape, stack.hydrate(plain), [], context));
  } catch {
    return [];
  }
}
