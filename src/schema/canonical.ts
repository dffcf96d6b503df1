import { isPlainObject } from '../shared/json.ts';
import { InvalidSchemaError } from './schema-errors.ts';
import { pointTo } from './pointer.ts';
import { describeValue } from '../shared/describe-value.ts';
import { isDescriptive } from './keywords.ts';
import { canonicalJson } from '../shared/canonical-json.ts';
import { mapSubschemas, type Schema } from './subschemas.ts';

/**
 * A copy with members sorted by name, so that equal schemas become equal text. Undefined members are left out,
 * as in JSON. The schema must already be within the limits.
 * @throws InvalidSchemaError for a value that JSON does not have
 */
export function canonicalCopy(value: unknown, path = ''): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) {
    return Array.from(value, (item: unknown, position) => canonicalCopy(item, pointTo(path, position)));
  }
  if (!isPlainObject(value))
    throw new InvalidSchemaError({ path, what: `is ${describeValue(value)}, which JSON does not have.` });
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  // Unlike assignments, this makes a member of `__proto__`
  return Object.fromEntries(keys.sort().map((key) => [key, canonicalCopy(value[key], pointTo(path, key))]));
}

const SETS = new Set(['required', 'type', 'enum']);

/** A text that is equal for schemas with the same validation keywords, whatever their descriptive annotations. */
export function schemaIdentity(schema: Schema): string {
  return canonicalJson(normalise(schema));
}

function normalise(schema: Schema): Schema {
  if (typeof schema === 'boolean') return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !isDescriptive(keyword));
  const sorted = kept.map(([keyword, value]): [string, unknown] =>
    SETS.has(keyword) && Array.isArray(value) ? [keyword, value.map(canonicalJson).sort()] : [keyword, value],
  );
  return mapSubschemas(Object.fromEntries(sorted), normalise);
}
