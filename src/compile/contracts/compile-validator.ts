import { MOST_MADE } from '../../call/issue.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import {
  compileAuthorSchema,
  type AuthorSchema,
  type AuthorSettings,
} from '../../schema/validator/author-schema.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';

/** Compiles the JSON Schema of an input: it fills in defaults, and a check by it has a budget of steps. */
export function compileInputSchema(schema: JsonSchema, where: string, mostErrors = MOST_MADE): AuthorSchema {
  return compileSchema(schema, where, { useDefaults: true, mostErrors, isBudgeted: true });
}

/** Compiles the JSON Schema of an output: what it checks comes from the author as well. */
export function compileOutputSchema(schema: JsonSchema, where: string): AuthorSchema {
  return compileSchema(schema, where, { useDefaults: false, mostErrors: MOST_MADE, isBudgeted: false });
}

function compileSchema(schema: JsonSchema, where: string, settings: AuthorSettings): AuthorSchema {
  try {
    return compileAuthorSchema(schema, settings);
  } catch (cause) {
    throw new ToolwrightError('TW_COMPILE_SCHEMA_INVALID', {
      where,
      what: `has a JSON Schema that cannot be used: ${reasonOf(cause)}`,
      fix: 'correct the schema (JSON Schema 2020-12)',
      cause,
    });
  }
}

function reasonOf(cause: unknown): string {
  if (ToolwrightError.is(cause)) return `${cause.where} ${cause.what}`;
  return `${cause instanceof Error ? cause.message : String(cause)}.`;
}
