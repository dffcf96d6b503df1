import { ProblemList } from '../../errors/problem-list.ts';
import { poolDefinitions, type Definitions, type InlinedSchema } from '../../schema/definitions.ts';
import { inlineReferences } from '../../schema/inline.ts';
import { mergeAnnotations } from '../../schema/keywords.ts';
import { frozenCopy } from '../../shared/deep-freeze.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import { listFields, objectSchema, sourceFields, type FieldList } from '../fields/field-list.ts';
import { mergeDeclarations } from '../fields/merge-declarations.ts';
import { withoutRequired, type TaggedBranch } from '../fields/tagged-branches.ts';
import { readForm } from '../fields/value-form.ts';

/** The fields of several schemas as one: the later declaration of a field counts. */
export interface JoinedObject {
  readonly schema: ObjectSchema;
  /** The fields that only branches of tagged unions require, which the flat schema cannot express. */
  readonly branches: readonly TaggedBranch[];
  /** The fields of the schema, unless they refer to definitions. */
  readonly list: FieldList | undefined;
}

/**
 * The joined fields of nested schemas, outermost first: an action's common fields, then its own. Undefined without
 * any schema.
 */
export function joinObjectSchemas(
  schemas: readonly (JsonSchema | undefined)[],
  where = 'an action',
  problems: ProblemList,
): JoinedObject | undefined {
  const sources = schemas.filter((schema) => schema !== undefined).map((schema) => ({ schema, where }));
  if (sources.length === 0) return undefined;
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
  const needed = [...required].filter(([, isRequired]) => isRequired).map(([name]) => name);
  const schema = objectSchema(fields, needed, definitions);
  return Object.freeze({
    schema,
    branches: frozenCopy(branches),
    list: definitions.size > 0 ? undefined : { fields, required: new Set(needed), branches: NONE },
  });
}

const NONE: readonly never[] = Object.freeze([]);

/** A field declared again keeps the earlier description unless it brings its own. */
function describeLike(schema: JsonSchema, earlier: JsonSchema | undefined): JsonSchema {
  if (earlier === undefined) return schema;
  const { description } = mergeAnnotations([schema, earlier]);
  return description === undefined ? schema : { ...schema, description };
}

/** An action's declared output. */
export interface OutputFacts {
  readonly key: string;
  readonly schema: JsonSchema | undefined;
}

/** The output schema of a tool, or undefined unless every action declares an output. */
export function mergeOutputSchemas(
  actions: readonly OutputFacts[],
  where = 'a tool',
  problems: ProblemList,
): ObjectSchema | undefined {
  const inlined: InlinedSchema[] = [];
  for (const { key, schema } of actions) {
    if (schema === undefined) return undefined;
    inlined.push(inlineReferences(schema, `the output of action "${key}" of ${where}`, problems));
  }
  if (inlined.length === 0) return undefined;
  const { schemas, definitions } = poolDefinitions(inlined);
  const lists = schemas.map((schema) => listFields(wrapOutput(schema, definitions), definitions));
  const names = [...new Set(lists.flatMap(({ fields }) => [...fields.keys()]))];
  const properties = names.map((name): [string, JsonSchema] => {
    const declared = lists.map(({ fields }) => fields.get(name)).filter((schema) => schema !== undefined);
    const declarations = declared.map((schema, index) => ({ by: String(index), schema }));
    return [name, mergeDeclarations(declarations, { path: name, definitions, onConflict: undefined })];
  });
  const required = names.filter((name) => lists.every((list) => list.required.has(name)));
  return objectSchema(properties, required, definitions);
}

/** True when values of the schema are always objects; other outputs are sent as `{ result: value }`. */
export function describesObject(schema: JsonSchema): boolean {
  const inlined = inlineReferences(schema, 'an output', new ProblemList());
  return isObject(inlined.schema, inlined.definitions);
}

function wrapOutput(schema: JsonSchema, definitions: Definitions): JsonSchema {
  return isObject(schema, definitions) ? schema : { properties: { result: schema }, required: ['result'] };
}

function isObject(schema: JsonSchema, definitions: Definitions): boolean {
  const form = readForm(schema, definitions);
  if (form === 'any') return schema.properties !== undefined;
  return form.length > 0 && form.every(({ kind }) => kind === 'object');
}
