import type { OwnedStore } from '../../shared/owners/owned-key.ts';
import type { Store } from './store.ts';

/** The entries of one collection, as a store of their own. */
export function entriesIn(store: Store | undefined, collection: string): OwnedStore | undefined {
  if (store === undefined) return undefined;
  return store.forget === undefined ? {} : { forget: (owner) => store.forget?.(collection, owner) ?? 0 };
}
