import type { JsonSchema } from '../shared/json-schema.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { holderOf } from './keywords.ts';
import { pointTo } from './pointer.ts';

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

/**
 * The value of a keyword, with `change` applied wherever a schema belongs. There may be another value instead, as in
 * `dependencies`, which may hold lists of names.
 * @param change gets the tokens that lead from the value to the schema: none, the place in a list, or a name
 */
export function mapHeld(
  keyword: string,
  value: unknown,
  change: (held: unknown, ...tokens: readonly (string | number)[]) => unknown,
): unknown {
  const holder = holderOf(keyword);
  if (holder === undefined) return value;
  if (holder === 'schema') return change(value);
  if (Array.isArray(value)) return value.map((item: unknown, position) => change(item, position));
  if (holder === 'schema-or-list') return change(value);
  if (!isPlainObject(value)) return value;
  // Unlike assignments, this makes a member of `__proto__`
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item, name)]));
}

/** A copy with every direct subschema replaced; what is not a schema (`default`, `enum`) stays as it is. */
export function mapSubschemas<Node extends PlainObject>(
  schema: Node,
  change: (subschema: Node | boolean) => Node | boolean,
): Node {
  const changeAny = (item: unknown): unknown => (isSchema(item) ? change(item as Node | boolean) : item);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, mapHeld(keyword, value, changeAny)]),
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

interface Held {
  readonly schema: unknown;
  readonly path: string;
}

/** The values in a keyword where schemas belong, with their places. */
export function heldBy(keyword: string, value: unknown, path: string): readonly Held[] {
  const held: Held[] = [];
  mapHeld(keyword, value, (schema, ...tokens) => held.push({ schema, path: pointTo(path, ...tokens) }));
  return held;
}

/** A schema inside a schema. */
export interface SchemaPlace {
  readonly schema: RawSchema;
  /** An RFC 6901 pointer from the root. */
  readonly path: string;
  /** The pointer to the innermost schema around it with an `$id` of its own: what `#` means here. */
  readonly base: string;
}

/**
 * Every schema inside a schema, itself first, in document order. Without recursion, so that no depth exhausts the stack.
 *
 * Values that are not schemas are skipped where a schema belongs.
 */
export function* walkSchema(root: unknown, path = '', base = path): Generator<SchemaPlace> {
  const open: (Held & { readonly base: string })[] = [{ schema: root, path, base }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { schema, path: at } = place;
    if (!isSchema(schema)) continue;
    const own = startsResource(schema) ? at : place.base;
    yield { schema, path: at, base: own };
    const below = Object.entries(schema).flatMap(([keyword, value]: [string, unknown]) =>
      heldBy(keyword, value, pointTo(at, keyword)),
    );
    open.push(...below.map((held) => ({ ...held, base: own })).reverse());
  }
}

/** An `$id` that is more than a fragment makes its schema a document of its own. */
function startsResource(schema: RawSchema): boolean {
  const $id = typeof schema === 'boolean' ? undefined : schema.$id;
  return typeof $id === 'string' && $id !== '' && !$id.startsWith('#');
}
