/** The one list with the fewest members; undefined when several have as few. */
export function fewest<T>(lists: readonly (readonly T[])[]): readonly T[] | undefined {
  const least = Math.min(...lists.map((list) => list.length));
  const shortest = lists.filter((list) => list.length === least);
  return shortest.length === 1 ? shortest[0] : undefined;
}
