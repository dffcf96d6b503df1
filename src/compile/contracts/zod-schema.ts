import { isStandardSchema, type StandardSchema } from '../../shared/schema-source.ts';

/** What is read of a schema of zod 4; https://zod.dev/library-authors calls `_zod.def` stable. */
export interface ZodSchema extends StandardSchema {
  readonly _zod: { readonly def: ZodDefinition };
  readonly clone: (definition: ZodDefinition) => ZodSchema;
  readonly loose?: () => ZodSchema;
}

export interface ZodDefinition {
  readonly type: string;
  /** Of an object: its fields, and what all others hold. */
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly catchall?: unknown;
  /** Of a pipe: what comes in, and what that is passed on to. */
  readonly in?: unknown;
  readonly out?: unknown;
  /** Of an intersection. */
  readonly left?: unknown;
  readonly right?: unknown;
  /** Of an array. */
  readonly element?: unknown;
  /** Of a record. */
  readonly keyType?: unknown;
  readonly valueType?: unknown;
  /** Of what stands around another schema, such as `optional`. */
  readonly innerType?: unknown;
  readonly getter?: () => unknown;
  readonly format?: unknown;
  readonly checks?: readonly { readonly _zod: { readonly def: ZodCheck } }[];
}

export interface ZodCheck {
  readonly check: string;
  readonly maximum?: unknown;
  readonly length?: unknown;
}

export function isZod(schema: unknown): schema is ZodSchema {
  return (
    isStandardSchema(schema) && schema['~standard'].vendor === 'zod' && '_zod' in schema && 'clone' in schema
  );
}
