import { SchemaTooLargeError } from '../errors/schema-errors.ts';
import { exceededLimit, type JsonLimits } from './measure-json.ts';

/** What a schema may be: 1 MiB of JSON, 100 levels, 50 000 nodes. */
export const SCHEMA_LIMITS: JsonLimits = Object.freeze({ bytes: 1_048_576, depth: 100, nodes: 50_000 });

/**
 * Refuses a schema that is too large to be worked on.
 * @throws SchemaTooLargeError beyond 1 MiB of JSON, 100 levels or 50 000 nodes
 */
export function checkSchemaLimits(schema: unknown): void {
  const excess = exceededLimit(schema, SCHEMA_LIMITS);
  if (excess !== undefined) throw new SchemaTooLargeError({ path: '', what: `${excess}.` });
}
