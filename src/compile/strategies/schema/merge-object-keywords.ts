import type { JsonSchema } from '../../../shared/json-schema.ts';
import { isPlainObject } from '../../../shared/json.ts';
import type { Declaration, Merge, MergeContext } from './declaration.ts';
import { canonicalJson } from '../../../shared/canonical-json.ts';
import type { OwnedShape } from './value-shape.ts';
import { isSchema, type Schema } from '../../../schema/subschemas.ts';

interface ObjectParts {
  readonly by: string;
  readonly properties: ReadonlyMap<string, Schema>;
  readonly patterns: unknown;
  readonly additional: unknown;
  readonly required: readonly unknown[];
}

/** The keywords for the members of several objects: all properties, and what every one of them requires. */
export function mergeObjectKeywords(
  owned: readonly OwnedShape[],
  context: MergeContext,
  merge: Merge,
): ReadonlyMap<string, unknown> {
  const objects = owned.map(readParts);
  const merged = new Map<string, unknown>();
  const names = [...new Set(objects.flatMap(({ properties }) => [...properties.keys()]))];
  if (names.length > 0) {
    const entries = names.map((name) => [name, mergeProperty(name, objects, context, merge)]);
    merged.set('properties', Object.fromEntries(entries));
  }
  const [first, ...others] = objects;
  const required = first?.required.filter((name) => others.every((other) => other.required.includes(name)));
  if (required !== undefined && required.length > 0) merged.set('required', required);
  const identity = canonicalJson(first?.patterns);
  const isSamePatterns = others.every(({ patterns }) => canonicalJson(patterns) === identity);
  if (isSamePatterns) {
    if (first?.patterns !== undefined) merged.set('patternProperties', first.patterns);
    const additional = mergeAdditional(objects, context, merge);
    if (additional !== undefined) merged.set('additionalProperties', additional);
  }
  return merged;
}

function readParts({ by, shape: { keywords } }: OwnedShape): ObjectParts {
  const properties = keywords.get('properties');
  const required = keywords.get('required');
  return {
    by,
    properties: new Map(isPlainObject(properties) ? Object.entries(properties).filter(isProperty) : []),
    patterns: keywords.get('patternProperties'),
    additional: keywords.get('additionalProperties'),
    required: Array.isArray(required) ? required : [],
  };
}

function isProperty(entry: [string, unknown]): entry is [string, Schema] {
  return isSchema(entry[1]);
}

function mergeProperty(
  name: string,
  objects: readonly ObjectParts[],
  context: MergeContext,
  merge: Merge,
): JsonSchema {
  const own = { ...context, path: `${context.path}.${name}` };
  const lenient = { ...own, onConflict: undefined };
  const declared = new Map<string, Declaration[]>();
  for (const { by, properties } of objects) {
    const schema = properties.get(name);
    if (schema !== undefined) declared.set(by, [...(declared.get(by) ?? []), { by, schema }]);
  }
  const perOwner = [...declared].map(([by, ofOwner]) => ({ by, schema: merge(ofOwner, lenient) }));
  const merged = merge(perOwner, own);
  const open = objects.filter(({ properties }) => !properties.has(name)).flatMap(openSchemas);
  return open.length === 0 ? merged : merge([{ by: '', schema: merged }, ...open], lenient);
}

/** What an object accepts under a name that it does not declare, where it says so. */
function openSchemas({ by, patterns, additional }: ObjectParts): readonly Declaration[] {
  if (patterns !== undefined) return [{ by, schema: true }];
  return isSchema(additional) && additional !== false ? [{ by, schema: additional }] : [];
}

function mergeAdditional(objects: readonly ObjectParts[], context: MergeContext, merge: Merge): unknown {
  const accepted: Declaration[] = [];
  for (const { by, additional } of objects) {
    if (!isSchema(additional)) return undefined;
    if (additional !== false) accepted.push({ by, schema: additional });
  }
  if (accepted.length === 0) return false;
  if (accepted.every(({ schema }) => schema === true)) return true;
  return merge(accepted, { ...context, path: `${context.path}.*`, onConflict: undefined });
}
