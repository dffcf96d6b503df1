import { isClass } from '../shared/class-type.ts';
import type { JsonSchema, ObjectSchema } from '../shared/json-schema.ts';
import { isStandardSchema, type SchemaSource } from '../shared/schema-source.ts';
import type { InputContracts } from './input-contracts.ts';

/**
 * The input schema of an action whose arguments are described by one JSON Schema and nothing else, with every
 * keyword as it was written (spec 2026-07-28: server/tools, any keyword of 2020-12); else undefined.
 */
export function writtenSchema({ common, own }: InputContracts): ObjectSchema | undefined {
  if (own === undefined || common.length > 0 || !isJsonSchema(own.source)) return undefined;
  const { $schema } = own.source;
  return $schema === undefined ? own.schema : Object.freeze({ $schema, ...own.schema });
}

function isJsonSchema(source: SchemaSource): source is JsonSchema {
  return !isStandardSchema(source) && !isClass(source);
}
