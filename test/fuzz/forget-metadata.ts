import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, useContainer } from 'class-validator';

/**
 * class-validator walks all classes it knows for every value, and all its validators for every rule: with
 * thousands of DTOs nothing would come to an end.
 */
export function keepValidatorsByClass(): void {
  const known = new WeakMap<object, unknown>();
  useContainer({
    get(type: unknown) {
      const instance = known.get(type as object) ?? new (type as new () => unknown)();
      known.set(type as object, instance);
      return instance;
    },
  });
}

type Maps = Readonly<Record<string, unknown>>;

/** All that class-validator and class-transformer keep by class. */
function keptMaps(): readonly Map<unknown, unknown>[] {
  const storages = [getMetadataStorage(), defaultMetadataStorage] as unknown as readonly Maps[];
  return storages.flatMap((storage) => Object.values(storage).filter((value) => value instanceof Map));
}

/**
 * Remembers the classes that are known now, which the sources and other suites of the process need.
 * @returns forgets those that came since
 */
export function rememberMetadata(): () => void {
  const before = new Map(keptMaps().map((map) => [map, new Set(map.keys())]));
  return () => {
    for (const map of keptMaps())
      for (const key of map.keys()) if (before.get(map)?.has(key) !== true) map.delete(key);
  };
}
