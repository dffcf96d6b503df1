import type { Class } from './class-type.ts';
import type { JsonSchema } from './json-schema.ts';

/**
 * The part of a Standard Schema (https://standardschema.dev) that the framework uses.
 * zod 4.2 and later, ArkType and Valibot's converter give JSON Schema through `jsonSchema`.
 */
export interface StandardSchema {
  /** The interface of Standard Schema: `validate`, and the types of input and output. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: string }) => unknown;
      readonly output: (options: { readonly target: string }) => unknown;
    };
  };
}

/** What an input or output can be described by: a DTO class, a Standard Schema or a raw JSON Schema. */
export type SchemaSource = Class | StandardSchema | JsonSchema;

/** True for a Standard Schema of any vendor; ArkType's are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard: unknown = (value as { '~standard'?: unknown })['~standard'];
  return typeof standard === 'object' && standard !== null && 'validate' in standard;
}
