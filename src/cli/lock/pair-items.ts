import { schemaIdentity } from '../../schema/canonical.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';

/** Two lists of named things, side by side. */
export interface PairedItems<Item> {
  readonly kept: readonly (readonly [before: Item, after: Item])[];
  readonly removed: readonly Item[];
  readonly added: readonly Item[];
  /** What is gone and what is new in the same form: most likely the same thing with another name. */
  readonly renamed: readonly (readonly [before: Item, after: Item])[];
}

interface Reading<Item> {
  readonly keyOf: (item: Item) => string;
  /** What a thing keeps when it is renamed. */
  readonly formOf: (item: Item) => JsonSchema;
}

/** Pairs the items of two lists by their keys, and what is left over by its form. */
export function pairItems<Item>(
  before: readonly Item[],
  after: readonly Item[],
  { keyOf, formOf }: Reading<Item>,
): PairedItems<Item> {
  const now = new Map(after.map((item) => [keyOf(item), item]));
  const old = new Set(before.map(keyOf));
  const kept: (readonly [Item, Item])[] = [];
  const removed: Item[] = [];
  const renamed: (readonly [Item, Item])[] = [];
  const added = new Set(after.filter((item) => !old.has(keyOf(item))));
  for (const item of before) {
    const same = now.get(keyOf(item));
    if (same !== undefined) kept.push([item, same]);
    else {
      const form = schemaIdentity(formOf(item));
      const twin = [...added].find((other) => schemaIdentity(formOf(other)) === form);
      if (twin === undefined) removed.push(item);
      else {
        renamed.push([item, twin]);
        added.delete(twin);
      }
    }
  }
  return { kept, removed, added: [...added], renamed };
}
