const SMALL = 100;

/**
 * Runs a step that looks for each item of a list with `indexOf`, also in what it makes of the list with `map`: for
 * that time the list answers by look-up. The answers are the same.
 */
export function withFastLookups<T>(list: unknown[], step: () => T): T {
  if (list.length < SMALL || !Object.isExtensible(list)) return step();
  addLookups(list);
  define(list, 'map', (change: (item: unknown, index: number, whole: unknown[]) => unknown) => {
    const mapped: unknown[] = Array.prototype.map.call(list, change as never);
    addLookups(mapped);
    return mapped;
  });
  try {
    return step();
  } finally {
    Reflect.deleteProperty(list, 'indexOf');
    Reflect.deleteProperty(list, 'map');
  }
}

function addLookups(list: unknown[]): void {
  let places: Map<unknown, number> | undefined;
  define(list, 'indexOf', (item: unknown, from?: number) => {
    if (from !== undefined) return Array.prototype.indexOf.call(list, item, from);
    // a map would find NaN, which equals nothing
    return Number.isNaN(item) ? -1 : ((places ??= placesOf(list)).get(item) ?? -1);
  });
}

function placesOf(list: readonly unknown[]): Map<unknown, number> {
  const places = new Map<unknown, number>();
  for (let index = list.length - 1; index >= 0; index -= 1) {
    if (Object.hasOwn(list, index)) places.set(list[index], index);
  }
  return places;
}

function define(list: unknown[], name: string, value: unknown): void {
  Object.defineProperty(list, name, { value, configurable: true, writable: true });
}
