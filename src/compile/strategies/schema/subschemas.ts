import type { JsonSchema } from '../../../shared/json-schema.ts';
import { isPlainObject } from '../../../shared/json.ts';

/** A schema as it may stand below a keyword: `true` accepts everything, `false` nothing. */
export type Schema = JsonSchema | boolean;

// JSON Schema 2020-12 core, section 10, and the older forms that converters still write.
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']);
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);
const SINGLES = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'propertyNames',
  'contains',
  'contentSchema',
  'not',
  'if',
  'then',
  'else',
]);

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isPlainObject(value);
}

/** The object form of a schema. */
export function toSchemaObject(schema: Schema): JsonSchema {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  return schema;
}

/** The declared properties; safe for names such as `__proto__`, unlike reading them from the object. */
export function propertiesOf(schema: JsonSchema): ReadonlyMap<string, Schema> {
  return new Map(Object.entries(schema.properties ?? {}));
}

/** A copy with every direct subschema replaced; what is no schema (`default`, `enum`) stays as it is. */
export function mapSubschemas(schema: JsonSchema, change: (subschema: Schema) => Schema): JsonSchema {
  // Object.fromEntries defines properties, so that `__proto__` stays an ordinary name
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, mapKeyword(keyword, value, change)]),
  );
}

/** Every schema directly below a schema. */
export function subschemasOf(schema: JsonSchema): readonly Schema[] {
  const found: Schema[] = [];
  mapSubschemas(schema, (subschema) => {
    found.push(subschema);
    return subschema;
  });
  return found;
}

function mapKeyword(keyword: string, value: unknown, change: (subschema: Schema) => Schema): unknown {
  const changeAny = (item: unknown): unknown => (isSchema(item) ? change(item) : item);
  if (MAPS.has(keyword) && isPlainObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, changeAny(item)]));
  }
  if (LISTS.has(keyword) && Array.isArray(value)) return value.map(changeAny);
  return SINGLES.has(keyword) ? changeAny(value) : value;
}
