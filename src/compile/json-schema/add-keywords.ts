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
