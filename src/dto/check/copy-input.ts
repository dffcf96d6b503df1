import { MOST_MADE, unknownField, type Issue, describeReceived } from '../../call/issue.ts';
import type { UnknownFields } from '../../metadata/options.ts';
import type { PathSegment } from '../../schema/schema-at.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { emitField } from '../schema/emit-json-schema.ts';
import { isImplied } from './implied-fields.ts';
import { createFits, type Fits } from './published-values.ts';
import { readConversion } from './read-conversion.ts';
import { isDateTime } from '../../schema/validator/formats.ts';
import type { Class } from '../../shared/class-type.ts';
import { deepCopy } from '../../shared/deep-freeze.ts';
import { listValues } from '../../shared/listing.ts';
import { suggestionFor } from '../../shared/did-you-mean.ts';
import {
  indexShapes,
  type ObjectShape,
  type PropertyShape,
  type Shape,
  type UnionShape,
} from '../shape/shape.ts';

/** Deeper input is refused: the libraries behind the checks recurse, and the stack is finite. */
export const DEEPEST_LEVEL = 512;

/** What one pass over an input found. */
interface Findings {
  readonly unknownFields: UnknownFields;
  readonly issues: Issue[];
  /** The path to the current value. */
  readonly path: PathSegment[];
  isTooDeep: boolean;
  /** Null is among the values that were copied. */
  hasNull: boolean;
}

export function beginPass(unknownFields: UnknownFields): Findings {
  return { unknownFields, issues: [], path: [], isTooDeep: false, hasNull: false };
}

/** True for names that a plain object cannot have without shadowing a member that every object inherits. */
type IsReserved = (name: string) => boolean;

/** Copies JSON; reserved names are reported, or dropped where unknown fields are. */
export function copyJson(value: unknown, isReserved: IsReserved, findings: Findings): unknown {
  if (value === null) findings.hasNull = true;
  if (!Array.isArray(value) && !isPlainObject(value)) return value;
  return below(findings, () => {
    if (Array.isArray(value)) {
      return value.map((item: unknown, index) =>
        at(findings, index, () => copyJson(item, isReserved, findings)),
      );
    }
    const copy: Record<string, unknown> = {};
    for (const [name, item] of Object.entries(value)) {
      if (isReserved(name)) reportUnknown(name, item, [], findings);
      else copy[name] = at(findings, name, () => copyJson(item, isReserved, findings));
    }
    return copy;
  });
}

/** Runs a step one level further in. */
function at<T>(findings: Findings, segment: PathSegment, step: () => T): T {
  findings.path.push(segment);
  const result = step();
  findings.path.pop();
  return result;
}

function below(findings: Findings, step: () => unknown): unknown {
  if (findings.path.length <= DEEPEST_LEVEL) return step();
  if (!findings.isTooDeep) {
    const path = findings.path.slice(0, 1).join('.');
    const expected = `at most ${String(DEEPEST_LEVEL)} levels`;
    findings.issues.push({ path, message: 'is nested too deeply', expected });
  }
  findings.isTooDeep = true;
  return undefined;
}

function reportUnknown(name: string, value: unknown, accepted: readonly string[], findings: Findings): void {
  if (findings.unknownFields === 'strip' || findings.issues.length >= MOST_MADE) return;
  findings.issues.push(unknownField([...findings.path, name].join('.'), name, value, accepted));
}

/** True when a path leads to one of the fields, or into it. */
export function concerns(path: string, names: readonly string[]): boolean {
  return names.some((name) => path === name || path.startsWith(`${name}.`));
}

/** A plain object without some of its members; other values as they are. */
export function withoutNames(value: object, names: readonly string[]): object {
  if (!isPlainObject(value) || !names.some((name) => Object.hasOwn(value, name))) return value;
  // Object.fromEntries defines properties, so that every name stays an ordinary one
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** A copy of the input with declared names only, and the issues with its names. */
export interface NamedInput {
  readonly value: PlainObject;
  readonly issues: readonly Issue[];
  /** The paths of values with an unknown sub-type; nothing inside them can be checked. */
  readonly closed: readonly string[];
  /** Values that their published schemas refuse; the validators may say so, too. */
  readonly misfits: readonly Misfit[];
  /** The copy is incomplete; validating it is pointless. */
  readonly isTooDeep: boolean;
}

interface NamedProperty {
  readonly property: PropertyShape;
  readonly schema: JsonSchema;
  /** Undefined where the validators refuse all that the schema refuses. */
  readonly fits: Fits | undefined;
}

interface ClassPlan {
  readonly properties: ReadonlyMap<string, NamedProperty>;
  readonly accepted: readonly string[];
  /** Properties whose default @Field declares. */
  readonly defaults: readonly PropertyShape[];
}

interface Pass extends Findings {
  readonly plans: ReadonlyMap<Class, ClassPlan>;
  readonly closed: string[];
  /** Values of a published field that its schema refuses, whatever becomes of them. */
  readonly misfits: Misfit[];
}

/** A value, and the published schema of its field. */
export interface Misfit {
  readonly path: readonly PathSegment[];
  readonly schema: JsonSchema;
}

// class-transformer skips these names, or calls the members with these names
const isObjectMember: IsReserved = (name) => name in Object.prototype;
const isMapMember: IsReserved = (name) => name in Map.prototype;

/** Compiles the check of names for a DTO, nested classes included. */
export function createNameCheck(
  root: ObjectShape,
  unknownFields: UnknownFields,
): (value: PlainObject) => NamedInput {
  const plans = new Map([...indexShapes(root)].map(([type, shape]) => [type, planOf(shape)] as const));
  return (value) => {
    const pass: Pass = { ...beginPass(unknownFields), plans, closed: [], misfits: [] };
    const copy = checkObject(root.id, value, undefined, pass);
    const { issues, closed, misfits, isTooDeep } = pass;
    return { value: copy, issues, closed, misfits, isTooDeep };
  };
}

function planOf({ id, properties }: ObjectShape): ClassPlan {
  return {
    properties: new Map(properties.map((property) => [property.name, nameProperty(id, property)])),
    accepted: Object.freeze(properties.map(({ name }) => name)),
    defaults: properties.filter(({ doc }) => doc.isDefaultDeclared),
  };
}

function nameProperty(type: Class, property: PropertyShape): NamedProperty {
  const schema = emitField(property);
  const isChecked = isImplied(property, readConversion(type, property), false);
  return { property, schema, fits: isChecked ? undefined : createFits(schema) };
}

function checkObject(type: Class, value: PlainObject, tag: string | undefined, pass: Pass): PlainObject {
  const { properties, accepted, defaults } = pass.plans.get(type) as ClassPlan;
  const copy: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const known = properties.get(name);
    if (item === null && known?.property.nullIsAbsent === true) continue;
    if (known !== undefined) copy[name] = at(pass, name, () => checkField(known, item, pass));
    else if (name === tag) copy[name] = item;
    else reportUnknown(name, item, withTag(accepted, tag), pass);
  }
  for (const { name, doc } of defaults) {
    if (!Object.hasOwn(copy, name)) copy[name] = deepCopy(doc.default);
  }
  return copy;
}

function checkField({ property, schema, fits }: NamedProperty, value: unknown, pass: Pass): unknown {
  const isMisfit = value !== undefined && pass.misfits.length < MOST_MADE && fits?.(value) === false;
  if (isMisfit) pass.misfits.push({ path: [...pass.path], schema });
  return checkValue(property.shape, value, pass);
}

function withTag(accepted: readonly string[], tag: string | undefined): readonly string[] {
  return tag === undefined || accepted.includes(tag) ? accepted : [tag, ...accepted];
}

const OBJECTS: ReadonlySet<Shape['kind']> = new Set(['map', 'object', 'ref', 'union']);

function checkValue(shape: Shape, value: unknown, pass: Pass): unknown {
  // without @IsArray the validators treat a bare value as an item
  if (shape.kind === 'array' && !Array.isArray(value)) return checkValue(shape.items, value, pass);
  if (shape.kind === 'scalar' && shape.type === 'date') return checkDate(value, pass);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value) && OBJECTS.has(shape.kind)) return refuseArray(pass);
  return checkMembers(shape, value, pass);
}

function checkMembers(shape: Shape, value: object, pass: Pass): unknown {
  switch (shape.kind) {
    case 'array':
      return checkItems(shape.items, value as readonly unknown[], pass);
    case 'map':
      return below(pass, () => checkMap(shape.values, value as PlainObject, pass));
    case 'object':
    case 'ref':
      return below(pass, () => checkObject(shape.id, value as PlainObject, undefined, pass));
    case 'union':
      return below(pass, () => checkUnion(shape, value as PlainObject, pass));
    default:
      return copyJson(value, isObjectMember, pass);
  }
}

/** class-validator treats an array as many objects, and accepts an empty one without any check. */
function refuseArray(pass: Pass): unknown {
  const path = pass.path.join('.');
  pass.closed.push(path);
  if (pass.issues.length < MOST_MADE) {
    pass.issues.push({ path, message: 'must be an object', expected: 'object', received: 'array' });
  }
  return {};
}

/** class-transformer makes a date of anything that `new Date` accepts: `true`, `"1"`, the 30th of February. */
function checkDate(value: unknown, pass: Pass): unknown {
  if (value === undefined || value === null || isDateTime(value)) return value;
  const path = pass.path.join('.');
  pass.closed.push(path);
  if (pass.issues.length < MOST_MADE) {
    const [message, expected] = ['must be a date-time', 'string (date-time), like 2026-02-28T13:00:00Z'];
    pass.issues.push({ path, message, expected, received: describeReceived(value) });
  }
  // unchanged: if another contract checks the field, its issues do not count here
  return value;
}

function checkItems(shape: Shape, items: readonly unknown[], pass: Pass): unknown {
  return below(pass, () => items.map((item, index) => at(pass, index, () => checkValue(shape, item, pass))));
}

function checkMap(values: Shape, map: PlainObject, pass: Pass): PlainObject {
  const copy: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(map)) {
    if (isMapMember(name)) reportUnknown(name, item, [], pass);
    else copy[name] = at(pass, name, () => checkValue(values, item, pass));
  }
  return copy;
}

/** class-transformer uses the base class for an unknown sub-type; the schema only allows the sub-types. */
function checkUnion(union: UnionShape, value: PlainObject, pass: Pass): PlainObject {
  const { discriminator, options } = union;
  const tag = Object.hasOwn(value, discriminator) ? value[discriminator] : undefined;
  const option = options.find(({ name }) => name === tag);
  if (option !== undefined) return checkObject(option.shape.id, value, discriminator, pass);
  pass.closed.push(pass.path.join('.'));
  const names = options.map(({ name }) => name);
  pass.issues.push({
    path: [...pass.path, discriminator].join('.'),
    message: `${discriminator} must be one of the following values: ${listValues(names)}`,
    expected: `one of: ${listValues(names)}`,
    received: describeReceived(tag),
    ...suggestionFor(tag, names),
  });
  return {};
}
