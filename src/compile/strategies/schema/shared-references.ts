import { LARGEST_INLINED } from '../../json-schema/largest-inlined.ts';
import { subschemasOf, type Schema } from './subschemas.ts';

/** What is asked of the references of one schema. */
export interface References {
  readonly resolve: (reference: string) => Schema;
  readonly isRecursive: (reference: string) => boolean;
}

/** The references that stay, because the schema would grow too large with what they refer to in every place. */
export function sharedReferences(root: Schema, references: References): ReadonlySet<string> {
  const uses = countUses(root, references);
  if (uses.size === 0) return new Set();
  const sizes = new Map<string, number>();
  const size = [...uses.keys()]
    .filter(references.isRecursive)
    .reduce((sum, reference) => sum + sizeOf(references.resolve(reference), references, sizes), 0);
  if (size + sizeOf(root, references, sizes) <= LARGEST_INLINED) return new Set();
  return new Set([...uses].filter(([, count]) => count > 1).map(([reference]) => reference));
}

/** Every reference directly in a schema, as often as it stands there. */
export function referencesIn(schema: Schema): readonly string[] {
  if (typeof schema === 'boolean') return [];
  const { $defs, definitions, $ref, ...rest } = schema;
  const below = subschemasOf(rest).flatMap(referencesIn);
  return $ref === undefined ? below : [$ref, ...below];
}

function countUses(root: Schema, { resolve }: References): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  const pending = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const reference of referencesIn(next)) {
      const count = uses.get(reference) ?? 0;
      if (count === 0) pending.push(resolve(reference));
      uses.set(reference, count + 1);
    }
  }
  return uses;
}

function sizeOf(schema: Schema, references: References, sizes: Map<string, number>): number {
  return referencesIn(schema)
    .filter((reference) => !references.isRecursive(reference))
    .reduce((sum, reference) => {
      const known = sizes.get(reference);
      const size = known ?? sizeOf(references.resolve(reference), references, sizes);
      sizes.set(reference, size);
      return sum + size;
    }, textSize(schema));
}

function textSize(schema: Schema): number {
  if (typeof schema === 'boolean') return 5;
  const { $defs, definitions, ...rest } = schema;
  return JSON.stringify(rest).length;
}
