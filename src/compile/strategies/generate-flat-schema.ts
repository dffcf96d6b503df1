import { deepCopy, deepFreeze } from '../../shared/deep-freeze.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import { throwProblem, type Report } from './report.ts';
import { mergeAnnotations } from './schema/annotation-keywords.ts';
import { neededDefinitions } from './schema/pool-definitions.ts';
import { sourceFields } from './schema/source-fields.ts';

/** The input schema of an action that is a tool by itself: its common fields, then its own. */
export function generateFlatSchema(
  schemas: readonly (JsonSchema | undefined)[],
  where = 'an action',
  report: Report = throwProblem,
): ObjectSchema {
  const sources = schemas.filter((schema) => schema !== undefined).map((schema) => ({ schema, where }));
  const { lists, definitions } = sourceFields(sources, report);
  const fields = new Map<string, JsonSchema>();
  const required = new Map<string, boolean>();
  for (const list of lists) {
    for (const [name, schema] of list.fields) {
      fields.set(name, describeLike(schema, fields.get(name)));
      required.set(name, list.required.has(name));
    }
  }
  const $defs = neededDefinitions(fields.values(), definitions);
  return deepFreeze(
    deepCopy({
      type: 'object',
      properties: Object.fromEntries(fields),
      required: [...required].filter(([, isRequired]) => isRequired).map(([name]) => name),
      ...(Object.keys($defs).length === 0 ? {} : { $defs }),
    }),
  );
}

/** {@link generateFlatSchema}, or undefined when there is no schema at all. */
export function joinObjectSchemas(
  schemas: readonly (JsonSchema | undefined)[],
  where = 'an action',
  report: Report = throwProblem,
): ObjectSchema | undefined {
  const isEmpty = schemas.every((schema) => schema === undefined);
  return isEmpty ? undefined : generateFlatSchema(schemas, where, report);
}

/** A field declared again keeps the earlier description unless it brings its own. */
function describeLike(schema: JsonSchema, earlier: JsonSchema | undefined): JsonSchema {
  if (earlier === undefined) return schema;
  const { description } = mergeAnnotations([schema, earlier]);
  return description === undefined ? schema : { ...schema, description };
}
