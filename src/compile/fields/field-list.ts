import { ProblemList } from '../../errors/problem-list.ts';
import { hasDefault } from '../../schema/annotations.ts';
import { poolDefinitions, type Definitions } from '../../schema/definitions.ts';
import { inlineReferences } from '../../schema/inline.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { collectFields } from './collect-fields.ts';
import { withoutRequired, type TaggedBranch } from './tagged-branches.ts';

/** The fields of a schema before they are printed. */
export interface FieldList {
  readonly fields: ReadonlyMap<string, JsonSchema>;
  readonly required: ReadonlySet<string>;
  /** What only the branches of tagged unions require. */
  readonly branches: readonly TaggedBranch[];
}

/** The fields of a schema whose references lead into the given definitions. */
export function listFields(schema: JsonSchema, definitions: Definitions): FieldList {
  const collected = collectFields(schema, definitions);
  const fields = new Map<string, JsonSchema>();
  for (const [name, field] of collected?.fields ?? []) fields.set(name, field.schema);
  // a name may be required without being described
  for (const name of collected?.required ?? []) if (!fields.has(name)) fields.set(name, {});
  const required = collected?.required ?? new Set<string>();
  const branches = withoutRequired(
    collected?.branches ?? [],
    (name) => !required.has(name) && !hasDefault(fields.get(name) ?? {}),
  );
  return { fields, required, branches };
}

/**
 * The fields of a schema that cannot be left out, in the order of its properties. What its references lack is a
 * problem of whoever publishes it.
 */
export function requiredFields(schema: JsonSchema | undefined): readonly string[] {
  if (schema === undefined) return [];
  const inlined = inlineReferences(schema, 'an object schema', new ProblemList());
  return requiredNames(listFields(inlined.schema, inlined.definitions));
}

/** {@link requiredFields} of fields that are listed already. */
export function requiredNames({ fields, required }: FieldList): readonly string[] {
  return [...fields]
    .filter(([name, schema]) => required.has(name) && !hasDefault(schema))
    .map(([name]) => name);
}

/** What an action requires beyond what the tool's common schema requires of every action. */
export function ownRequiredFields(
  common: JsonSchema | undefined,
  own: JsonSchema | undefined,
): readonly string[] {
  const always = new Set(requiredFields(common));
  return requiredFields(own).filter((field) => !always.has(field));
}

/** A schema, and where it stands in messages. */
interface SchemaOf {
  readonly schema: JsonSchema | undefined;
  readonly where: string;
}

/** The flattened fields of several schemas, with their recursive types in one set. */
interface SourceFields {
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
