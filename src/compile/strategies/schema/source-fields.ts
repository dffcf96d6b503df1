import type { JsonSchema } from '../../../shared/json-schema.ts';
import { listFields, type FieldList } from '../flatten-object-schema.ts';
import type { Report } from '../report.ts';
import { requiredNames } from '../required-fields.ts';
import { inlineReferences } from './inline-references.ts';
import { poolDefinitions } from './pool-definitions.ts';
import type { Definitions } from './read-form.ts';

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

export function sourceFields(sources: readonly SchemaOf[], report: Report): SourceFields {
  const inlined = sources.map(({ schema, where }) => inlineReferences(schema ?? {}, where, report));
  const { schemas, definitions } = poolDefinitions(inlined);
  const lists = schemas.map((schema) => {
    const list = listFields(schema, definitions);
    return { fields: list.fields, required: new Set(requiredNames(list)), branches: list.branches };
  });
  return { lists, definitions };
}
