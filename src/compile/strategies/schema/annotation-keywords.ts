import type { JsonSchema } from '../../../shared/json-schema.ts';
import { identityOf } from './identity.ts';

const DESCRIPTIVE = new Set(['title', 'description', 'examples', '$comment']);
const ANNOTATIONS = new Set([...DESCRIPTIVE, 'default', 'deprecated', 'readOnly', 'writeOnly']);

/** True for keywords that only speak to people. */
export function isDescriptive(keyword: string): boolean {
  return DESCRIPTIVE.has(keyword);
}

/** True for keywords that accept or refuse nothing. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword);
}

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
    const identity = identityOf(value);
    if (schemas.every((schema) => identityOf(schema[keyword]) === identity)) merged.set(keyword, value);
  }
  return Object.fromEntries(merged);
}

function hasText(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '';
}
