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
