import type { Merge, MergeContext } from './declaration.ts';
import { canonicalJson } from '../../../shared/canonical-json.ts';
import { mergeArrayKeywords } from './merge-array-keywords.ts';
import { mergeObjectKeywords } from './merge-object-keywords.ts';
import type { OwnedShape, Shape } from './value-shape.ts';

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
