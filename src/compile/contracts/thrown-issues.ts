import type { Issue } from '../../call/issue.ts';
import { isOff } from '../../shape/refuses.ts';
import type { Constraint, PropertyShape, Shape } from '../../shape/shape.ts';
import type { PathSegment } from '../checker/copy-json.ts';
import type { ClassIssueContext } from './class-issues.ts';
import { makeIssue } from './make-issue.ts';

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
    if (fails(constraint, value, object)) {
      yield makeIssue(path, `${property.name} ${constraint.phrase}`, context);
    }
  }
  yield* thrownIssues(property.shape, value, path, context);
}

function fails(constraint: Constraint, value: unknown, object: object): boolean {
  if (constraint.isConditional || constraint.isAsync) return false;
  const values: readonly unknown[] = constraint.each && Array.isArray(value) ? value : [value];
  return values.some((one) => {
    try {
      const answer = constraint.validate(one, object);
      if (answer instanceof Promise) answer.catch(() => undefined);
      return !answer;
    } catch {
      return true;
    }
  });
}
