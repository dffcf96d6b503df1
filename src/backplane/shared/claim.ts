import type { StoreWrite } from '../../index.ts';

/**
 * Whether a write takes a key for its caller, so that one who has given up must not have it. Not one that renews: its holder
 * is at work.
 */
export function isClaim({ if: condition, hold = 0, renumber }: StoreWrite): boolean {
  return condition === 'absent' || (hold > 0 && renumber !== false);
}
