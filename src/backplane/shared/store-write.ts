import type { StoreWrite } from '../../index.ts';
import { splitKey } from '../../shared/owners/owned-key.ts';

/**
 * Whether a write takes a key for its caller, so that one who has given up must not have it. Not one that renews: its holder
 * is at work.
 */
export function isClaim({ if: condition, hold = 0, renumber }: StoreWrite): boolean {
  return condition === 'absent' || (hold > 0 && renumber !== false);
}

/** What a write asks for, as scripts and statements take it; the version is 0 where none is wanted. */
export function conditionOf({ if: condition }: StoreWrite): readonly [kind: string, version: number] {
  if (typeof condition === 'object') return ['held', condition.held];
  return typeof condition === 'number' ? ['version', condition] : [condition ?? 'any', 0];
}

/** Bytes of one owner in a collection, where nothing else is said. */
export const MAX_OWNER_BYTES = 64 * 1024 * 1024;

/** The owner whose bytes the store itself bounds: who takes a key, not who says what became of it. */
export function boundOwner(key: string, { if: condition, share }: StoreWrite): string | undefined {
  if (condition !== undefined && condition !== 'absent') return undefined;
  return share?.bytes === undefined && splitKey(key)[0] === share?.owner ? share?.owner : undefined;
}

/** The bytes that its owner may have. Undefined where the write sets no limit, or the key is not the owner's. */
export function ownerLimit(key: string, { share }: StoreWrite): number | undefined {
  if (share?.bytes === undefined || share.owner === undefined) return undefined;
  return splitKey(key)[0] === share.owner ? Math.floor(share.bytes) : undefined;
}
