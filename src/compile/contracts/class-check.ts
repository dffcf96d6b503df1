import { firstIssues, type CheckFailure, type CheckOutcome, type Issue } from '../../call/issue.ts';
import type { UnknownFields } from '../../metadata/options.ts';
import { indexShapes } from '../../shape/shape-index.ts';
import type { ObjectShape } from '../../shape/shape.ts';
import { isCarried } from '../../shape/transformer-metadata.ts';
import type { Class } from '../../shared/class-type.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { Checker } from '../checker/create-checker.ts';
import { createClassStack, type ClassStack, type StackResult } from '../checker/class-stack.ts';
import { createNameJudge, type JudgedInput } from '../checker/judge-names.ts';
import { createThinLists } from '../checker/thin-lists.ts';
import type { Contract } from '../contract.ts';
import { classIssues, type ClassIssueContext } from './class-issues.ts';
import { concerns } from './concerns.ts';
import { makeIssue, refused } from './make-issue.ts';
import { thrownIssues } from './thrown-issues.ts';
import { withoutNames } from './without-names.ts';

export interface ClassCheckOptions {
  readonly unknownFields: UnknownFields;
  /** Fields that another contract judges. */
  readonly redeclared: readonly string[];
  readonly side: 'input' | 'output';
  /** What it does not know, class-validator judges. */
  readonly checker: Checker;
}

type Outcome = CheckOutcome<object>;
type Answer = ReturnType<Contract['check']>;
type Settle = (result: StackResult) => Answer;

/**
 * Compiles the check of a DTO class. What the compiled checker does not accept takes the long way, whose answer
 * is final, and which is prepared for the first value that takes it.
 */
export function createClassCheck(
  shape: ObjectShape,
  schema: JsonSchema,
  options: ClassCheckOptions,
): Contract['check'] {
  const { checker } = options;
  let judge: Contract['check'] | undefined;
  let thrown: CheckFailure | undefined;
  let isTold = false;
  const onThrow = (error: unknown): void => {
    thrown = { error, by: 'framework' };
  };
  // Where the libraries throw nothing at the same value, no rule did: the compiled check is wrong, which is told once
  const explain = (outcome: Outcome, failure: CheckFailure): Outcome => {
    if (outcome.failure !== undefined || isTold) return outcome;
    isTold = true;
    return { ...outcome, failure };
  };
  return (value) => {
    const instance = checker.run(value, onThrow);
    if (instance !== undefined) return { ok: true, value: instance };
    const failure = thrown;
    thrown = undefined;
    judge ??= createLongWay(shape, schema, options);
    const answer = judge(value);
    if (failure === undefined) return answer;
    return answer instanceof Promise
      ? answer.then((outcome) => explain(outcome, failure))
      : explain(answer, failure);
  };
}

/** Names first, then conversion and validators in one go. */
function createLongWay(
  shape: ObjectShape,
  schema: JsonSchema,
  { unknownFields, redeclared, side, checker }: ClassCheckOptions,
): Contract['check'] {
  const shapes = indexShapes(shape);
  const judge = createNameJudge(shape, unknownFields);
  const stack = createClassStack(shape);
  const { path } = checker.explanation;
  const thinLists = path === 'class-stack' ? undefined : createThinLists(shape, { unknownFields, path });
  const isIgnored = (type: Class, property: string): boolean =>
    side === 'output' && !isCarried(type, property);

  /** The issues of fields that are judged here; what a sub-type nobody knows contains is none of them. */
  function* ownIssues({ issues, closed }: JudgedInput, found: Iterable<Issue>): Generator<Issue> {
    for (const issue of issues) if (!concerns(issue.path, redeclared)) yield issue;
    for (const issue of found) {
      if (!concerns(issue.path, closed) && !concerns(issue.path, redeclared)) yield issue;
    }
  }
  const settle = (judged: JudgedInput, result: StackResult, context: ClassIssueContext): Outcome => {
    const issues = firstIssues(ownIssues(judged, classIssues(result.failures, shape, [], context)));
    return issues.length > 0 ? refused(issues) : { ok: true, value: result.instance };
  };
  const settleThrown = (judged: JudgedInput, context: ClassIssueContext, error: unknown): Outcome => {
    const issues = firstIssues(ownIssues(judged, guardedThrown(shape, stack, judged.value, context)));
    const found = issues.length > 0 ? issues : [makeIssue([], 'the value could not be checked', context)];
    return { ...refused(found), failure: { error, by: 'rule' } };
  };
  const run = createRun(stack);
  const runWhole = (judged: JudgedInput, context: ClassIssueContext): Answer => {
    const settled: Settle = (result) => settle(judged, result, context);
    const rest = withoutNames(judged.value, redeclared) as PlainObject;
    const thrown = (error: unknown): Outcome => settleThrown(judged, context, error);
    // a value of the other contract's type may be what a conversion or validator here throws at
    return run(judged.value, settled, rest === judged.value ? thrown : () => run(rest, settled, thrown));
  };

  return (value) => {
    const context: ClassIssueContext = { schema, input: value, shapes, isIgnored };
    const judged = judge(value);
    if (judged.isTooDeep) return refused(judged.issues);
    const whole = (): Answer => runWhole(judged, context);
    // a validator that has given a promise since then is not to be asked twice
    const thin = checker.explanation.path === 'class-stack' ? undefined : thinLists?.(judged.value);
    if (thin === undefined) return whole();
    const settled: Settle = (result) => {
      const outcome = settle(judged, result, context);
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
