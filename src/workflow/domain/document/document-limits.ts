/** Of a workflow document. */
export const DOCUMENT_LIMITS = Object.freeze({
  /** Of JSON, in UTF-8. */
  bytes: 1_000_000,
  /** Objects and arrays within each other; more than conditions and compositions that are allowed can need. */
  levels: 1000,
  /** At the top level. */
  steps: 500,
  /** Faults that are told one by one. */
  faults: 1000,
  /** Characters in the pointers of what cannot be read: of names, a document can have a long one on every level. */
  pointers: 100_000,
});

/** Whether more objects and arrays lie within each other than allowed. It never calls itself: the value may be hostile. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let places = new Set([value].filter(isPlace));
  for (let level = 1; places.size > 0; level += 1) {
    if (level > levels) return true;
    // Once each: what is shared could be reached in a thousand ways, and a circle comes back for ever
    places = new Set([...places].flatMap((place) => Object.values(place).filter(isPlace)));
  }
  return false;
}

function isPlace(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
