import {
  firstIssues,
  type CheckOutcome,
  type Issue,
  MOST_MADE,
  makeIssue,
  refused,
  type CheckedInput,
} from '../../call/issue.ts';
import type { UnknownFields } from '../../metadata/options.ts';
import { describeExpected } from '../../schema/describe-expected.ts';
import type { Class } from '../../shared/class-type.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import {
  indexShapes,
  type ObjectShape,
  type Constraint,
  type PropertyShape,
  type Shape,
} from '../shape/shape.ts';
import { isCarried } from '../shape/transformer-metadata.ts';
import type { Checker, ClassCheck } from './class-check.ts';
import {
  createClassStack,
  type ClassStack,
  type StackResult,
  type StackFailure,
  createThinLists,
} from './class-stack.ts';
import { concerns, withoutNames, createNameCheck, type NamedInput } from './copy-input.ts';
import type { PathSegment } from '../../schema/schema-at.ts';
import { isOff, refusesValue } from '../shape/property-rules.ts';

interface LibraryCheckOptions {
  readonly unknownFields: UnknownFields;
  /** Fields that another contract checks. */
  readonly redeclared: readonly string[];
  readonly side: 'input' | 'output';
  /** List items that it accepts are not passed to the libraries. */
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

  const ownIssues = (named: NamedInput, found: Iterable<Issue>, checked: CheckedInput): Iterable<Issue> =>
    issuesOutside(redeclared, named, found, checked);
  const settle = (named: NamedInput, result: StackResult, checked: CheckedClassInput): Outcome => {
    const issues = firstIssues(ownIssues(named, classIssues(result.failures, shape, [], checked), checked));
    return issues.length > 0 ? refused(issues) : { ok: true, value: result.instance };
  };
  const settleThrown = (named: NamedInput, checked: CheckedClassInput, error: unknown): Outcome => {
    const issues = firstIssues(ownIssues(named, guardedThrown(shape, stack, named.value, checked), checked));
    const found = issues.length > 0 ? issues : [makeIssue([], 'the value could not be checked', checked)];
    return { ...refused(found), failure: { error, by: 'rule' } };
  };
  const run = createRun(stack);
  const runWhole = (named: NamedInput, checked: CheckedClassInput): Answer => {
    const settled: Settle = (result) => settle(named, result, checked);
    const rest = withoutNames(named.value, redeclared) as PlainObject;
    const thrown = (error: unknown): Outcome => settleThrown(named, checked, error);
    // a value of the other contract's type may be the reason why a conversion or validator throws here
    return run(named.value, settled, rest === named.value ? thrown : () => run(rest, settled, thrown));
  };

  return (value) => {
    const checked: CheckedClassInput = { schema, input: value, shapes, isIgnored };
    const named = checkNames(value);
    if (named.isTooDeep) return refused(named.issues);
    const whole = (): Answer => runWhole(named, checked);
    // a validator that has returned a promise since then must not be called twice
    const thin = checker.explanation.path === 'class-stack' ? undefined : thinLists?.(named.value);
    if (thin === undefined) return whole();
    const settled: Settle = (result) => {
      const outcome = settle(named, result, checked);
      return outcome.ok ? whole() : outcome;
    };
    return run(thin.value, settled, whole, thin.spread);
  };
}

/** The issues of fields that are checked here; issues inside a value of an unknown sub-type do not count. */
function* issuesOutside(
  redeclared: readonly string[],
  named: NamedInput,
  found: Iterable<Issue>,
  checked: CheckedInput,
): Generator<Issue> {
  const isOwn = ({ path }: Issue): boolean => !concerns(path, redeclared);
  const told = named.issues.map(({ path }) => path);
  for (const issue of named.issues) if (isOwn(issue)) yield issue;
  for (const issue of found) {
    if (!isOwn(issue) || concerns(issue.path, named.closed)) continue;
    told.push(issue.path);
    yield issue;
  }
  // the validators have words of their own for what they refuse as well
  for (const issue of misfitIssues(named, checked)) {
    const isTold = concerns(issue.path, told) || told.some((path) => concerns(path, [issue.path]));
    if (isOwn(issue) && !isTold) yield issue;
  }
}

/** The issues of values that the published schema refuses. */
function* misfitIssues({ misfits }: NamedInput, checked: CheckedInput): Generator<Issue> {
  for (const { path, schema } of misfits) {
    yield makeIssue(path, `must be ${describeExpected(schema) ?? 'as the schema says'}`, checked);
  }
}

type Run = (
  plain: PlainObject,
  settled: Settle,
  failed: (error: unknown) => Answer,
  prepare?: (made: object) => void,
) => Answer;

/** Validates a value; if something throws, the other answer is used. */
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
  checked: CheckedClassInput,
): readonly Issue[] {
  try {
    return firstIssues(thrownIssues(shape, stack.hydrate(plain), [], checked));
  } catch {
    return [];
  }
}

interface CheckedClassInput extends CheckedInput {
  readonly shapes: ReadonlyMap<Class, ObjectShape>;
  /** True for properties whose validators have nothing to look at. */
  readonly isIgnored: (type: Class, property: string) => boolean;
}

/** Translates the failures of class-validator, using the names of the input. */
function* classIssues(
  failures: readonly StackFailure[],
  shape: Shape | undefined,
  path: readonly PathSegment[],
  checked: CheckedClassInput,
): Generator<Issue> {
  for (const failure of failures) {
    if (isIgnored(failure.property, shape, checked)) continue;
    const place = locate(failure.property, shape, checked);
    const inner = place.segment === undefined ? path : [...path, place.segment];
    for (const [name, message] of Object.entries(failure.messages)) {
      const paths = pathsOf(name, place.property, failure.value, inner);
      for (const at of paths) yield makeIssue(at, message, checked);
    }
    yield* classIssues(failure.children, place.shape, inner, checked);
  }
}

interface Place {
  readonly segment: PathSegment | undefined;
  readonly shape: Shape | undefined;
  readonly property: PropertyShape | undefined;
}

/** Where a failure's name leads: to a property, an item of an array, or a value of a map. */
function locate(name: string | undefined, shape: Shape | undefined, { shapes }: CheckedClassInput): Place {
  if (name === undefined) return { segment: undefined, shape, property: undefined };
  const classes = classesOf(shape).map((type) => shapes.get(type));
  const property = classes.flatMap((one) => one?.properties ?? []).find((one) => one.property === name);
  if (property !== undefined) return { segment: property.name, shape: property.shape, property };
  if (shape?.kind === 'map') return { segment: name, shape: shape.values, property: undefined };
  const index = /^\d+$/.test(name) ? Number(name) : name;
  return { segment: index, shape: shape?.kind === 'array' ? shape.items : shape, property: undefined };
}

function isIgnored(name: string | undefined, shape: Shape | undefined, checked: CheckedClassInput): boolean {
  return name !== undefined && classesOf(shape).some((type) => checked.isIgnored(type, name));
}

function classesOf(shape: Shape | undefined): readonly Class[] {
  if (shape?.kind === 'object' || shape?.kind === 'ref') return [shape.id];
  return shape?.kind === 'union' ? shape.options.map((option) => option.shape.id) : [];
}

/** A rule for each item is reported at the items that break it, where they are known. */
function pathsOf(
  name: string,
  property: PropertyShape | undefined,
  value: unknown,
  path: readonly PathSegment[],
): readonly (readonly PathSegment[])[] {
  const constraint = property?.constraints.find((one) => one.each && one.name === name);
  if (constraint === undefined || constraint.isAsync || !constraint.isBuiltIn || !Array.isArray(value))
    return [path];
  const broken: (readonly PathSegment[])[] = [];
  for (let index = 0; index < value.length && broken.length < MOST_MADE; index += 1) {
    // a missing item was already accepted
    if (index in value && breaks(constraint, value[index])) broken.push([...path, index]);
  }
  return broken.length === 0 ? [path] : broken;
}

function breaks(constraint: Constraint, item: unknown): boolean {
  try {
    return constraint.validate(item, {}) !== true;
  } catch {
    return true;
  }
}

/**
 * class-validator stops at the first validator that throws. Then each rule is run separately,
 * so that the answer still names the field; the message of the thrown error is not sent.
 */
function* thrownIssues(
  shape: Shape,
  instance: unknown,
  path: readonly PathSegment[],
  checked: CheckedClassInput,
): Generator<Issue> {
  if (typeof instance !== 'object' || instance === null) return;
  if (Array.isArray(instance)) {
    const items = shape.kind === 'array' ? shape.items : shape;
    for (const [index, item] of instance.entries()) {
      yield* thrownIssues(items, item, [...path, index], checked);
    }
    return;
  }
  const object = shape.kind === 'object' || shape.kind === 'ref' ? checked.shapes.get(shape.id) : undefined;
  for (const property of object?.properties ?? []) yield* propertyIssues(property, instance, path, checked);
}

function* propertyIssues(
  property: PropertyShape,
  object: object,
  outer: readonly PathSegment[],
  checked: CheckedClassInput,
): Generator<Issue> {
  const value = (object as Record<string, unknown>)[property.property];
  const path = [...outer, property.name];
  if (property.conditions.some((condition) => isOff(condition, value, object))) return;
  for (const constraint of property.constraints) {
    if (refusesValue(constraint, value, object)) {
      yield makeIssue(path, `${property.name} ${constraint.phrase}`, checked);
    }
  }
  yield* thrownIssues(property.shape, value, path, checked);
}
