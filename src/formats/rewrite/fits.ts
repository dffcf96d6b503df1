import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { isSameJson } from '../../shared/canonical-json.ts';
import { tokensOf, valueAt } from '../../schema/pointer.ts';
import { hasType, listedValues, typesOf } from './types.ts';

/**
 * Whether a value looks like what an emitted schema describes: types, listed values, properties and items. Enough to
 * tell alternatives apart; whether arguments are valid is decided by the original schema alone.
 */
export function fits(schema: unknown, value: unknown, root: PlainObject, depth = 0): boolean {
  if (!isPlainObject(schema)) return schema !== false;
  // A reference to itself, or arguments deeper than any schema
  if (depth > MAX_DEPTH) return true;
  const inner: Fits = (next, part) => fits(next, part, root, depth + 1);
  if (typeof schema.$ref === 'string') return inner(followPointer(schema.$ref, root), value);
  if (schema.nullable === true && value === null) return true;
  if (!isOfType(schema, value) || !isListed(schema, value) || !fitsUnion(schema, value, inner)) return false;
  if (Array.isArray(value)) return value.every((item) => inner(schema.items, item));
  return !isPlainObject(value) || fitsObject(schema, value, inner);
}

function isOfType(schema: PlainObject, value: unknown): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.some((type) => hasType(value, type));
}

function isListed(schema: PlainObject, value: unknown): boolean {
  return listedValues(schema)?.some((each) => isSameJson(each, value)) !== false;
}

function fitsUnion({ anyOf, oneOf, allOf }: PlainObject, value: unknown, inner: Fits): boolean {
  const some = anyOf ?? oneOf;
  if (Array.isArray(some) && !some.some((each) => inner(each, value))) return false;
  return !Array.isArray(allOf) || allOf.every((each) => inner(each, value));
}

type Fits = (schema: unknown, value: unknown) => boolean;

const MAX_DEPTH = 200;

function fitsObject(schema: PlainObject, value: PlainObject, inner: Fits): boolean {
  const { required, additionalProperties } = schema;
  if (Array.isArray(required) && !required.every((name) => Object.hasOwn(value, String(name)))) return false;
  const properties = isPlainObject(schema.properties) ? schema.properties : {};
  return Object.entries(value).every(([name, member]) =>
    Object.hasOwn(properties, name) ? inner(properties[name], member) : inner(additionalProperties, member),
  );
}

/** What a local pointer of an emitted schema leads to. */
export function followPointer(reference: string, root: PlainObject): unknown {
  const pointer = reference.slice(1).split('/').map(decodeURIComponent).join('/');
  return tokensOf(pointer) === undefined ? undefined : valueAt(root, pointer);
}
