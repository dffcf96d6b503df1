import type { Issue } from '../../call/issue.ts';
import { beginPass, concerns, copyJson } from '../../dto/check/copy-input.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { clientForm } from '../../schema/client-form.ts';
import type { Dialect } from '../../schema/keywords.ts';
import { pointTo } from '../../schema/pointer.ts';
import { schemaAt } from '../../schema/schema-at.ts';
import { upgradeSchema } from '../../schema/upgrade.ts';
import { walkSchema } from '../../schema/subschemas.ts';
import { deepCopy, deepFreeze } from '../../shared/deep-freeze.ts';
import { describeValue } from '../../shared/describe-value.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { isStandardSchema } from '../../shared/schema-source.ts';
import { createNullDropper } from './absent-nulls.ts';
import type { Contract, ContractOptions } from './contract.ts';
import { isPrototypeName, omitNames } from './field-names.ts';

const CURRENT = /^https?:\/\/json-schema\.org\/draft\/20(19-09|20-12)\/schema#?$/;
const OLDER = /^https?:\/\/json-schema\.org\/(draft-0[467]\/)?schema#?$/;
// $async would turn every answer into a promise.
const DOCUMENT_KEYWORDS = new Set(['$schema', '$id', 'id', '$async']);

/**
 * An own copy of a JSON Schema in the vocabulary of 2020-12, in the form that clients take, without the keywords that only
 * name the document.
 */
export function plainSchema(source: unknown, where: string): JsonSchema {
  if (!isPlainObject(source)) throw unsupported(source, where);
  const upgraded = upgradeSchema(deepCopy(source), dialectOf(source, where));
  const schema: JsonSchema = Object.fromEntries(
    Object.entries(upgraded).filter(([keyword, value]) => !isOfDocument(keyword, value)),
  );
  refuseForeignReferences(schema, where);
  return clientForm(schema);
}

/** A property may be called `id`; the keyword of draft-04 is a text. */
function isOfDocument(keyword: string, value: unknown): boolean {
  return DOCUMENT_KEYWORDS.has(keyword) && (keyword !== 'id' || typeof value === 'string');
}

function dialectOf({ $schema }: PlainObject, where: string): Dialect {
  if ($schema === undefined || (typeof $schema === 'string' && CURRENT.test($schema))) return '2020-12';
  if (typeof $schema === 'string' && OLDER.test($schema)) return 'draft-07';
  throw new ToolwrightError('TW_COMPILE_SCHEMA_UNSUPPORTED', {
    where,
    what: `has a JSON Schema of another dialect: ${JSON.stringify($schema)}.`,
    why: 'drafts from 04 to 2020-12 are read, and this is none of them.',
    fix: 'write the schema in 2020-12 and leave $schema out',
  });
}

function unsupported(source: unknown, where: string): ToolwrightError {
  return new ToolwrightError('TW_COMPILE_SCHEMA_UNSUPPORTED', {
    where,
    what: `has a schema that is neither a class, a Standard Schema nor a JSON Schema: ${describeValue(source)}.`,
    why: 'an unknown kind of schema would publish an empty one and check nothing.',
    fix: 'pass a DTO class, a Standard Schema that gives JSON Schema (zod 4.2 or later), or a JSON Schema object',
  });
}

function refuseForeignReferences(root: JsonSchema, where: string): void {
  for (const { schema, path } of walkSchema(root)) {
    if (typeof schema === 'boolean' || typeof schema.$ref !== 'string') continue;
    if (!schema.$ref.startsWith('#')) throw foreignReference(schema.$ref, pointTo(path, '$ref'), where);
  }
}

function foreignReference(reference: string, path: string, where: string): ToolwrightError {
  return new ToolwrightError('TW_COMPILE_SCHEMA_REFERENCE', {
    where,
    what: `has a JSON Schema that refers to "${reference}" at ${path}.`,
    why: 'a published schema has to stand alone; nothing is fetched.',
    fix: 'copy what it refers to into $defs and write "#/$defs/Name"',
  });
}

/** The members of a contract that come from its JSON Schema; `whole` is the schema that its check uses. */
type SchemaMembers = Omit<Contract, 'source' | 'warnings' | 'check'> & {
  readonly whole: ObjectSchema;
};

export function membersOf(plain: JsonSchema, { where, without = [] }: ContractOptions): SchemaMembers {
  const whole = deepFreeze(objectRoot(plain, where));
  const schema = omitNames(whole, without);
  const declared = rootNames(whole);
  return {
    whole,
    type: undefined,
    schema,
    names: Object.freeze(declared.filter((name) => !without.includes(name))),
    redeclared: Object.freeze(declared.filter((name) => without.includes(name))),
    acceptsFurtherNames: acceptsFurther(schema),
    looseFields: Object.freeze([]),
    explanation: undefined,
  };
}

/** A copy of an input without meaningless nulls, and the issues of its names and depth. */
interface CopiedInput {
  readonly value: object;
  readonly issues: readonly Issue[];
  readonly isTooDeep: boolean;
}

/** Compiles the copying of inputs that a JSON Schema describes. */
export function compileCopy(
  { whole, redeclared }: SchemaMembers,
  { unknownFields }: ContractOptions,
): (input: PlainObject) => CopiedInput {
  const dropAbsentNulls = createNullDropper(whole);
  return (input) => {
    const pass = beginPass(unknownFields);
    const value = copyJson(input, isPrototypeName, pass) as object;
    const { isTooDeep, issues } = pass;
    if (isTooDeep) return { value, issues, isTooDeep };
    if (pass.hasNull) dropAbsentNulls(value);
    return { value, issues: issues.filter(({ path }) => !concerns(path, redeclared)), isTooDeep };
  };
}

/** The schema with `type: object` at its root; a root that could be anything else is refused. */
export function objectRoot(schema: JsonSchema, where: string): ObjectSchema {
  const root = resolvedRoot(schema);
  if (isObjectLike(schema, root)) return { ...root, type: 'object' };
  throw new ToolwrightError('TW_COMPILE_SCHEMA_ROOT', {
    where,
    what: `has an input schema whose root is ${rootText(root)}, not an object.`,
    why: 'the arguments of a tool are an object with named fields.',
    fix: rootFix(schema),
  });
}

export function isObjectSchema(schema: JsonSchema): boolean {
  return isObjectLike(schema, resolvedRoot(schema));
}

/** A root that is a reference becomes what it refers to. */
function resolvedRoot(schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const target = schemaAt(schema, []) ?? schema;
  return schema.$defs === undefined ? target : { ...target, $defs: schema.$defs };
}

function isObjectLike(root: JsonSchema, schema: JsonSchema, depth = 0): boolean {
  if (depth > 8) return false;
  if (schema.type !== undefined) return schema.type === 'object';
  if (schema.properties !== undefined) return true;
  const inner = (branch: JsonSchema): boolean =>
    isObjectLike(root, schemaAt({ ...branch, ...definitionsOf(root) }, []) ?? branch, depth + 1);
  if (schema.allOf?.some(inner) === true) return true;
  const branches = schema.anyOf ?? schema.oneOf ?? [];
  return branches.length > 0 && branches.every(inner);
}

function definitionsOf({ $defs, definitions }: JsonSchema): JsonSchema {
  return {
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}

function rootText(schema: JsonSchema): string {
  if (schema.type !== undefined) return [schema.type].flat().join(' or ');
  return schema.anyOf !== undefined || schema.oneOf !== undefined
    ? 'a union with something else'
    : 'of no type';
}

function rootFix(schema: JsonSchema): string {
  return Object.values(schema).some((value) => isStandardSchema(value))
    ? 'wrap the fields: z.object({ … })'
    : "describe an object: { type: 'object', properties: { … } }";
}

/** Every name that the root declares, also in its branches and conditions, or only in `required`. */
function rootNames(schema: JsonSchema): readonly string[] {
  const names = new Set<string>();
  for (const part of rootParts(schema, schema, outcomesOf)) {
    for (const name of Object.keys(part.properties ?? {})) names.add(name);
    for (const name of part.required ?? []) names.add(name);
  }
  return Object.freeze([...names]);
}

function outcomesOf(schema: JsonSchema): readonly JsonSchema[] {
  const dependent = Object.values(schema['dependentSchemas'] ?? {}) as unknown[];
  return [schema['then'], schema['else'], ...dependent].filter(isPlainObject);
}

/** True when the schema itself allows further names. */
function acceptsFurther(schema: JsonSchema): boolean {
  return rootParts(schema, schema).some((part) => {
    const further = part.additionalProperties ?? part['unevaluatedProperties'] ?? false;
    return further !== false || part['patternProperties'] !== undefined;
  });
}

function rootParts(
  root: JsonSchema,
  schema: JsonSchema,
  furtherParts: (part: JsonSchema) => readonly JsonSchema[] = () => [],
  depth = 0,
): readonly JsonSchema[] {
  const resolved = schema.$ref === undefined ? schema : schemaAt({ ...schema, ...definitionsOf(root) }, []);
  if (resolved === undefined || depth > 8) return [];
  const { allOf = [], anyOf = [], oneOf = [] } = resolved;
  const branches = [...allOf, ...anyOf, ...oneOf, ...furtherParts(resolved)];
  return [resolved, ...branches.flatMap((branch) => rootParts(root, branch, furtherParts, depth + 1))];
}
