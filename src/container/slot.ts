import type { ScannedProvider } from '../scanner/scanned-provider.ts';
import { providerFailed } from './create-instance.ts';
import type { Owner } from './owner.ts';

/**
 * What the tsyringe registrations give out in place of the bare instance.
 * Its caching factories take `undefined` and `null` for "not yet made", and it knows no async factories.
 */
export interface Slot {
  value: unknown;
  /** What an async factory promised, until it is settled. */
  pending?: PromiseLike<unknown> | undefined;
}

/** Waits for the slot of an async factory; dependents are made afterwards and read the value. */
export async function settle(slot: Slot, provider: ScannedProvider, owner: Owner): Promise<void> {
  if (slot.pending === undefined) return;
  try {
    slot.value = await slot.pending;
  } catch (cause) {
    throw providerFailed(provider, cause);
  }
  slot.pending = undefined;
  owner.own(provider.where, slot.value);
}
