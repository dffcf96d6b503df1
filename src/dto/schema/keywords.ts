import type { JsonSchema } from '../../shared/json-schema.ts';

const LOWER_BOUNDS = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const UPPER_BOUNDS = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);

/** Adds keywords to a schema so that both the old and the new ones hold. */
export function addKeywords(schema: JsonSchema, keywords: JsonSchema): JsonSchema {
  const result: Record<string, unknown> = { ...schema };
  for (const [keyword, value] of Object.entries(keywords)) {
    const known = result[keyword];
    if (known === undefined) result[keyword] = value;
    else if (LOWER_BOUNDS.has(keyword)) result[keyword] = Math.max(known as number, value as number);
    else if (UPPER_BOUNDS.has(keyword)) result[keyword] = Math.min(known as number, value as number);
    else if (keyword === 'enum') narrow(result, shared(known, value));
    else if (keyword === 'allOf') result[keyword] = [...(known as unknown[]), ...(value as unknown[])];
    else if (JSON.stringify(known) !== JSON.stringify(value)) addBranch(result, { [keyword]: value });
  }
  return result;
}

function narrow(schema: Record<string, unknown>, values: readonly unknown[]): void {
  if (values.length > 0) schema['enum'] = values;
  else addBranch(schema, { not: {} });
}

function addBranch(schema: Record<string, unknown>, branch: JsonSchema): void {
  schema['allOf'] = [...((schema['allOf'] as unknown[] | undefined) ?? []), branch];
}

function shared(left: unknown, right: unknown): readonly unknown[] {
  return (left as readonly unknown[]).filter((value) => (right as readonly unknown[]).includes(value));
}

/** The `type` keyword for a list of scalar values. */
export function typesOfValues(values: readonly unknown[]): JsonSchema {
  const types = [...new Set(values.map(jsonType))];
  const numbers = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  const [only] = numbers;
  if (only === undefined) return {};
  return { type: numbers.length === 1 ? only : numbers };
}

/** The `enum` keyword. JSON Schema forbids an empty `enum`, so without values the schema accepts nothing. */
export function enumOf(values: readonly unknown[]): JsonSchema {
  return values.length === 0 ? { not: {} } : { enum: values };
}

/** The JSON Schema type of a value from JSON. */
function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

// Keywords that say nothing about null once `type` lets it in.
const TYPED_KEYWORDS = new Set([
  ...['type', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'multipleOf'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'items', 'minItems', 'maxItems', 'uniqueItems', 'properties'],
  ...['required', 'additionalProperties', 'minProperties'],
]);

/** The schema, with null accepted as well. */
export function withNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, ...rest } = schema;
  const isOpen = Object.keys(schema).length === 0;
  if (isOpen) return schema;
  const isTyped = type !== undefined && Object.keys(rest).every((keyword) => TYPED_KEYWORDS.has(keyword));
  if (schema.anyOf !== undefined && Object.keys(schema).length === 1) {
    return { anyOf: [...schema.anyOf, { type: 'null' }] };
  }
  if (!isTyped) return { anyOf: [schema, { type: 'null' }] };
  const types = [...new Set([type, 'null'].flat())];
  const nullable = { ...schema, type: types };
  return values === undefined ? nullable : { ...nullable, enum: [...new Set([...values, null])] };
}
