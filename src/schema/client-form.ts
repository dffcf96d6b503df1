import type { JsonSchema } from '../shared/json-schema.ts';
import { holderOf } from './keywords.ts';
import { mapHeld, toSchemaObject, walkSchema } from './subschemas.ts';

/** Where `false` is a word of its own, which clients know: no further members. */
const CLOSING = new Set(['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems', 'items']);

/**
 * A schema that means the same in a form that more clients take: objects in the place of boolean schemas, a type beside
 * each list of values, and `items` in each array.
 */
export function clientForm(root: JsonSchema): JsonSchema {
  // `items: {}` would take every item from `unevaluatedItems`
  const mayAddItems = ![...walkSchema(root)].some(
    ({ schema }) => typeof schema === 'object' && Object.hasOwn(schema, 'unevaluatedItems'),
  );
  const change = (schema: JsonSchema): JsonSchema => {
    const changed = Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => [keyword, changeHeld(keyword, value, change)]),
    ) as JsonSchema;
    return withItems(withType(changed), mayAddItems);
  };
  return change(root);
}

function changeHeld(keyword: string, value: unknown, change: (schema: JsonSchema) => JsonSchema): unknown {
  if (holderOf(keyword) === undefined) return value;
  return mapHeld(keyword, value, (held) => {
    if (typeof held === 'boolean') return isBooleanKept(keyword, held) ? held : toSchemaObject(held);
    return isObjectSchema(held) ? change(held) : held;
  });
}

function isBooleanKept(keyword: string, value: boolean): boolean {
  return CLOSING.has(keyword) && (!value || keyword !== 'items');
}

function isObjectSchema(held: unknown): held is JsonSchema {
  return typeof held === 'object' && held !== null && !Array.isArray(held);
}

/** The type follows from the values, so that nothing changes with it. */
function withType(schema: JsonSchema): JsonSchema {
  if (schema.type !== undefined) return schema;
  const values = Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum;
  if (!Array.isArray(values) || values.length === 0) return schema;
  const types = [...new Set(values.map(typeOf))];
  const distinct = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  const [only] = distinct;
  return { type: distinct.length === 1 && only !== undefined ? only : distinct, ...schema };
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function withItems(schema: JsonSchema, mayAddItems: boolean): JsonSchema {
  const isArray = schema.type !== undefined && [schema.type].flat().includes('array');
  return isArray && mayAddItems && schema.items === undefined ? { ...schema, items: {} } : schema;
}
