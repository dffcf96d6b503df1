import { isOfThisMoment } from '../../dto/shape/blank-instance.ts';
import type { Problem } from '../../errors/problem-list.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { repeatsRepetition } from '../../schema/patterns/backtracking.ts';
import { pointTo, valueAt } from '../../schema/pointer.ts';
import { mapSchemas, mapSubschemas, type Schema, walkSchema } from '../../schema/subschemas.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isPlainObject } from '../../shared/json.ts';
import type { StandardSchema } from '../../shared/schema-source.ts';
import { plainSchema } from './plain-schema.ts';

const TARGET = { target: 'draft-2020-12' };

/** The JSON Schema of a Standard Schema, for what goes in or for what comes out. */
export function standardJsonSchema(
  source: StandardSchema,
  side: 'input' | 'output',
  where: string,
): JsonSchema {
  const { vendor, jsonSchema } = source['~standard'];
  if (jsonSchema === undefined) {
    throw new ToolwrightError('TW_COMPILE_SCHEMA_UNSUPPORTED', {
      where,
      what: `has a schema of ${vendor} that cannot give JSON Schema.`,
      why: 'clients would be shown an empty schema.',
      fix: 'use zod 4.2 or later, ArkType, Valibot with its JSON Schema converter, or a DTO class',
    });
  }
  const read = (): JsonSchema => plainSchema(convert(jsonSchema[side], vendor, where), where);
  const schema = read();
  return hasDefaults(schema) ? keepDeterministicDefaults(schema, read()) : schema;
}

function convert(
  read: (options: { readonly target: string }) => unknown,
  vendor: string,
  where: string,
): unknown {
  try {
    return read(TARGET);
  } catch (cause) {
    throw new ToolwrightError('TW_COMPILE_SCHEMA_UNSUPPORTED', {
      where,
      what: `has a schema of ${vendor} that JSON Schema cannot express: ${cause instanceof Error ? cause.message : String(cause)}.`,
      why: 'clients would be shown an empty schema.',
      fix: 'describe the field by what JSON carries (a date as an ISO string, say)',
      cause,
    });
  }
}

function hasDefaults(schema: JsonSchema): boolean {
  return /"default":/.test(JSON.stringify(schema));
}

/**
 * A schema without the defaults that another reading of it gives otherwise, or that are the time of now: a default that
 * is computed for each call would be published as it was at the start.
 */
function keepDeterministicDefaults(schema: JsonSchema, again: JsonSchema): JsonSchema {
  const changing = new Set<unknown>();
  for (const { schema: one, path } of walkSchema(schema)) {
    if (!isPlainObject(one) || !Object.hasOwn(one, 'default')) continue;
    const isDeterministic =
      canonicalJson(one.default) === canonicalJson(valueAt(again, pointTo(path, 'default')));
    if (!isDeterministic || isOfThisMoment(one.default)) changing.add(one);
  }
  const keep = (one: Schema): Schema => {
    if (typeof one === 'boolean') return one;
    const { default: preset, ...rest } = one;
    return mapSubschemas(changing.has(one) ? rest : one, keep);
  };
  return keep(schema) as JsonSchema;
}

/** What is to be said of the patterns that a library runs itself, as far as its JSON Schema shows them. */
export function patternWarnings(schema: JsonSchema, where: string): readonly Problem[] {
  const patterns = [...patternsIn(schema)].filter(repeatsRepetition);
  const warnings = patterns.map((pattern) => ({
    code: 'TW_SHAPE_PATTERN_UNBOUNDED' as const,
    where,
    what: `has the pattern ${pattern}, which takes very long for some texts of forty characters.`,
    why: 'the library of the schema asks the engine of JavaScript, and that one tries all ways to match.',
    fix: 'write the pattern so that no repetition repeats another one, or describe the input by a DTO class or a JSON Schema',
  }));
  return Object.freeze(warnings);
}

function patternsIn(schema: JsonSchema): ReadonlySet<string> {
  const patterns = new Set<string>();
  mapSchemas(schema, (part) => {
    if (typeof part['pattern'] === 'string') patterns.add(part['pattern']);
    for (const pattern of Object.keys(part['patternProperties'] ?? {})) patterns.add(pattern);
    return part;
  });
  return patterns;
}
