import type { JsonSchema } from '../../shared/json-schema.ts';

/** The `type` keyword for a list of scalar values. */
export function typesOfValues(values: readonly unknown[]): JsonSchema {
  const types = [...new Set(values.map(jsonType))];
  const numbers = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  const [only] = numbers;
  if (only === undefined) return {};
  return { type: numbers.length === 1 ? only : numbers };
}

/** The `enum` keyword. Without values there is none, as JSON Schema forbids it: nothing is accepted. */
export function enumOf(values: readonly unknown[]): JsonSchema {
  return values.length === 0 ? { not: {} } : { enum: values };
}

/** The JSON Schema type of a value from JSON. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
