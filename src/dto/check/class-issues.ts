import { MOST_MADE, type Issue } from '../../call/issue.ts';
import { makeIssue, type IssueContext } from '../../call/make-issue.ts';
import type { PathSegment } from '../../schema/schema-at.ts';
import type { Class } from '../../shared/class-type.ts';
import { isOff, refusesValue } from '../shape/property-rules.ts';
import type { Constraint, ObjectShape, PropertyShape, Shape } from '../shape/shape.ts';
import type { StackFailure } from './class-stack.ts';

export interface ClassIssueContext extends IssueContext {
  readonly shapes: ReadonlyMap<Class, ObjectShape>;
  /** True for properties whose validators have nothing to look at. */
  readonly isIgnored: (type: Class, property: string) => boolean;
}

/** Translates what class-validator refuses, in the names of the input. */
export function* classIssues(
  failures: readonly StackFailure[],
  shape: Shape | undefined,
  path: readonly PathSegment[],
  context: ClassIssueContext,
): Generator<Issue> {
  for (const failure of failures) {
    if (isIgnored(failure.property, shape, context)) continue;
    const place = locate(failure.property, shape, context);
    const inner = place.segment === undefined ? path : [...path, place.segment];
    for (const [name, message] of Object.entries(failure.messages)) {
      const paths = pathsOf(name, place.property, failure.value, inner);
      for (const at of paths) yield makeIssue(at, message, context);
    }
    yield* classIssues(failure.children, place.shape, inner, context);
  }
}

interface Place {
  readonly segment: PathSegment | undefined;
  readonly shape: Shape | undefined;
  readonly property: PropertyShape | undefined;
}

/** Where a failure's name leads: to a property, an item of an array, or a value of a map. */
function locate(name: string | undefined, shape: Shape | undefined, { shapes }: ClassIssueContext): Place {
  if (name === undefined) return { segment: undefined, shape, property: undefined };
  const classes = classesOf(shape).map((type) => shapes.get(type));
  const property = classes.flatMap((one) => one?.properties ?? []).find((one) => one.property === name);
  if (property !== undefined) return { segment: property.name, shape: property.shape, property };
  if (shape?.kind === 'map') return { segment: name, shape: shape.values, property: undefined };
  const index = /^\d+$/.test(name) ? Number(name) : name;
  return { segment: index, shape: shape?.kind === 'array' ? shape.items : shape, property: undefined };
}

function isIgnored(name: string | undefined, shape: Shape | undefined, context: ClassIssueContext): boolean {
  return name !== undefined && classesOf(shape).some((type) => context.isIgnored(type, name));
}

function classesOf(shape: Shape | undefined): readonly Class[] {
  if (shape?.kind === 'object' || shape?.kind === 'ref') return [shape.id];
  return shape?.kind === 'union' ? shape.options.map((option) => option.shape.id) : [];
}

/** A rule for each item is reported at the items that break it, as far as they can be told. */
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
    // an item that is not there has been found to be right
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
 * class-validator stops at the first validator that throws. Each rule is then asked by itself,
 * so that the answer still names the field; what the thrown error says stays inside.
 */
export function* thrownIssues(
  shape: Shape,
  instance: unknown,
  path: readonly PathSegment[],
  context: ClassIssueContext,
): Generator<Issue> {
  if (typeof instance !== 'object' || instance === null) return;
  if (Array.isArray(instance)) {
    const items = shape.kind === 'array' ? shape.items : shape;
    for (const [index, item] of instance.entries()) {
      yield* thrownIssues(items, item, [...path, index], context);
    }
    return;
  }
  const object = shape.kind === 'object' || shape.kind === 'ref' ? context.shapes.get(shape.id) : undefined;
  for (const property of object?.properties ?? []) yield* propertyIssues(property, instance, path, context);
}

function* propertyIssues(
  property: PropertyShape,
  object: object,
  outer: readonly PathSegment[],
  context: ClassIssueContext,
): Generator<Issue> {
  const value = (object as Record<string, unknown>)[property.property];
  const path = [...outer, property.name];
  if (property.conditions.some((condition) => isOff(condition, value, object))) return;
  for (const constraint of property.constraints) {
    if (refusesValue(constraint, value, object)) {
      yield makeIssue(path, `${property.name} ${constraint.phrase}`, context);
    }
  }
  yield* thrownIssues(property.shape, value, path, context);
}
