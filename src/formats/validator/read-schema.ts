import { isPlainObject } from '../../shared/json.ts';
import type { RawSchema } from '../canonical/tool.ts';
import { InvalidSchemaError, SchemaTooLargeError } from '../../schema/schema-errors.ts';
import { checkSchemaLimits, SCHEMA_LIMITS } from '../../schema/limits.ts';
import { canonicalCopy } from '../../schema/canonical.ts';

/**
 * The canonical copy of a schema that is an object, a boolean, or JSON text of either.
 * @throws InvalidSchemaError, SchemaTooLargeError
 */
export function readSchema(source: unknown): RawSchema {
  const schema = typeof source === 'string' ? parseText(source) : source;
  if (typeof schema === 'boolean') return schema;
  if (!isPlainObject(schema)) {
    throw new InvalidSchemaError({ path: '', what: 'is neither an object nor a boolean.' });
  }
  checkSchemaLimits(schema);
  return canonicalCopy(schema) as RawSchema;
}

function parseText(text: string): unknown {
  if (text.length > SCHEMA_LIMITS.bytes) {
    throw new SchemaTooLargeError({ path: '', what: `is longer than ${String(SCHEMA_LIMITS.bytes)} bytes.` });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidSchemaError({ path: '', what: 'is text that is no JSON.', cause });
  }
}
