import type { Definitions } from '../../schema/definitions.ts';
import { isSchema, type Schema } from '../../schema/subschemas.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isPlainObject } from '../../shared/json.ts';
import type { OwnedShape, Shape } from './value-form.ts';

/** One place that declares a field. */
export interface Declaration {
  /** Whose it is; declarations of the same owner never conflict. */
  readonly by: string;
  readonly schema: Schema;
}

/** Two declarations of which neither accepts all types of the other. */
export interface TypeConflict {
  readonly path: string;
  readonly first: string;
  readonly firstType: string;
  readonly second: string;
  readonly secondType: string;
}

export interface MergeContext {
  /** The field, in messages. */
  readonly path: string;
  readonly definitions: Definitions;
  /** Called for truly different types; when it is absent they are merged into a union. */
  readonly onConflict: ((conflict: TypeConflict) => void) | undefined;
}

/** {@link mergeDeclarations}, for the parts that it calls and that call it back. */
type Merge = (declarations: readonly Declaration[], context: MergeContext) => JsonSchema;

const STRUCTURAL = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'required',
  'prefixItems',
  'items',
  'contains',
  'minContains',
  'maxContains',
]);

/** The shape that accepts what at least one of the given shapes, all of one type, accepts. */
export function mergeShapes(owned: readonly OwnedShape[], context: MergeContext, merge: Merge): Shape {
  const shapes = owned.map(({ shape }) => shape);
  const [first, ...others] = shapes;
  if (first === undefined) throw new RangeError('mergeShapes needs a shape');
  if (others.length === 0) return first;
  return {
    kind: first.kind,
    isInteger: shapes.every(({ isInteger }) => isInteger),
    values: mergeValues(shapes),
    keywords: new Map([
      ...sharedKeywords(first, others),
      ...(first.kind === 'object' ? mergeObjectKeywords(owned, context, merge) : []),
      ...(first.kind === 'array' ? mergeArrayKeywords(owned, context, merge) : []),
    ]),
  };
}

/** The values of all in order of first appearance; undefined when one of them is not limited. */
function mergeValues(shapes: readonly Shape[]): readonly unknown[] | undefined {
  const merged = new Map<string, unknown>();
  for (const { values } of shapes) {
    if (values === undefined) return undefined;
    for (const value of values)
      if (!merged.has(canonicalJson(value))) merged.set(canonicalJson(value), value);
  }
  return [...merged.values()];
}

function sharedKeywords(first: Shape, others: readonly Shape[]): readonly (readonly [string, unknown])[] {
  return [...first.keywords].filter(([keyword, value]) => {
    if (STRUCTURAL.has(keyword)) return false;
    const identity = canonicalJson(value);
    return others.every(({ keywords }) => canonicalJson(keywords.get(keyword)) === identity);
  });
}

const TUPLE = ['prefixItems', 'items'] as const;

const CONTAINS = ['contains', 'minContains', 'maxContains'] as const;

/** The keywords for the items of several arrays. Keywords that depend on each other stay or go together. */
function mergeArrayKeywords(
  owned: readonly OwnedShape[],
  context: MergeContext,
  merge: Merge,
): ReadonlyMap<string, unknown> {
  const merged = new Map(sharedGroup(owned, CONTAINS));
  const isTuple = owned.some(
    ({ shape }) => shape.keywords.has('prefixItems') || Array.isArray(shape.keywords.get('items')),
  );
  if (isTuple) return new Map([...merged, ...sharedGroup(owned, TUPLE)]);
  const items = mergeItems(owned, context, merge);
  return items === undefined ? merged : merged.set('items', items);
}

function sharedGroup(
  owned: readonly OwnedShape[],
  group: readonly string[],
): readonly (readonly [string, unknown])[] {
  const ofGroup = owned.map(({ shape }) =>
    [...shape.keywords].filter(([keyword]) => group.includes(keyword)),
  );
  const [first = [], ...others] = ofGroup;
  const identity = canonicalJson(Object.fromEntries(first));
  return others.every((other) => canonicalJson(Object.fromEntries(other)) === identity) ? first : [];
}

function mergeItems(owned: readonly OwnedShape[], context: MergeContext, merge: Merge): unknown {
  const declarations: Declaration[] = [];
  for (const { by, shape } of owned) {
    const items = shape.keywords.get('items');
    if (!isSchema(items)) return undefined;
    declarations.push({ by, schema: items });
  }
  return merge(declarations, { ...context, path: `${context.path}[]` });
}

interface ObjectParts {
  readonly by: string;
  readonly properties: ReadonlyMap<string, Schema>;
  readonly patterns: unknown;
  readonly additional: unknown;
  readonly required: readonly unknown[];
}

/** The keywords for the members of several objects: all properties, and what every one of them requires. */
function mergeObjectKeywords(
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
