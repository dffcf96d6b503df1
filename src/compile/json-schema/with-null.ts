import type { JsonSchema } from '../../shared/json-schema.ts';

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
