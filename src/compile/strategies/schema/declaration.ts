import type { JsonSchema } from '../../../shared/json-schema.ts';
import type { Definitions } from '../../../schema/definitions.ts';
import type { Schema } from '../../../schema/subschemas.ts';

/** One place that declares a field. */
export interface Declaration {
  /** Whose it is; declarations of the same owner never conflict. */
  readonly by: string;
  readonly schema: Schema;
}

/** Two declarations of which neither accepts all types of the other. */
export interface TypeConflict {
  readonly path: string;
  readonly first: string;
  readonly firstType: string;
  readonly second: string;
  readonly secondType: string;
}

export interface MergeContext {
  /** The field, in messages. */
  readonly path: string;
  readonly definitions: Definitions;
  /** Called for truly different types; when it is absent they are merged into a union. */
  readonly onConflict: ((conflict: TypeConflict) => void) | undefined;
}

/** {@link mergeDeclarations}, for the parts that it calls and that call it back. */
export type Merge = (declarations: readonly Declaration[], context: MergeContext) => JsonSchema;
