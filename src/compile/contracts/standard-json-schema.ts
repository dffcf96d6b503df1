import { ToolwrightError } from '../../errors/toolwright-error.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import type { StandardSchema } from '../../shared/schema-source.ts';
import { plainSchema } from './plain-schema.ts';
import { hasDefaults, keepSteadyDefaults } from './steady-defaults.ts';

const TARGET = { target: 'draft-2020-12' };

/** The JSON Schema of a Standard Schema, for what goes in or for what comes out. */
export function standardJsonSchema(
  source: StandardSchema,
  side: 'input' | 'output',
  where: string,
): JsonSchema {
  const { vendor, jsonSchema } = source['~standard'];
  if (jsonSchema === undefined) {
    throw new ToolwrightError('TW_COMPILE_SCHEMA_UNSUPPORTED', {
      where,
      what: `has a schema of ${vendor} that cannot give JSON Schema.`,
      why: 'clients would be shown an empty schema.',
      fix: 'use zod 4.2 or later, ArkType, Valibot with its JSON Schema converter, or a DTO class',
    });
  }
  const read = (): JsonSchema => plainSchema(convert(jsonSchema[side], vendor, where), where);
  const schema = read();
  return hasDefaults(schema) ? keepSteadyDefaults(schema, read()) : schema;
}

function convert(
  read: (options: { readonly target: string }) => unknown,
  vendor: string,
  where: string,
): unknown {
  try {
    return read(TARGET);
  } catch (cause) {
    throw new ToolwrightError('TW_COMPILE_SCHEMA_UNSUPPORTED', {
      where,
      what: `has a schema of ${vendor} that JSON Schema cannot express: ${cause instanceof Error ? cause.message : String(cause)}.`,
      why: 'clients would be shown an empty schema.',
      fix: 'describe the field by what JSON carries (a date as an ISO string, say)',
      cause,
    });
  }
}
