import { isClass } from '../shared/class-type.ts';
import type { JsonSchema, ObjectSchema } from '../shared/json-schema.ts';
import { isStandardSchema, type SchemaSource } from '../shared/schema-source.ts';
import { deepFreeze } from '../shared/deep-freeze.ts';
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

/**
 * The input schema of an action that takes nothing; else undefined. It says that there are no further fields, as
 * clients that need closed objects cannot tell it from an open one.
 */
export function withoutInput({ common, own }: InputContracts): ObjectSchema | undefined {
  const contracts = own === undefined ? common : [...common, own];
  const isClosed = contracts.every(
    ({ names, acceptsFurtherNames }) => names.length === 0 && !acceptsFurtherNames,
  );
  return isClosed ? NOTHING : undefined;
}

const NOTHING: ObjectSchema = deepFreeze({
  type: 'object',
  properties: {},
  required: [],
  additionalProperties: false,
});

function isJsonSchema(source: SchemaSource): source is JsonSchema {
  return !isStandardSchema(source) && !isClass(source);
}
