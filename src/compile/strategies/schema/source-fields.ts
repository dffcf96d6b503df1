import type { JsonSchema } from '../../../shared/json-schema.ts';
import { listFields, type FieldList, requiredNames } from '../field-list.ts';
import type { ProblemList } from '../../../errors/problem-list.ts';
import { inlineReferences } from '../../../schema/inline.ts';
import { poolDefinitions, type Definitions } from '../../../schema/definitions.ts';

/** A schema, and where it stands in messages. */
export interface SchemaOf {
  readonly schema: JsonSchema | undefined;
  readonly where: string;
}

/** The flattened fields of several schemas, with their recursive types in one set. */
export interface SourceFields {
  /** In the order of the sources; `required` holds what really cannot be left out. */
  readonly lists: readonly FieldList[];
  readonly definitions: Definitions;
}

export function sourceFields(sources: readonly SchemaOf[], problems: ProblemList): SourceFields {
  const inlined = sources.map(({ schema, where }) => inlineReferences(schema ?? {}, where, problems));
  const { schemas, definitions } = poolDefinitions(inlined);
  const lists = schemas.map((schema) => {
    const list = listFields(schema, definitions);
    return { fields: list.fields, required: new Set(requiredNames(list)), branches: list.branches };
  });
  return { lists, definitions };
}
