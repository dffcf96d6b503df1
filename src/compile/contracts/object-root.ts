import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { schemaAt } from '../../schema/schema-at.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import { isPlainObject } from '../../shared/json.ts';
import { isStandardSchema } from '../../shared/schema-source.ts';

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

/** Every name that the root declares, in its branches and conditions, too; a name may be required without more. */
export function rootNames(schema: JsonSchema): readonly string[] {
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

/** True when the schema itself says that further names are welcome. */
export function acceptsFurther(schema: JsonSchema): boolean {
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
