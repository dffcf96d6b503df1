import { checkSchemaLimits } from './check-limits.ts';
import { checkReferences } from './check-references.ts';

/**
 * What has to hold for any schema before somebody works on it: it is within the limits, and all of its
 * references are local and lead somewhere.
 * @throws SchemaTooLargeError, ExternalRefError, InvalidSchemaError
 */
export function checkSchema(schema: unknown): void {
  checkSchemaLimits(schema);
  checkReferences(schema);
}
