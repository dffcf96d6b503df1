import { ProblemList } from '../../errors/problem-list.ts';
import { hasDefault, mergeAnnotations, withoutAnnotations, isAnnotation } from '../../schema/keywords.ts';
import { schemaIdentity } from '../../schema/canonical.ts';
import {
  definitionName,
  neededDefinitions,
  poolDefinitions,
  type Definitions,
} from '../../schema/definitions.ts';
import { inlineReferences } from '../../schema/inline.ts';
import { isSchema, propertiesOf, toSchemaObject, type Schema } from '../../schema/subschemas.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { frozenCopy } from '../../shared/deep-freeze.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import { mergeDeclarations } from './merge-declarations.ts';
import {
  tagBranches,
  withoutRequired,
  type Field,
  type FieldSet,
  type TaggedBranch,
} from './tagged-branches.ts';

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
 * The fields of a schema that cannot be left out, in the order of its properties. Broken references are reported
 * by the code that publishes the schema.
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

/** {@link requiredFields} of a schema in which all fields stand side by side. */
export function joinedRequiredFields({ properties = {}, required = [] }: JsonSchema = {}): readonly string[] {
  return required.filter((name) => !hasDefault(properties[name] ?? {}));
}

/**
 * What an action requires beyond what the tool's common schema requires of every action.
 * @param own the fields that the action cannot be called without
 */
export function ownRequiredFields(common: JsonSchema | undefined, own: readonly string[]): readonly string[] {
  const always = new Set(requiredFields(common));
  return own.filter((field) => !always.has(field));
}

/** A schema, and where it stands in messages. */
interface SchemaOf {
  readonly schema: JsonSchema | undefined;
  readonly where: string;
  /** Its fields, where they are known already and refer to no definitions. */
  readonly list?: FieldList | undefined;
}

/** The flattened fields of several schemas, with their recursive types in one set. */
interface SourceFields {
  /** In the order of the sources; `required` holds only the fields that cannot be left out. */
  readonly lists: readonly FieldList[];
  readonly definitions: Definitions;
}

const NO_DEFINITIONS: Definitions = new Map();

export function sourceFields(sources: readonly SchemaOf[], problems: ProblemList): SourceFields {
  const inlined = sources.map(({ schema = {}, where, list }) =>
    list === undefined ? inlineReferences(schema, where, problems) : { schema, definitions: NO_DEFINITIONS },
  );
  const { schemas, definitions } = poolDefinitions(inlined);
  const lists = schemas.map((schema, index) => {
    const known = sources[index]?.list;
    if (known !== undefined) return known;
    const list = listFields(schema, definitions);
    return { fields: list.fields, required: new Set(requiredNames(list)), branches: list.branches };
  });
  return { lists, definitions };
}

/** An object schema of merged fields, with the definitions that they refer to; a frozen copy. */
export function objectSchema(
  fields: Iterable<readonly [string, JsonSchema]>,
  required: readonly string[],
  definitions: Definitions,
): ObjectSchema {
  const properties = Object.fromEntries(fields);
  const $defs = neededDefinitions(Object.values(properties), definitions);
  const hasDefinitions = Object.keys($defs).length > 0;
  return frozenCopy({ type: 'object', properties, required, ...(hasDefinitions ? { $defs } : {}) } as const);
}

/** The fields of a schema that has none. */
export const NO_FIELDS = {
  fields: new Map<string, never>(),
  required: new Set<string>(),
  branches: [],
} satisfies FieldList;
const STRUCTURAL =
  /^(?:properties|patternProperties|additionalProperties|items|prefixItems|contains|min.*Contains|max.*Contains|unevaluated.*|anyOf|oneOf|allOf|not|if|then|else|\$.*)$/;

/** The keywords that add fields to those of a schema itself. */
const BRANCHING = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas'] as const;

/** Gathers the fields of all branches of a schema; undefined when no object can satisfy it. */
function collectFields(
  schema: Schema,
  definitions: Definitions,
  entered: ReadonlySet<string> = new Set(),
): FieldSet | undefined {
  if (schema === false) return undefined;
  if (schema === true) return NO_FIELDS;
  if (schema.type !== undefined && ![schema.type].flat().includes('object')) return undefined;
  if (!BRANCHING.some((keyword) => schema[keyword] !== undefined)) return ownFields(schema);
  const collect = (part: Schema): FieldSet | undefined => collectFields(part, definitions, entered);
  const parts: (FieldSet | undefined)[] = [ownFields(schema)];
  if (schema.$ref !== undefined) parts.push(referredFields(schema.$ref, definitions, entered));
  parts.push(...(schema.allOf ?? []).map(collect));
  for (const branches of unionsOf(schema)) parts.push(uniteFields(branches.map(collect), definitions));
  return parts.reduce((left, right) =>
    left === undefined || right === undefined ? undefined : intersectFields(left, right, definitions),
  );
}

function ownFields(schema: JsonSchema): FieldSet {
  const properties = [...propertiesOf(schema)];
  return {
    fields: new Map(
      properties.map(([name, own]) => [name, { schema: toSchemaObject(own), isPartial: false }]),
    ),
    required: new Set(schema.required ?? []),
    branches: [],
  };
}

function referredFields(
  reference: string,
  definitions: Definitions,
  entered: ReadonlySet<string>,
): FieldSet | undefined {
  const name = definitionName(reference);
  const target = definitions.get(name);
  if (target === undefined || entered.has(name)) return NO_FIELDS;
  return collectFields(target, definitions, new Set([...entered, name]));
}

/** Groups of branches; one branch of each group must hold. A condition is a choice between its outcomes. */
function unionsOf(schema: JsonSchema): readonly (readonly Schema[])[] {
  const unions: (readonly Schema[])[] = [];
  if (schema.anyOf !== undefined) unions.push(schema.anyOf);
  if (schema.oneOf !== undefined) unions.push(schema.oneOf);
  const outcomes = [schema['then'], schema['else']];
  if (schema['if'] !== undefined)
    unions.push(outcomes.map((outcome) => (isSchema(outcome) ? outcome : true)));
  const dependent = Object.values(schema['dependentSchemas'] ?? {}) as unknown[];
  unions.push(...dependent.filter(isSchema).map((branch) => [branch, true]));
  return unions;
}

function uniteFields(
  branches: readonly (FieldSet | undefined)[],
  definitions: Definitions,
): FieldSet | undefined {
  const possible = branches.filter((branch) => branch !== undefined);
  const [first, ...others] = possible;
  if (first === undefined) return undefined;
  const names = new Set(possible.flatMap(({ fields }) => [...fields.keys()]));
  const fields = [...names].map((name): [string, Field] => {
    const declared = possible.map((branch) => branch.fields.get(name)).filter((field) => field !== undefined);
    const isPartial = declared.length < possible.length || declared.some((field) => field.isPartial);
    return [name, { schema: unite(name, declared, definitions), isPartial }];
  });
  const required = new Set(
    [...first.required].filter((name) => others.every((branch) => branch.required.has(name))),
  );
  return { fields: new Map(fields), required, branches: tagBranches(possible, required) };
}

function unite(name: string, fields: readonly Field[], definitions: Definitions): JsonSchema {
  const declarations = fields.map(({ schema }, index) => ({ by: String(index), schema }));
  return mergeDeclarations(declarations, { path: name, definitions, onConflict: undefined });
}

function intersectFields(left: FieldSet, right: FieldSet, definitions: Definitions): FieldSet {
  const fields = new Map(left.fields);
  for (const [name, field] of right.fields) {
    const known = fields.get(name);
    fields.set(name, known === undefined ? field : intersectField(name, known, field, definitions));
  }
  return {
    fields,
    required: new Set([...left.required, ...right.required]),
    branches: [...left.branches, ...right.branches],
  };
}

// Where a branch says nothing of a field, only the declaration outside the union holds.
function intersectField(name: string, left: Field, right: Field, definitions: Definitions): Field {
  if (left.isPartial && right.isPartial)
    return { schema: unite(name, [left, right], definitions), isPartial: true };
  if (left.isPartial) return right;
  return right.isPartial ? left : { schema: intersect(left.schema, right.schema), isPartial: false };
}

function intersect(left: JsonSchema, right: JsonSchema): JsonSchema {
  const [bareLeft, bareRight] = [withoutAnnotations(left), withoutAnnotations(right)];
  const annotations = firstAnnotations(left, right);
  if (schemaIdentity(bareLeft) === schemaIdentity(bareRight)) return { ...bareLeft, ...annotations };
  if (canOverlay(bareLeft, bareRight)) return { ...bareLeft, ...bareRight, ...annotations };
  return { allOf: [bareLeft, bareRight], ...annotations };
}

function firstAnnotations(left: JsonSchema, right: JsonSchema): JsonSchema {
  const own = Object.entries({ ...right, ...left }).filter(([keyword]) => isAnnotation(keyword));
  return { ...Object.fromEntries(own), ...mergeAnnotations([left, right]) };
}

/** Two schemas fit into one when their keywords neither clash nor depend on their neighbours. */
function canOverlay(left: JsonSchema, right: JsonSchema): boolean {
  const keywords = [...Object.keys(left), ...Object.keys(right)];
  if (Object.keys(left).length === 0 || Object.keys(right).length === 0) return true;
  if (keywords.some((keyword) => STRUCTURAL.test(keyword))) return false;
  return Object.entries(left).every(
    ([keyword, value]) =>
      !Object.hasOwn(right, keyword) || canonicalJson(right[keyword]) === canonicalJson(value),
  );
}
