/** So few values are compared one by one. */
const FEW = 32;

/**
 * Whether a value is in a list, as `list.some((each) => each === value)` says it. A long list has an index, which is made
 * again when its length has changed; what was replaced in it is found no more, and what replaced it is not found.
 */
export function createLookup(list: readonly unknown[]): (value: unknown) => boolean {
  let places: ReadonlyMap<unknown, number> | undefined;
  let length = -1;
  return (value) => {
    if (list.length <= FEW) return list.includes(value) && !Number.isNaN(value);
    if (length !== list.length) {
      length = list.length;
      places = new Map(list.map((each, place) => [each, place] as const));
    }
    const place = places?.get(value);
    // NaN is in the index, and equals nothing
    return place !== undefined && list[place] === value;
  };
}
