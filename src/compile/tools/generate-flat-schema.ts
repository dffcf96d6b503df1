import type { ProblemList } from '../../errors/problem-list.ts';
import { mergeAnnotations } from '../../schema/annotations.ts';
import { neededDefinitions } from '../../schema/definitions.ts';
import { deepCopy, deepFreeze } from '../../shared/deep-freeze.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import { sourceFields } from '../fields/field-list.ts';
import { withoutRequired, type TaggedBranch } from '../fields/tagged-branches.ts';

/** The fields of several schemas as one: the later declaration of a field counts. */
export interface JoinedObject {
  readonly schema: ObjectSchema;
  /** What only the branches of tagged unions require, which the flat schema cannot say. */
  readonly branches: readonly TaggedBranch[];
}

/** The input schema of an action that is a tool by itself: its common fields, then its own. */
export function generateFlatSchema(
  schemas: readonly (JsonSchema | undefined)[],
  where = 'an action',
  problems: ProblemList,
): ObjectSchema {
  return joinSchemas(schemas, where, problems).schema;
}

/** {@link generateFlatSchema} and what is lost in it, or undefined when there is no schema at all. */
export function joinObjectSchemas(
  schemas: readonly (JsonSchema | undefined)[],
  where = 'an action',
  problems: ProblemList,
): JoinedObject | undefined {
  const isEmpty = schemas.every((schema) => schema === undefined);
  return isEmpty ? undefined : joinSchemas(schemas, where, problems);
}

function joinSchemas(
  schemas: readonly (JsonSchema | undefined)[],
  where: string,
  problems: ProblemList,
): JoinedObject {
  const sources = schemas.filter((schema) => schema !== undefined).map((schema) => ({ schema, where }));
  const { lists, definitions } = sourceFields(sources, problems);
  const fields = new Map<string, JsonSchema>();
  const required = new Map<string, boolean>();
  let branches: readonly TaggedBranch[] = [];
  for (const list of lists) {
    branches = [...withoutRequired(branches, (name) => !list.fields.has(name)), ...list.branches];
    for (const [name, schema] of list.fields) {
      fields.set(name, describeLike(schema, fields.get(name)));
      required.set(name, list.required.has(name));
    }
  }
  const $defs = neededDefinitions(fields.values(), definitions);
  const schema: ObjectSchema = {
    type: 'object',
    properties: Object.fromEntries(fields),
    required: [...required].filter(([, isRequired]) => isRequired).map(([name]) => name),
    ...(Object.keys($defs).length === 0 ? {} : { $defs }),
  };
  return deepFreeze(deepCopy({ schema, branches }));
}

/** A field declared again keeps the earlier description unless it brings its own. */
function describeLike(schema: JsonSchema, earlier: JsonSchema | undefined): JsonSchema {
  if (earlier === undefined) return schema;
  const { description } = mergeAnnotations([schema, earlier]);
  return description === undefined ? schema : { ...schema, description };
}
