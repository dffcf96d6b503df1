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

/** Forgets the DTOs that were made so far. */
export function forgetMetadata(): void {
  const { validationMetadatas, constraintMetadatas } = getMetadataStorage() as unknown as Record<
    'validationMetadatas' | 'constraintMetadatas',
    Map<unknown, unknown>
  >;
  validationMetadatas.clear();
  constraintMetadatas.clear();
  (defaultMetadataStorage as unknown as { clear(): void }).clear();
}
