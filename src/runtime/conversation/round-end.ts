import type { CallExchange } from '../../call/call-exchange.ts';
import { ProtocolError } from '../../call/protocol-error.ts';
import { failureOf, missingCapability } from './missing-capability.ts';
import { isFailure } from './play-round.ts';

/** What a round is answered with. */
export type RoundEnd<Result> = { readonly result: Result } | { readonly thrown: unknown };

/** How a round ends for a client of 2026-07-28. */
export async function endOf<Result>(play: () => Promise<Result>): Promise<RoundEnd<Result>> {
  try {
    return endWith(await play());
  } catch (thrown) {
    return thrownEnd(thrown);
  }
}

/** The same of a round that gave a result. */
export function endWith<Result>(result: Result): RoundEnd<Result> {
  const refusal = missingCapability(result);
  return refusal === undefined ? { result } : { thrown: refusal };
}

/** The same of a round that threw. */
export function thrownEnd(thrown: unknown): { readonly thrown: unknown } {
  return { thrown: missingCapability(thrown) ?? thrown };
}

/**
 * True for a round whose failure says nothing final of the call: it was cancelled, the server itself failed, or the
 * failure says when to try again. What code a handler gives its failure does not matter: it may not undo an answer.
 */
export function wasInterrupted(end: RoundEnd<unknown>, exchange: Pick<CallExchange, 'signal'>): boolean {
  const outcome = 'thrown' in end ? end.thrown : end.result;
  if ('thrown' in end && !ProtocolError.is(outcome)) return true;
  if (typeof failureOf(outcome)?.['retryAfter'] === 'number') return true;
  return ('thrown' in end || isFailure(outcome)) && exchange.signal.aborted;
}
