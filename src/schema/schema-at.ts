import type { JsonSchema } from '../shared/json-schema.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { dereference } from './references.ts';

export type PathSegment = string | number;

/** The place where a step starts; a branch that leads back to itself is entered once. */
interface Place {
  readonly root: JsonSchema;
  readonly segment: PathSegment;
  /** The value that the segment is a member of, as far as it is known. */
  readonly value: unknown;
  readonly entered: Set<JsonSchema>;
}

/**
 * The schema of the value at a path; undefined where the schema says nothing about it. In a union the input
 * shows which branch is meant; if it does not, the schemas of all branches are joined.
 */
export function schemaAt(
  root: JsonSchema,
  path: readonly PathSegment[],
  input?: unknown,
): JsonSchema | undefined {
  let current = [dereference(root, root)];
  let value = input;
  for (const segment of path) {
    const place: Place = { root, segment, value, entered: new Set() };
    current = distinct(current.flatMap((schema) => step(schema, place)));
    value = memberOfValue(value, segment);
  }
  return join(current);
}

/** The branches of a union, references resolved; undefined for other schemas. */
export function unionBranches(root: JsonSchema, schema: JsonSchema): readonly JsonSchema[] | undefined {
  return (schema.anyOf ?? schema.oneOf)?.map((branch) => dereference(root, branch));
}

function step(schema: JsonSchema, place: Place): readonly JsonSchema[] {
  const { root, segment, value, entered } = place;
  const direct = memberOf(schema, segment);
  if (direct !== undefined) return [dereference(root, direct)];
  const enter = (branches: readonly JsonSchema[]): readonly JsonSchema[] =>
    branches
      .filter((branch) => !entered.has(branch) && entered.add(branch))
      .map((one) => dereference(root, one));
  for (const branches of [schema.anyOf ?? [], schema.oneOf ?? []]) {
    const found = likelyBranches(enter(branches), value).flatMap((branch) => step(branch, place));
    if (found.length > 0) return found;
  }
  const outcomes = [schema['then'], schema['else']].filter(isPlainObject);
  for (const part of enter([...(schema.allOf ?? []), ...outcomes])) {
    const found = step(part, place);
    if (found.length > 0) return found;
  }
  return [];
}

function memberOf(schema: JsonSchema, segment: PathSegment): JsonSchema | undefined {
  const { properties, additionalProperties, items } = schema;
  if (properties !== undefined && Object.hasOwn(properties, segment)) return properties[segment];
  if (typeof segment === 'number' && typeof items === 'object') return items;
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

function memberOfValue(value: unknown, segment: PathSegment): unknown {
  const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, segment);
  return isOwn ? (value as Record<PathSegment, unknown>)[segment] : undefined;
}

function distinct(schemas: JsonSchema[]): JsonSchema[] {
  if (schemas.length < 2) return schemas;
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

/** One schema for several branches: all of their values, if they only list values. */
function join(schemas: readonly JsonSchema[]): JsonSchema | undefined {
  const [only] = schemas;
  if (schemas.length < 2 || only === undefined) return only;
  const values = schemas.map((schema) => (schema.const === undefined ? schema.enum : [schema.const]));
  if (!values.every((list) => list !== undefined)) return { anyOf: schemas };
  return { enum: [...new Set(values.flat())] };
}

/** The branches of a union that fit the tags of a value; all of them if no tag fits. */
export function likelyBranches(branches: readonly JsonSchema[], value: unknown): readonly JsonSchema[] {
  if (!isPlainObject(value)) return branches;
  return likelyForms(branches, ({ properties = {} }) => tagsOf(Object.entries(properties)), value);
}

/** Properties with listed values, which distinguish one form of an object from the others. */
export type Tags = readonly (readonly [string, readonly unknown[]])[];

export function tagsOf(properties: readonly (readonly [string, JsonSchema])[]): Tags {
  return properties.flatMap(([name, schema]) => {
    const values = schema.const === undefined ? schema.enum : [schema.const];
    return values === undefined ? [] : [[name, values] as const];
  });
}

/** The forms with tags that fit a value, preferring forms with a tag that it has; all of them if none fits. */
export function likelyForms<Form>(
  forms: readonly Form[],
  tags: (form: Form) => Tags,
  value: PlainObject,
): readonly Form[] {
  const fitting = forms.filter((form) =>
    tags(form).every(([name, values]) => !Object.hasOwn(value, name) || values.includes(value[name])),
  );
  const confirmed = fitting.filter((form) => tags(form).some(([name]) => Object.hasOwn(value, name)));
  if (confirmed.length > 0) return confirmed;
  return fitting.length > 0 ? fitting : forms;
}
