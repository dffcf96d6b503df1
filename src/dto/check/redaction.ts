import type { CheckOutcome, Issue } from '../../call/issue.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import { mentions, REDACTED, redactValue, type SensitiveValues } from '../../errors/redact.ts';
import { indexShapes, innerShapes, type ObjectShape, type Shape } from '../shape/shape.ts';
import type { ClassCheck } from './class-check.ts';
import { withoutCause } from './find-throwing.ts';

/** What is left out of all that is said about the values of a DTO. */
export interface Redaction {
  /** The names of sensitive fields, and of those that hold some, at any depth. */
  readonly names: ReadonlySet<string>;
  /** The sensitive values in an input, as texts; they are read before anything is checked. */
  readonly valuesIn: (input: unknown) => SensitiveValues;
  /** The issues of an input without its sensitive values. */
  readonly issues: (issues: readonly Issue[], input: unknown) => readonly Issue[];
  /** An input with `[redacted]` in the place of each sensitive value. Unknown names of its own are left to the caller. */
  readonly shown: (input: PlainObject) => PlainObject;
}

/** Undefined for a DTO without @Sensitive() on any of its fields, at any depth. */
export function createRedaction(shape: ObjectShape): Redaction | undefined {
  const places = createPlaces(shape);
  if (!places.holds(shape)) return undefined;
  const valuesIn = (input: unknown): SensitiveValues => sensitiveValues(input, places);
  return Object.freeze({
    names: new Set(sensitiveNames(shape, places)),
    valuesIn,
    issues: (issues, input) => {
      const values = valuesIn(input);
      return Object.freeze(issues.map((issue) => Object.freeze(redactIssue(issue, values, places))));
    },
    shown: (input) =>
      Object.fromEntries(rootVisits(input, places).map((visit) => [visit.name, shownValue(visit, places)])),
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

/** The shapes that the values of an input may have to have, wherever a client has put them. */
interface Places {
  readonly root: Shape;
  /**
   * The same shapes with references followed and unions opened. A list stands for its items: clients send one object for
   * a list of one, and lists for one object, and the libraries go on with either.
   */
  readonly open: (shape: Shape) => readonly Shape[];
  /** Whether a sensitive field is somewhere in values of the shape. */
  readonly holds: (shape: Shape) => boolean;
}

function createPlaces(root: ObjectShape): Places {
  const shapes = indexShapes(root);
  const open = (shape: Shape): readonly Shape[] => {
    if (shape.kind === 'ref') return [shapes.get(shape.id) ?? shape];
    if (shape.kind === 'array') return open(shape.items);
    if (shape.kind === 'union') return [shape, ...shape.options.flatMap((option) => open(option.shape))];
    if (shape.kind === 'opaque') return shape.result === undefined ? [] : open(shape.result);
    return [shape];
  };
  const known = new Map<Shape, boolean>();
  const holds = (shape: Shape): boolean => {
    const found = known.get(shape) ?? holdsSensitive(shape, open);
    known.set(shape, found);
    return found;
  };
  return { root, open, holds };
}

function holdsSensitive(whole: Shape, open: Places['open']): boolean {
  const shapes = new Set(open(whole));
  // Also what is added on the way is looked at
  for (const shape of shapes) {
    if (shape.kind === 'object' && shape.properties.some(({ isSensitive }) => isSensitive)) return true;
    for (const inner of innerShapes(shape).flatMap(open)) shapes.add(inner);
  }
  return false;
}

/** Also the names that the class gives to fields that have others in the input: a client may send those. */
function* sensitiveNames(root: Shape, { open, holds }: Places): Generator<string> {
  const shapes = new Set(open(root));
  // Also what is added on the way is looked at
  for (const shape of shapes) {
    for (const inner of innerShapes(shape).flatMap(open)) shapes.add(inner);
    if (shape.kind !== 'object') continue;
    for (const { name, property, isSensitive, shape: inner } of shape.properties)
      if (isSensitive || open(inner).some(holds)) yield* [name, property];
  }
}

/** The value of a member: whether it must not be shown, and the shapes that it may have to have. */
interface Member {
  readonly isHidden: boolean;
  /** False for a name that no shape declares. */
  readonly isKnown: boolean;
  readonly shapes: readonly Shape[];
}

const TAG: readonly Shape[] = [{ kind: 'scalar', type: 'string' }];

/** What is doubtful is hidden: a name that nobody declared may be the misspelt one of a sensitive field, or of what holds one. */
function memberOf(
  shapes: readonly Shape[],
  isNamed: (name: string) => boolean,
  { open, holds }: Places,
): Member {
  const properties = shapes.flatMap((shape) =>
    shape.kind === 'object' ? shape.properties.filter(({ name }) => isNamed(name)) : [],
  );
  const values = shapes.flatMap((shape) => (shape.kind === 'map' ? [shape.values] : []));
  const isTag = shapes.some((shape) => shape.kind === 'union' && isNamed(shape.discriminator));
  const isKnown = isTag || properties.length > 0 || values.length > 0;
  const isSensitive = properties.some((property) => property.isSensitive);
  const inner = [...values, ...properties.map(({ shape }) => shape)].flatMap(open);
  return {
    isHidden: isSensitive || (!isKnown && shapes.some(holds)),
    isKnown,
    shapes: isTag ? [...inner, ...TAG] : inner,
  };
}

const FREE: ReadonlySet<string> = new Set(['object', 'array', 'any']);

/** An object in the place of a text or number may be any other field of the input. */
function isMisplaced(value: unknown, shapes: readonly Shape[]): boolean {
  if (!isPlainObject(value) || shapes.length === 0) return false;
  return shapes.every((shape) => shape.kind === 'enum' || (shape.kind === 'scalar' && !FREE.has(shape.type)));
}

/** The kinds of values that are described by one word. */
const KINDS: ReadonlySet<string> = new Set(['nothing', 'null', 'array', 'object']);

function redactIssue(issue: Issue, values: SensitiveValues, places: Places): Issue {
  const { received } = issue;
  const message = withoutCause(issue.message);
  const isUnknown = message === 'unknown field';
  const { isHidden: isInside, isHolder, path } = placeOf(issue.path, places);
  // A text in place of an object may be the object as JSON
  const isHidden = isInside || (isHolder && received !== undefined && !KINDS.has(received));
  const isQuoting = isHidden ? quotes(message, values) : mentions(message, values);
  const shown = { ...issue, path, message: isQuoting && !isUnknown ? 'is not valid' : message };
  if (received === undefined || received === 'nothing') return shown;
  return { ...shown, received: isHidden || mentions(received, values) ? REDACTED : received };
}

/** class-validator writes values into messages by `replace`, which gives `$` a meaning: such a value looks different there. */
function quotes(message: string, values: SensitiveValues): boolean {
  return mentions(message, values, 1) || values?.some((value) => value.includes('$')) === true;
}

/** Where a path leads: whether to a value that must not be shown, or to one that should have such values in it. */
interface Place {
  readonly isHidden: boolean;
  readonly isHolder: boolean;
  /** The path without names that are a part of a sensitive value. */
  readonly path: string;
}

/**
 * A name may have dots in it, so a part of the path that no shape knows is taken for a part of a name.
 * What is doubtful is hidden.
 */
function placeOf(path: string, places: Places): Place {
  let shapes = places.open(places.root);
  let isHidden = false;
  const shown: string[] = [];
  for (const part of path === '' ? [] : path.split('.')) {
    const member = memberOf(shapes, (name) => name === part || name.startsWith(`${part}.`), places);
    const isIndex = /^\d+$/.test(part);
    const isMap = shapes.some(({ kind }) => kind === 'map');
    const isName = member.isKnown && !isMap;
    shown.push(isHidden && !isIndex && !isName ? REDACTED : part);
    isHidden ||= member.isHidden && (member.isKnown || !isIndex);
    // A list stands for its items, and a name may go on with the next part
    shapes = isName && !isIndex ? member.shapes : distinct([...shapes, ...member.shapes]);
  }
  return { isHidden, isHolder: shapes.some(places.holds), path: shown.join('.') };
}

function distinct(shapes: readonly Shape[]): readonly Shape[] {
  return [...new Set(shapes)];
}

const MAX_VALUES = 1000;

/** A value on the way, and whether it must not be shown. */
interface Visit {
  readonly value: unknown;
  readonly shapes: readonly Shape[];
  readonly isHidden: boolean;
}

/** A client chooses how deep its input is, so nothing here calls itself. */
function sensitiveValues(input: unknown, places: Places): SensitiveValues {
  const found = new Set<string>();
  const open: Visit[] = isPlainObject(input) ? [...rootVisits(input, places)] : [];
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    const { value, shapes, isHidden } = visit;
    if (typeof value === 'object' && value !== null) {
      for (const inner of visitsBelow(visit, places)) open.push(inner);
    } else if (['string', 'number', 'bigint'].includes(typeof value)) {
      // A text in place of an object may be the object as JSON
      if (value !== '' && (isHidden || shapes.some(places.holds))) found.add(String(value));
    }
    if (found.size > MAX_VALUES) return undefined;
  }
  return [...found];
}

function visitsBelow({ value, shapes, isHidden }: Visit, places: Places): readonly Visit[] {
  if (Array.isArray(value)) return value.map((inner: unknown) => ({ value: inner, shapes, isHidden }));
  if (isHidden || isMisplaced(value, shapes)) {
    return Object.values(value as object).map((inner: unknown) => ({ value: inner, shapes, isHidden: true }));
  }
  return isPlainObject(value) ? membersBelow(value, shapes, places) : [];
}

interface MemberVisit extends Visit {
  readonly name: string;
  readonly isKnown: boolean;
}

function membersBelow(value: PlainObject, shapes: readonly Shape[], places: Places): readonly MemberVisit[] {
  return Object.entries(value).map(([name, inner]) => ({
    ...memberOf(shapes, (declared) => declared === name, places),
    name,
    value: inner,
  }));
}

/** Names that the root does not declare may be declared elsewhere, as those of another DTO of the same call. */
function rootVisits(value: PlainObject, places: Places): readonly MemberVisit[] {
  return membersBelow(value, places.open(places.root), places).map((visit) =>
    visit.isKnown ? visit : { ...visit, isHidden: false },
  );
}

function shownValue(visit: Visit, places: Places): unknown {
  const { value, shapes, isHidden } = visit;
  if (isHidden || isMisplaced(value, shapes)) return REDACTED;
  if (Array.isArray(value)) return visitsBelow(visit, places).map((inner) => shownValue(inner, places));
  // A text in place of an object may be the object as JSON
  if (!isPlainObject(value)) return shapes.some(places.holds) ? REDACTED : value;
  return Object.fromEntries(
    membersBelow(value, shapes, places).map((inner) => [inner.name, shownValue(inner, places)]),
  );
}
