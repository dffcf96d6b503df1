import type { CallExchange } from '../../call/call-exchange.ts';
import { deriveExchange } from '../../call/derive-exchange.ts';
import type { ToolwrightError } from '../../errors/toolwright-error.ts';
import type { Conversation } from './conversation.ts';
import { unused } from './divergence.ts';

/** How one run of a handler ended. */
export type RoundOutcome<Result> =
  FinalOutcome<Result> | { readonly kind: 'suspended'; readonly isAbandoned: boolean };

/** How the last run of a handler ended. */
export type FinalOutcome<Result> =
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'thrown'; readonly thrown: unknown }
  | { readonly kind: 'diverged'; readonly error: ToolwrightError };

/**
 * Runs a handler as one round of a conversation. Whatever user code makes of a suspension, a call that has to ask
 * is answered with its questions, once the steps that still run are done.
 */
export async function playRound<Result>(
  conversation: Conversation,
  exchange: CallExchange,
  run: (exchange: CallExchange) => Promise<Result>,
): Promise<RoundOutcome<Result>> {
  const { request, step } = conversation;
  const ended = run(deriveExchange(exchange, { request, step })).then(
    (result) => ({ kind: 'result', result }) as const,
    (thrown: unknown) => ({ kind: 'thrown', thrown }) as const,
  );
  const outcome = await Promise.race([ended, conversation.abandoned]);
  const isSuspended = conversation.end();
  if (conversation.divergence !== undefined) return { kind: 'diverged', error: conversation.divergence };
  if (isSuspended || outcome === 'abandoned') {
    await conversation.settled();
    return { kind: 'suspended', isAbandoned: outcome === 'abandoned' };
  }
  const rest = conversation.unused;
  if (rest.length === 0 || outcome.kind === 'thrown' || isFailure(outcome.result)) return outcome;
  return { kind: 'diverged', error: unused(rest) };
}

/** An error may end a handler before it comes to what it did last time; the answer is the error then. */
export function isFailure(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'isError' in result && result.isError === true;
}
