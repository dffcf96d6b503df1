import type { JsonSchema } from '../shared/json-schema.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { holderOf } from './keywords.ts';

/** A schema as it may stand below a keyword: `true` accepts everything, `false` nothing. */
export type Schema = JsonSchema | boolean;

/** A JSON Schema exactly as it was received: any keyword, any dialect marker, or a boolean. */
export type RawSchema = PlainObject | boolean;

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

/** A copy with every direct subschema replaced; what is not a schema (`default`, `enum`) stays as it is. */
export function mapSubschemas<Node extends PlainObject>(
  schema: Node,
  change: (subschema: Node | boolean) => Node | boolean,
): Node {
  const changeAny = (item: unknown): unknown => (isSchema(item) ? change(item as Node | boolean) : item);
  // Object.fromEntries defines properties, so that `__proto__` stays an ordinary name
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, mapKeyword(keyword, value, changeAny)]),
  ) as unknown as Node;
}

/** A copy in which every schema is changed, those in it first. */
export function mapSchemas(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const inner = (part: Schema): Schema => (typeof part === 'boolean' ? part : mapSchemas(part, change));
  return change(mapSubschemas(schema, inner));
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

function mapKeyword(keyword: string, value: unknown, change: (item: unknown) => unknown): unknown {
  const holder = holderOf(keyword);
  if (holder === undefined) return value;
  if (Array.isArray(value))
    return holder === 'list' || holder === 'schema-or-list' ? value.map(change) : value;
  if (holder === 'schema' || holder === 'schema-or-list') return change(value);
  if (holder === 'list' || !isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item)]));
}
