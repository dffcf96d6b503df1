import type { Slots } from '../../shared/slots.ts';
import type { IdempotencyRule } from './idempotent.ts';

/** Milliseconds that the outcome of a call is kept; undefined where an action keeps none. */
export function outcomeTtl(slots: Slots): number | undefined {
  return (slots['idempotency'] as IdempotencyRule | undefined)?.ttl;
}
