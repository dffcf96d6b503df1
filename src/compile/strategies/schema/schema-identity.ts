import { isDescriptive } from './annotation-keywords.ts';
import { identityOf } from './identity.ts';
import { mapSubschemas, type Schema } from './subschemas.ts';

const SETS = new Set(['required', 'type', 'enum']);

/** A text that is equal for schemas that accept the same by the same keywords, whatever they say to people. */
export function schemaIdentity(schema: Schema): string {
  return identityOf(normalise(schema));
}

function normalise(schema: Schema): Schema {
  if (typeof schema === 'boolean') return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !isDescriptive(keyword));
  const sorted = kept.map(([keyword, value]): [string, unknown] =>
    SETS.has(keyword) && Array.isArray(value) ? [keyword, value.map(identityOf).sort()] : [keyword, value],
  );
  return mapSubschemas(Object.fromEntries(sorted), normalise);
}
