import { deepCopy, deepFreeze } from '../../shared/deep-freeze.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { throwProblem } from './report.ts';
import { hasDefault } from './schema/annotation-keywords.ts';
import { collectFields } from './schema/collect-fields.ts';
import { inlineReferences } from './schema/inline-references.ts';
import { neededDefinitions } from './schema/pool-definitions.ts';
import type { Definitions } from './schema/read-form.ts';
import { withoutRequired, type TaggedBranch } from './schema/tagged-branches.ts';

/** An object schema without unions, intersections and references at its root. Frozen. */
export interface FlatObject {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  /** In the order of the properties. */
  readonly required: readonly string[];
  /** The recursive types that the properties refer to; empty for most schemas. */
  readonly $defs: Readonly<Record<string, JsonSchema>>;
}

/** The fields of a schema before they are printed. */
export interface FieldList {
  readonly fields: ReadonlyMap<string, JsonSchema>;
  readonly required: ReadonlySet<string>;
  /** What only the branches of tagged unions require. */
  readonly branches: readonly TaggedBranch[];
}

/** Flattens unions, intersections and references at the root: fields of all branches appear. */
export function flattenObjectSchema(schema: JsonSchema): FlatObject {
  const inlined = inlineReferences(schema, 'an object schema', throwProblem);
  const { fields, required } = listFields(inlined.schema, inlined.definitions);
  return deepFreeze(
    deepCopy({
      properties: Object.fromEntries(fields),
      required: [...fields.keys()].filter((name) => required.has(name)),
      $defs: neededDefinitions(fields.values(), inlined.definitions),
    }),
  );
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
