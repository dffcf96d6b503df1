import type { JsonObject } from '../../contract.ts';
import { type Draft, draftOf, withMember } from './draft.ts';

/** How a value of a schema is typed in. */
export type Control =
  | { readonly kind: 'text' | 'date' | 'date-time' | 'boolean' | 'number' | 'integer' }
  /** The titles say the values in words, where the schema has them. */
  | { readonly kind: 'choice'; readonly values: readonly unknown[]; readonly titles?: readonly unknown[] }
  | { readonly kind: 'object'; readonly names: readonly string[] }
  | { readonly kind: 'list' }
  | { readonly kind: 'union'; readonly branches: readonly JsonObject[] }
  /** Nothing to draw: JSON is typed. */
  | { readonly kind: 'json'; readonly reason: string };

export interface Field {
  readonly control: Control;
  readonly schema: JsonObject;
  readonly isNullable: boolean;
  readonly title?: string;
  readonly description?: string;
  /** What a value has to fulfil, in words. */
  readonly rules: readonly string[];
}

const MOST_REFERENCES = 20;
const SCALARS = ['boolean', 'number', 'integer'] as const;

/**
 * Decides how to draw a schema. Members and items are fields of their own, made when they are drawn, so that schemas
 * that refer to themselves have an end.
 */
export function fieldOf(given: unknown, root: JsonObject): Field {
  const resolved = resolve(given, root);
  if (resolved === undefined) return unknownField({}, 'its schema cannot be resolved');
  const { schema, isNullable } = withoutNull(resolved, root);
  const { title, description } = { ...resolved, ...schema };
  return {
    control: controlOf(schema, root),
    schema,
    isNullable,
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    rules: rulesOf(schema),
  };
}

function unknownField(schema: JsonObject, reason: string): Field {
  return { control: { kind: 'json', reason }, schema, isNullable: false, rules: [] };
}

/** Follows local references, and joins what stands beside them. */
function resolve(given: unknown, root: JsonObject): JsonObject | undefined {
  let schema = given;
  for (let step = 0; step < MOST_REFERENCES; step += 1) {
    if (!isObject(schema)) return schema === true ? {} : undefined;
    const { $ref: reference, allOf, ...rest } = schema;
    if (typeof reference === 'string') {
      const target = lookUp(reference, root);
      if (!isObject(target)) return undefined;
      schema = { ...target, ...rest };
    } else if (Array.isArray(allOf) && allOf.length === 1) schema = { ...(allOf[0] as object), ...rest };
    else return schema;
  }
  return undefined;
}

function lookUp(reference: string, root: JsonObject): unknown {
  if (!reference.startsWith('#')) return undefined;
  let at: unknown = root;
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = decoded(part)?.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || name === undefined || !Object.hasOwn(at, name))
      return undefined;
    at = (at as JsonObject)[name];
  }
  return at;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** `type: [T, 'null']`, `anyOf: [T, { type: 'null' }]` and an enum with null are T, nullable. */
function withoutNull(schema: JsonObject, root: JsonObject): Nullable {
  const { type, enum: values } = schema;
  const names: readonly unknown[] = Array.isArray(type) ? type : [];
  const hasNull = names.includes('null') || (Array.isArray(values) && values.includes(null));
  if (!hasNull) return withoutNullBranch(schema, root);
  const rest = names.filter((name) => name !== 'null');
  const plain = rest.length === 0 ? {} : { type: rest.length === 1 ? rest[0] : rest };
  const others = Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {};
  return { schema: { ...schema, ...plain, ...others }, isNullable: true };
}

interface Nullable {
  readonly schema: JsonObject;
  readonly isNullable: boolean;
}

function withoutNullBranch(schema: JsonObject, root: JsonObject): Nullable {
  const branches = branchesOf(schema)?.map((branch) => resolve(branch, root) ?? {}) ?? [];
  const rest = branches.filter((branch) => branch['type'] !== 'null' && branch['const'] !== null);
  if (rest.length === branches.length) return { schema, isNullable: false };
  const { anyOf: _any, oneOf: _one, ...around } = schema;
  const [only] = rest;
  if (rest.length !== 1 || only === undefined)
    return { schema: { ...around, anyOf: rest }, isNullable: true };
  return { schema: { ...withoutNull(only, root).schema, ...around }, isNullable: true };
}

function branchesOf({ anyOf, oneOf }: JsonObject): readonly unknown[] | undefined {
  const branches = anyOf ?? oneOf;
  return Array.isArray(branches) ? branches : undefined;
}

function controlOf(schema: JsonObject, root: JsonObject): Control {
  const { type, enum: values } = schema;
  if ('const' in schema) return { kind: 'choice', values: [schema['const']] };
  if (Array.isArray(values)) {
    const { enumNames: titles } = schema;
    return { kind: 'choice', values, ...(Array.isArray(titles) ? { titles } : {}) };
  }
  const branches = branchesOf(schema);
  if (branches !== undefined && !('properties' in schema)) return unionOf(branches, root);
  if (type === undefined && !('properties' in schema))
    return { kind: 'json', reason: 'any value is allowed' };
  return typedControl(type ?? 'object', schema);
}

function typedControl(type: unknown, schema: JsonObject): Control {
  const { format } = schema;
  const scalar = SCALARS.find((name) => name === type);
  if (scalar !== undefined) return { kind: scalar };
  if (type === 'string') return { kind: format === 'date' || format === 'date-time' ? format : 'text' };
  if (type === 'object') return objectOf(schema);
  if (type !== 'array') return { kind: 'json', reason: 'its schema has several types' };
  const { items } = schema;
  // An empty schema says no more than a missing one
  const hasItems = isObject(items) && Object.keys(items).length > 0;
  return hasItems && !('prefixItems' in schema)
    ? { kind: 'list' }
    : { kind: 'json', reason: 'the items of the list have no common schema' };
}

function unionOf(branches: readonly unknown[], root: JsonObject): Control {
  const resolved = branches.map((branch) => resolve(branch, root));
  if (resolved.some((branch) => branch === undefined))
    return { kind: 'json', reason: 'a branch cannot be resolved' };
  // The way in which titles of enum values are written
  if (resolved.every((branch) => branch !== undefined && 'const' in branch))
    return {
      kind: 'choice',
      values: resolved.map((branch) => branch?.['const']),
      titles: resolved.map((branch) => branch?.['title']),
    };
  return { kind: 'union', branches: resolved as readonly JsonObject[] };
}

function objectOf(schema: JsonObject): Control {
  const { properties = {}, additionalProperties } = schema;
  if (!isObject(properties)) return { kind: 'json', reason: 'its properties cannot be read' };
  const names = Object.keys(properties);
  if (names.length === 0 && additionalProperties !== false)
    return { kind: 'json', reason: 'its members have no names' };
  return { kind: 'object', names };
}

const RULES: Readonly<Record<string, (limit: unknown, schema: JsonObject) => string>> = {
  exclusiveMinimum: (limit) => `more than ${String(limit)}`,
  exclusiveMaximum: (limit) => `less than ${String(limit)}`,
  multipleOf: (limit) => `a multiple of ${String(limit)}`,
  pattern: (limit) => `matches ${String(limit)}`,
  uniqueItems: () => 'no item twice',
  format: (limit) => String(limit),
  default: (value) => `default ${JSON.stringify(value)}`,
};

const RANGES = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', 'character'],
  ['minItems', 'maxItems', 'item'],
] as const;

function rulesOf(schema: JsonObject): readonly string[] {
  const ranges = RANGES.flatMap(([least, most, unit]) => rangeOf(schema[least], schema[most], unit));
  const others = Object.entries(RULES).flatMap(([keyword, say]) =>
    schema[keyword] === undefined ? [] : [say(schema[keyword], schema)],
  );
  return [...ranges, ...others];
}

function rangeOf(least: unknown, most: unknown, unit: string): readonly string[] {
  const [from, to] = [least, most].map((limit) => (typeof limit === 'number' ? limit : undefined));
  if (from === undefined && to === undefined) return [];
  const units = unit === '' ? '' : (to ?? from) === 1 ? ` ${unit}` : ` ${unit}s`;
  if (from === undefined) return [`at most ${to}${units}`];
  if (to === undefined) return [`at least ${from}${units}`];
  return [from === to ? `exactly ${from}${units}` : `${from} to ${to}${units}`];
}

/** Whether a draft can be shown in the control of a field; else it is shown as JSON. */
export function fits({ control }: Field, draft: Draft): boolean {
  const kinds = FITTING[control.kind];
  return (
    draft.kind === 'absent' || draft.kind === 'null' || kinds === undefined || kinds.includes(draft.kind)
  );
}

/** The drafts that each control shows; those that are left out show all. */
const FITTING: Partial<Record<Control['kind'], readonly Draft['kind'][]>> = {
  text: ['text'],
  date: ['text'],
  'date-time': ['text'],
  number: ['number'],
  integer: ['number'],
  boolean: ['boolean'],
  choice: ['boolean', 'text', 'number', 'list', 'object'],
  list: ['list'],
  object: ['object'],
};

/** What a field starts with when a person gives it a value. */
export function firstDraft(field: Field, root: JsonObject): Draft {
  const { control, schema } = field;
  switch (control.kind) {
    case 'boolean':
      return { kind: 'boolean', value: false };
    case 'number':
    case 'integer':
      return { kind: 'number', text: '' };
    case 'list':
      return { kind: 'list', items: [] };
    case 'object':
      return startObject(schema, root);
    case 'union':
      return firstDraft(fieldOf(control.branches[0], root), root);
    case 'json':
      return { kind: 'raw', text: '' };
    case 'choice':
    case 'text':
    case 'date':
    case 'date-time':
      return { kind: 'text', text: '' };
  }
}

/** Required objects and constants are there from the start; everything else is absent. */
function startObject(schema: JsonObject, root: JsonObject, depth = 0): Draft {
  const { properties, required } = schema;
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const members = names.flatMap((name): (readonly [string, Draft])[] => {
    if (typeof name !== 'string') return [];
    const field = fieldOf(propertyOf(properties, name), root);
    if (field.isNullable) return [];
    if ('const' in field.schema) return [[name, draftOf(field.schema['const'])]];
    return field.control.kind === 'object' && depth < 5
      ? [[name, startObject(field.schema, root, depth + 1)]]
      : [];
  });
  return { kind: 'object', members };
}

/** The schema of a member; of one that has none, the schema of any value. What every object has is not among them. */
export function propertyOf(properties: unknown, name: string): unknown {
  return isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : true;
}

/** What a question starts with: the defaults of its schema are proposed answers (spec: client/elicitation). */
export function proposedDraft(field: Field, root: JsonObject): Draft {
  const { properties = {} } = field.schema;
  return Object.entries(properties as JsonObject).reduce(
    (draft, [name, schema]) => {
      const proposed = isObject(schema) ? schema['default'] : undefined;
      return proposed === undefined ? draft : withMember(draft, name, draftOf(proposed));
    },
    firstDraft(field, root),
  );
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
