import type { PlainObject } from '../../shared/json.ts';

/** The root of a schema with `properties`, which a provider wants to see even when there are none. */
export function withProperties(schema: PlainObject): PlainObject {
  if (Object.hasOwn(schema, 'properties')) return schema;
  const entries = Object.entries(schema);
  const position = entries.findIndex(([keyword]) => keyword === 'type') + 1;
  return Object.fromEntries(entries.toSpliced(position, 0, ['properties', {}]));
}
