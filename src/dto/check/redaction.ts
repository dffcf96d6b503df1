import type { CheckOutcome, Issue } from '../../call/issue.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import { mentions, REDACTED, redactValue, type SensitiveValues } from '../../errors/redact.ts';
import { indexShapes, type ObjectShape, type PropertyShape, type Shape } from '../shape/shape.ts';
import type { ClassCheck } from './class-check.ts';

/** What is left out of all that is said about the values of a DTO. */
export interface Redaction {
  /** The sensitive values in an input, as texts; they are read before anything is checked. */
  readonly valuesIn: (input: unknown) => SensitiveValues;
  /** The issues of an input without its sensitive values. */
  readonly issues: (issues: readonly Issue[], input: unknown) => readonly Issue[];
  /** An input with `[redacted]` in the place of each sensitive value. Unknown names of its own are left to the caller. */
  readonly shown: (input: PlainObject) => PlainObject;
}

/** Undefined for a DTO without @Sensitive() on any of its fields, at any depth. */
export function createRedaction(shape: ObjectShape): Redaction | undefined {
  const shapes = indexShapes(shape);
  const hasAny = [...shapes.values()].some(({ properties }) => properties.some((one) => one.isSensitive));
  if (!hasAny) return undefined;
  const places: Places = {
    root: shape,
    objectsOf: (one) => objectsOf(one, shapes),
    holds: (one) => holdsSensitive(one, (inner) => objectsOf(inner, shapes)),
  };
  const valuesIn = (input: unknown): SensitiveValues => sensitiveValues(input, places);
  return Object.freeze({
    valuesIn,
    issues: (issues, input) => {
      const values = valuesIn(input);
      return Object.freeze(issues.map((issue) => Object.freeze(redactIssue(issue, values, places))));
    },
    shown: (input) => Object.fromEntries(shownMembers(input, [shape], places)),
  } satisfies Redaction);
}

/** A check whose answers have no sensitive values in them. */
export function redactingCheck(check: ClassCheck, redaction: Redaction | undefined): ClassCheck {
  if (redaction === undefined) return check;
  const settle = (outcome: CheckOutcome<object>, input: unknown): CheckOutcome<object> => {
    const { failure } = outcome;
    if (outcome.ok && failure === undefined) return outcome;
    const redacted = failure && { ...failure, error: redactValue(failure.error, redaction.valuesIn(input)) };
    if (outcome.ok) return { ...outcome, failure: redacted };
    return { ok: false, issues: redaction.issues(outcome.issues, input), failure: redacted };
  };
  return (value): MaybePromise<CheckOutcome<object>> => {
    const answer = check(value);
    return answer instanceof Promise
      ? answer.then((outcome) => settle(outcome, value))
      : settle(answer, value);
  };
}

function redactIssue(issue: Issue, values: SensitiveValues, places: Places): Issue {
  const isUnknown = issue.message === 'unknown field';
  const place = placeOf(issue.path, places);
  const isHidden = place === 'inside' || (place === 'beside' && isUnknown);
  const isQuoting = isHidden ? quotes(issue.message, values) : mentions(issue.message, values);
  const message = isQuoting && !isUnknown ? 'is not valid' : issue.message;
  const { received } = issue;
  if (received === undefined || received === 'nothing') return { ...issue, message };
  const isShown = !isHidden && !mentions(received, values);
  return { ...issue, message, received: isShown ? received : REDACTED };
}

/** class-validator writes values into messages by `replace`, which gives `$` a meaning: such a value looks different there. */
function quotes(message: string, values: SensitiveValues): boolean {
  return mentions(message, values, 1) || values?.some((value) => value.includes('$')) === true;
}

/** The shapes that a path can be followed through. */
interface Places {
  readonly root: ObjectShape;
  readonly objectsOf: (shape: Shape) => readonly Shape[];
  /** Whether a sensitive field is somewhere in values of the shape. */
  readonly holds: (shape: Shape) => boolean;
}

/** The same shapes with references followed and unions opened. */
function objectsOf(shape: Shape, shapes: ReturnType<typeof indexShapes>): readonly Shape[] {
  if (shape.kind === 'ref') return [shapes.get(shape.id) ?? shape];
  if (shape.kind === 'union') return shape.options.flatMap((option) => objectsOf(option.shape, shapes));
  if (shape.kind === 'opaque') return shape.result === undefined ? [] : objectsOf(shape.result, shapes);
  return [shape];
}

/**
 * Where a path leads: into a sensitive value, beside one in the same object, or elsewhere. A name may have dots in it,
 * so a part of the path that no shape knows is taken for a part of a name, and what is doubtful is inside.
 */
function placeOf(path: string, places: Places): 'inside' | 'beside' | 'elsewhere' {
  let shapes = new Set<Shape>([places.root]);
  const parts = path.split('.');
  for (const part of parts) {
    const next = new Set<Shape>();
    for (const shape of shapes) {
      const { isSensitive, inner } = step(shape, part);
      if (isSensitive) return 'inside';
      for (const one of inner.flatMap((each) => places.objectsOf(each))) next.add(one);
    }
    shapes = next;
  }
  return [...shapes].some(hasSensitive) ? 'beside' : 'elsewhere';
}

function step(
  shape: Shape,
  part: string,
): { readonly isSensitive: boolean; readonly inner: readonly Shape[] } {
  if (shape.kind === 'array')
    return { isSensitive: false, inner: /^\d+$/.test(part) ? [shape.items] : [shape] };
  if (shape.kind === 'map') return { isSensitive: false, inner: [shape, shape.values] };
  if (shape.kind !== 'object') return { isSensitive: false, inner: [] };
  const named = shape.properties.filter(({ name }) => name === part || name.startsWith(`${part}.`));
  const inner = named.length === 0 ? [shape] : named.map((property) => property.shape);
  return { isSensitive: named.some((property) => property.isSensitive), inner };
}

function holdsSensitive(whole: Shape, objects: Places['objectsOf']): boolean {
  const open = new Set(objects(whole));
  // Also what is added on the way is looked at
  for (const shape of open) {
    if (hasSensitive(shape)) return true;
    for (const inner of insideOf(shape).flatMap((each) => objects(each))) open.add(inner);
  }
  return false;
}

function insideOf(shape: Shape): readonly Shape[] {
  if (shape.kind === 'object') return shape.properties.map((property) => property.shape);
  if (shape.kind === 'array') return [shape.items];
  return shape.kind === 'map' ? [shape.values] : [];
}

function hasSensitive(shape: Shape): boolean {
  return shape.kind === 'object' && shape.properties.some(({ isSensitive }) => isSensitive);
}

const MOST_VALUES = 1000;

/** A value on the way, and whether it is within a sensitive one. */
interface Visit {
  readonly value: unknown;
  readonly shapes: readonly Shape[];
  readonly isInside: boolean;
}

/** A client chooses how deep its input is, so nothing here calls itself. */
function sensitiveValues(input: unknown, places: Places): SensitiveValues {
  const found = new Set<string>();
  const open: Visit[] = [{ value: input, shapes: [places.root], isInside: false }];
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    const { value, shapes, isInside } = visit;
    if (typeof value === 'object' && value !== null)
      open.push(...visitsBelow(value, shapes, isInside, places));
    else if (['string', 'number', 'bigint'].includes(typeof value)) {
      // A text in place of an object may be the object as JSON
      if (value !== '' && (isInside || shapes.some(places.holds))) found.add(String(value));
    }
    if (found.size > MOST_VALUES) return undefined;
  }
  return [...found];
}

function visitsBelow(
  value: object,
  shapes: readonly Shape[],
  isInside: boolean,
  places: Places,
): readonly Visit[] {
  // within a sensitive value, its shape no longer counts
  if (isInside) return Object.values(value).map((inner: unknown) => ({ value: inner, shapes, isInside }));
  if (Array.isArray(value)) {
    const items = shapes.flatMap((shape) => places.objectsOf(shape.kind === 'array' ? shape.items : shape));
    return value.map((inner: unknown) => ({ value: inner, shapes: items, isInside }));
  }
  if (!isPlainObject(value)) return [];
  return Object.entries(value).map(([name, inner]) => {
    const properties = shapes.flatMap((shape) => (shape.kind === 'object' ? shape.properties : []));
    const named = properties.filter((property) => property.name === name);
    const values = shapes.flatMap((shape) => (shape.kind === 'map' ? [shape.values] : []));
    const next = [...values, ...named.map(({ shape }: PropertyShape) => shape)];
    return {
      value: inner,
      shapes: next.flatMap((shape) => places.objectsOf(shape)),
      isInside: named.some((property) => property.isSensitive),
    };
  });
}

function shownValue({ value, shapes, isInside }: Visit, places: Places): unknown {
  if (isInside) return REDACTED;
  if (Array.isArray(value))
    return visitsBelow(value, shapes, false, places).map((visit) => shownValue(visit, places));
  // A text in place of an object may be the object as JSON
  if (!isPlainObject(value)) return shapes.some(places.holds) ? REDACTED : value;
  const members = shownMembers(value, shapes, places);
  if (!shapes.some(hasSensitive)) return Object.fromEntries(members);
  // What an object does not have may be a sensitive member with a misspelt name
  const known = shapes.flatMap((shape) => (shape.kind === 'object' ? shape.properties : []));
  const isKnown = (name: string): boolean => known.some((property) => property.name === name);
  return Object.fromEntries(members.map(([name, inner]) => [name, isKnown(name) ? inner : REDACTED]));
}

function shownMembers(
  value: PlainObject,
  shapes: readonly Shape[],
  places: Places,
): readonly (readonly [string, unknown])[] {
  const visits = visitsBelow(value, shapes, false, places);
  return Object.keys(value).map((name, index) => [name, shownValue(visits[index] as Visit, places)]);
}
