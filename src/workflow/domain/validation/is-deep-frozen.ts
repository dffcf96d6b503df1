/** Whether nothing in a tree of JSON can ever change: every object is frozen, and no member is computed. */
export function isDeepFrozen(value: object): boolean {
  const seen = new Set<unknown>([value]);
  // Grows while it is read
  for (const tree of seen) {
    if (typeof tree !== 'object' || tree === null) continue;
    if (!Object.isFrozen(tree)) return false;
    for (const property of Object.values(Object.getOwnPropertyDescriptors(tree))) {
      if (property.get !== undefined) return false;
      seen.add(property.value);
    }
  }
  return true;
}
