import type { CallExchange } from '../../call/call-exchange.ts';
import { cancelledError } from '../../call/cancelled-error.ts';
import { deriveExchange } from '../../call/derive-exchange.ts';
import { Conversation } from './conversation.ts';
import { endless } from './divergence.ts';
import type { Answered, AskedQuestion, JournalEntry } from './journal.ts';
import { playRound, type FinalOutcome } from './play-round.ts';

const MOST_ROUNDS = 100;

/**
 * Asks a client that can be asked while a call runs, and runs the handler from its start with each answer all the
 * same: as it goes with clients of 2026-07-28, so that a handler that cannot bear it is found by its tests.
 */
export async function replayLocally<Result>(
  exchange: CallExchange,
  run: (exchange: CallExchange) => Promise<Result>,
): Promise<FinalOutcome<Result>> {
  const conducted = deriveExchange(exchange, { notify: increasingProgress(exchange) });
  let journal: readonly JournalEntry[] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const conversation = new Conversation({ journal, open: [] });
    const outcome = await playRound(conversation, conducted, run);
    if (outcome.kind !== 'suspended') return outcome;
    const answers = await Promise.all(conversation.asked.map((asked) => answer(exchange, asked)));
    journal = [...conversation.journal, ...answers];
  }
  return { kind: 'diverged', error: endless(MOST_ROUNDS) };
}

async function answer(
  exchange: CallExchange,
  { question, method, params }: AskedQuestion,
): Promise<Answered> {
  try {
    const value = await unlessAborted(exchange.signal, () => exchange.request(method, params));
    return { ...question, value, isAccepted: true };
  } catch (thrown) {
    return { ...question, value: undefined, isAccepted: true, failure: { thrown } };
  }
}

async function unlessAborted(signal: AbortSignal, wait: () => Promise<unknown>): Promise<unknown> {
  if (signal.aborted) throw cancelledError(signal);
  const { promise, stop } = abortion(signal);
  return Promise.race([wait(), promise]).finally(stop);
}

function abortion(signal: AbortSignal): { readonly promise: Promise<never>; readonly stop: () => void } {
  let stop = (): void => undefined;
  const promise = new Promise<never>((_resolve, reject) => {
    const abort = (): void => {
      reject(cancelledError(signal));
    };
    signal.addEventListener('abort', abort);
    stop = () => {
      signal.removeEventListener('abort', abort);
    };
  });
  return { promise, stop };
}

/** Every run reports from its start, and progress must increase (spec: basic/utilities/progress, Progress Flow). */
function increasingProgress(exchange: CallExchange): CallExchange['notify'] {
  let last = -Infinity;
  return async (method, params) => {
    const { progress } = params;
    if (method === 'notifications/progress' && typeof progress === 'number') {
      if (progress <= last) return;
      last = progress;
    }
    await exchange.notify(method, params);
  };
}
