/** In code units, which no locale changes. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** A new list, sorted by id. */
export function sortById<Item extends { readonly id: string }>(items: Iterable<Item>): readonly Item[] {
  return [...items].sort((left, right) => compareText(left.id, right.id));
}
