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
 * Makes classes, and forgets them later. Only theirs: the process has those of sources and of other suites, and more may
 * be loaded while these are in use.
 */
export function makeForgettable<Made>(make: () => Made): readonly [made: Made, forget: () => void] {
  const before = new Set(keptMaps().flatMap((map) => [...map.keys()]));
  const made = make();
  const added = keptMaps().flatMap((map) => [...map.keys()].filter((key) => !before.has(key)));
  return [
    made,
    () => {
      for (const map of keptMaps()) for (const key of added) map.delete(key);
    },
  ];
}
