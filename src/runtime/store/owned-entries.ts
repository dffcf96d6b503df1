import type { OwnedStore } from '../../shared/owners/owned-key.ts';
import type { Store } from './store.ts';

const known = new WeakMap<Store, Map<string, OwnedStore>>();

/** The entries of one collection, as a store of their own: the same object for each who asks. */
export function entriesIn(
  store: Store | undefined,
  collection: string,
  isWrittenByCalls = true,
): OwnedStore | undefined {
  if (store === undefined) return undefined;
  const collections = known.get(store) ?? new Map<string, OwnedStore>();
  known.set(store, collections);
  const entries = collections.get(collection) ?? { ...entriesOf(store, collection), isWrittenByCalls };
  collections.set(collection, entries);
  return entries;
}

function entriesOf(store: Store, collection: string): OwnedStore {
  return store.forget === undefined ? {} : { forget: (owner) => store.forget?.(collection, owner) ?? 0 };
}
