import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';

/** Gives what is wrong; where it fills in defaults, it changes the value it gets. */
export type SchemaValidator = (value: unknown) => readonly ErrorObject[];

/** Compiles a JSON Schema once. */
export function compileValidator(schema: JsonSchema, where: string, useDefaults: boolean): SchemaValidator {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    useDefaults,
    verbose: true,
    logger: false,
  });
  ajvFormats.default(ajv);
  try {
    const validate = ajv.compile(schema);
    return (value) => (validate(value) ? [] : (validate.errors ?? []));
  } catch (cause) {
    throw new ToolwrightError('TW_COMPILE_SCHEMA_INVALID', {
      where,
      what: `has a JSON Schema that is not valid: ${cause instanceof Error ? cause.message : String(cause)}.`,
      fix: 'correct the schema (JSON Schema 2020-12)',
      cause,
    });
  }
}
