import type { Declaration, Merge, MergeContext } from './declaration.ts';
import { canonicalJson } from '../../../shared/canonical-json.ts';
import type { OwnedShape } from './value-shape.ts';
import { isSchema } from '../../../schema/subschemas.ts';

const TUPLE = ['prefixItems', 'items'] as const;
const CONTAINS = ['contains', 'minContains', 'maxContains'] as const;

/** The keywords for the items of several arrays. Keywords that depend on each other stay or go together. */
export function mergeArrayKeywords(
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
