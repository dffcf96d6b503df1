import type { JsonSchema } from '../../shared/json-schema.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { mapSchemas } from '../subschemas.ts';

/**
 * The same schema for a check that only says yes or no, with unions that are decided at once: `oneOf` asks every branch
 * for every value, because two could hold. Of constants only one can, and of objects with a tag of their own.
 */
export function withDisjointUnions(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema);
  if (!text.includes('"oneOf"') || LEFT_ALONE.test(text)) return schema;
  return mapSchemas(schema, (part) => {
    const { oneOf, ...rest } = part;
    if (!Array.isArray(oneOf) || oneOf.length < 2) return part;
    const constants = constantsOf(oneOf);
    if (constants !== undefined && rest.enum === undefined) return { ...rest, enum: constants };
    const tag = (rest.type ?? 'object') === 'object' ? tagOf(oneOf) : undefined;
    if (tag === undefined) return part;
    return { ...part, type: 'object', discriminator: { propertyName: tag } };
  });
}

/**
 * What keywords call unevaluated depends on the branch that holds, defaults are not filled in inside of unions, and
 * a discriminator of OpenAPI says nothing here.
 */
const LEFT_ALONE = /"(?:unevaluated|default"|discriminator")/;

const ANNOTATED_CONSTANT: ReadonlySet<string> = new Set(['const', 'title', 'description']);
const SIMPLE: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

/** Different constants of simple types; undefined where a branch says more, or the same as another one. */
function constantsOf(branches: readonly unknown[]): readonly unknown[] | undefined {
  const isConstant = (branch: unknown): branch is PlainObject =>
    isPlainObject(branch) &&
    SIMPLE.has(typeof branch['const']) &&
    Object.keys(branch).every((keyword) => ANNOTATED_CONSTANT.has(keyword));
  if (!branches.every(isConstant)) return undefined;
  const values = branches.map((branch) => branch['const']);
  return new Set(values).size === values.length ? values : undefined;
}

/** The property that every branch requires with a text of its own. */
function tagOf(branches: readonly unknown[]): string | undefined {
  const [first] = branches;
  if (!isPlainObject(first) || !isPlainObject(first['properties'])) return undefined;
  return Object.keys(first['properties']).find((name) => {
    const values = branches.map((branch) => tagValue(branch, name));
    return !values.includes(undefined) && new Set(values).size === values.length;
  });
}

function tagValue(branch: unknown, name: string): string | undefined {
  if (!isPlainObject(branch) || branch['type'] !== 'object' || branch['$ref'] !== undefined) return undefined;
  const { properties, required } = branch;
  if (!Array.isArray(required) || !required.includes(name) || !isPlainObject(properties)) return undefined;
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const value = isPlainObject(property) ? property['const'] : undefined;
  return typeof value === 'string' ? value : undefined;
}
