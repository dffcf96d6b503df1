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

/** What an action of a pipe is to Valibot's converter. */
interface ValibotAction {
  readonly valibotAction: { readonly kind: string };
  readonly jsonSchema: object;
  readonly errors?: unknown;
}

const refuseKind = (kind: string) => (): never => {
  throw new TypeError(`${kind} has no form in JSON`);
};

/** What converters do by themselves with parts that JSON Schema lacks, and should not. */
const LIBRARY_OPTIONS: Readonly<Record<string, object>> = {
  // It throws for a validation that has no keyword; the library checks it all the same
  valibot: {
    overrideAction: ({ valibotAction, jsonSchema, errors }: ValibotAction) =>
      errors !== undefined && valibotAction.kind === 'validation' ? jsonSchema : undefined,
  },
  // It publishes a schema that admits everything, and refuses every value that JSON has
  arktype: {
    fallback: {
      date: refuseKind('a Date'),
      domain: refuseKind('a bigint or symbol'),
      proto: refuseKind('an instance of a class'),
    },
  },
};

/** What a library publishes for one side; undefined where it cannot. @throws what the library throws */
export function readJsonSchema(source: StandardSchema, side: 'input' | 'output'): unknown {
  const { vendor, jsonSchema } = source['~standard'];
  const libraryOptions = LIBRARY_OPTIONS[vendor];
  const options = { target: 'draft-2020-12', ...(libraryOptions === undefined ? {} : { libraryOptions }) };
  return jsonSchema?.[side](options);
}

/** True for a Standard Schema of any vendor; ArkType's are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard: unknown = (value as { '~standard'?: unknown })['~standard'];
  return typeof standard === 'object' && standard !== null && 'validate' in standard;
}
