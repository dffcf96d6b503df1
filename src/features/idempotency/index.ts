import type { Slots } from '../../shared/slots.ts';
import type { IdempotencyRule } from './idempotent.ts';

/** The `_meta` key of a result that was stored, and is given again. */
export const REPLAY_META_KEY = 'toolwright/idempotency';

/** Milliseconds that the outcome of a call is kept; undefined where an action keeps none. */
export function outcomeTtl(slots: Slots): number | undefined {
  return (slots['idempotency'] as IdempotencyRule | undefined)?.ttl;
}
