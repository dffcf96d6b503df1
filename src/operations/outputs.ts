import { createContract } from '../compile/contracts/create-contract.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import type { JsonSchema } from '../shared/json-schema.ts';
import type { Class } from '../index.ts';
import { isClass } from '../shared/class-type.ts';
import { isStandardSchema, type SchemaSource } from '../shared/schema-source.ts';

/**
 * What an action publishes of an answer: its schema, as far as `fields` keep parts of it. Answers may have more members
 * than their class declares.
 * @returns undefined where the source has no schema
 */
export function outputSchema(
  source: SchemaSource,
  fields: readonly string[] | undefined,
): JsonSchema | undefined {
  const whole = readSchema(source);
  if (whole === undefined) return undefined;
  const open = opened(whole) as JsonSchema;
  if (fields === undefined) return open;
  const { $defs = {} } = open as { readonly $defs?: PlainObject };
  return prune(
    open,
    fields.map((field) => field.split('.')),
    $defs,
  );
}

/** A list of what a class describes; undefined where the class has no schema. */
export function listSchema(type: Class): SchemaSource | undefined {
  const schema = readSchema(type);
  if (schema === undefined) return undefined;
  const { $defs, ...items } = schema as JsonSchema & { readonly $defs?: PlainObject };
  return { type: 'array', items, ...($defs === undefined ? {} : { $defs }) };
}

function readSchema(source: SchemaSource): JsonSchema | undefined {
  if (!isClass(source) && !isStandardSchema(source)) return source;
  try {
    const { schema } = createContract(source, { unknownFields: 'strict', where: 'an answer' });
    return Object.keys(schema.properties ?? {}).length === 0 ? undefined : schema;
  } catch (thrown) {
    if (!ToolwrightError.is(thrown)) throw thrown;
    return undefined;
  }
}

function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).filter(
    ([name, member]) => name !== 'additionalProperties' || member !== false,
  );
  return Object.fromEntries(entries.map(([name, member]) => [name, opened(member)]));
}

/** Without `$defs`: what a reference stands for is put in its place, as far as paths lead. */
function prune(schema: JsonSchema, paths: readonly (readonly string[])[], $defs: PlainObject): JsonSchema {
  if (paths.some((path) => path.length === 0)) return withDefinitions(schema, $defs);
  const { $ref } = schema as { readonly $ref?: string };
  const target = $ref === undefined ? undefined : $defs[$ref.replace('#/$defs/', '')];
  if (isPlainObject(target)) return prune(target, paths, $defs);
  const { $defs: _own, ...rest } = schema as JsonSchema & { readonly $defs?: PlainObject };
  if (isPlainObject(schema.items)) return { ...rest, items: prune(schema.items, paths, $defs) };
  if (schema.anyOf !== undefined)
    return { ...rest, anyOf: schema.anyOf.map((each) => prune(each, paths, $defs)) };
  const kept = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const inner = paths.filter(([first]) => first === name).map(([, ...further]) => further);
    return inner.length === 0 ? [] : [[name, prune(property, inner, $defs)] as const];
  });
  if (schema.properties === undefined) return rest;
  const names = kept.map(([name]) => name);
  const required = (schema.required ?? []).filter((name) => names.includes(name));
  const { required: _all, ...others } = rest;
  return {
    ...others,
    properties: Object.fromEntries(kept),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** A part that is kept whole may refer to any definition. */
function withDefinitions(schema: JsonSchema, $defs: PlainObject): JsonSchema {
  return inlined(schema, $defs, []) as JsonSchema;
}

function inlined(value: unknown, $defs: PlainObject, inside: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(item, $defs, inside));
  if (!isPlainObject(value)) return value;
  const { $ref } = value;
  if (typeof $ref === 'string' && $ref.startsWith('#/$defs/')) {
    const name = $ref.slice('#/$defs/'.length);
    // A type that contains itself has no end; its inner part may be anything
    return inside.includes(name) ? {} : inlined($defs[name], $defs, [...inside, name]);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, inlined(member, $defs, inside)]),
  );
}
