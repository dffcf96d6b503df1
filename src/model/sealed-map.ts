import { sealedError } from './sealed-error.ts';

/** A copy of a Map that refuses every change; freezing alone would not do for a Map. */
export function sealedMap<TKey, TValue>(
  entries: Iterable<readonly [TKey, TValue]>,
  where: string,
  member: string,
): Map<TKey, TValue> {
  const refuse = (): never => {
    throw sealedError(where, member);
  };
  // Own methods and no subclass, so that it still equals any other Map with the same entries.
  const map = new Map(entries);
  for (const mutator of ['set', 'delete', 'clear']) Object.defineProperty(map, mutator, { value: refuse });
  return Object.freeze(map);
}
