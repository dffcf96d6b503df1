import type { JsonSchema } from '../shared/json-schema.ts';
import { canonicalJson } from '../shared/canonical-json.ts';
import { isAnnotation } from './keywords.ts';

/** True when what the schema describes may be left out even where it is required. */
export function hasDefault(schema: JsonSchema): boolean {
  return schema.default !== undefined || (schema.allOf ?? []).some(hasDefault);
}

/** A schema without the annotations at its root. */
export function withoutAnnotations(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !isAnnotation(keyword)));
}

/** The annotations of several declarations: the first description, and whatever else all of them say. */
export function mergeAnnotations(schemas: readonly JsonSchema[]): JsonSchema {
  const described = schemas.find(({ description }) => hasText(description));
  const merged = new Map<string, unknown>();
  if (described !== undefined) merged.set('description', described.description);
  for (const [keyword, value] of Object.entries(schemas[0] ?? {})) {
    if (!isAnnotation(keyword) || keyword === 'description') continue;
    const identity = canonicalJson(value);
    if (schemas.every((schema) => canonicalJson(schema[keyword]) === identity)) merged.set(keyword, value);
  }
  return Object.fromEntries(merged);
}

function hasText(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '';
}
