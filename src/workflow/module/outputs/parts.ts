import type { JsonSchema } from '../../../index.ts';

/** An object with exactly these members, all of them required but those that are named. */
export function objectSchema(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema & { readonly type: 'object' } {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

export const TEXT: JsonSchema = { type: 'string' };
export const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
export const FLAG: JsonSchema = { type: 'boolean' };
export const TEXTS = listOf(TEXT);

/** One fault of an output or document. */
export const DETAIL = objectSchema({ code: TEXT, path: TEXT, ruleType: TEXT, message: TEXT, info: {} }, [
  'ruleType',
  'info',
]);
