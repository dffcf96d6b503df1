import type { OwnedStore } from '../../shared/owned-key.ts';
import type { ServiceSettings } from '../route.ts';

/** The stores of each kind. */
export type OwnedStores = Readonly<Record<string, readonly (OwnedStore | undefined)[]>>;

/** What became of the entries of an owner, by kinds of stores. */
export interface Removal {
  /** How many entries were removed. */
  readonly removed: Readonly<Record<string, number>>;
  /** Kinds whose store cannot remove those of one owner. */
  readonly unsupported: readonly string[];
  /** Kinds whose store failed. */
  readonly failed: readonly string[];
  readonly errors: readonly unknown[];
}

/** Those in which a service keeps what it has to know of its callers. */
export function storesOfService(settings: ServiceSettings): OwnedStores {
  const { tasks, replayEngine, consents, callRecords, results, limits, open } = settings;
  return {
    tasks: [tasks.store],
    once: [...new Set([replayEngine.store, consents.store])],
    idempotency: [callRecords.store],
    results: [results?.store],
    limits: limits.stores.counting,
    events: [...open.stores],
  };
}

/** Removes the entries of an owner from all stores, also when some of them fail. */
export async function removeFrom(stores: OwnedStores, owner: string): Promise<Removal> {
  const removed: Record<string, number> = {};
  const [unsupported, failed] = [new Set<string>(), new Set<string>()];
  const errors: unknown[] = [];
  for (const [kind, own] of Object.entries(stores)) {
    for (const store of own) {
      if (store === undefined) continue;
      if (store.forget === undefined) unsupported.add(kind);
      else
        try {
          removed[kind] = (removed[kind] ?? 0) + (await store.forget(owner));
        } catch (error) {
          failed.add(kind);
          errors.push(error);
        }
    }
  }
  return { removed, unsupported: [...unsupported], failed: [...failed], errors };
}
