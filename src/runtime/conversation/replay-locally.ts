import { cancelledError } from '../../call/request-client.ts';
import { type Call } from '../call.ts';
import { attempt, type AttemptEnd, type RunHandler } from './attempt.ts';
import { endless } from './divergence.ts';
import type { Answered, AskedQuestion, JournalEntry } from './journal.ts';

const MOST_ROUNDS = 100;

/** How the last run of a handler ended. */
export type FinalEnd = Exclude<AttemptEnd, { readonly kind: 'suspended' }>;

/**
 * Asks a client that can be asked while a call runs, and runs the handler from its start with each answer all the
 * same: as it goes with clients of 2026-07-28, so that a handler that cannot bear it is found by its tests.
 */
export async function replayLocally(call: Call, run: RunHandler): Promise<FinalEnd> {
  let journal: readonly JournalEntry[] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const again = call.again({ journal, open: [] });
    const end = await attempt(again, run);
    again.end();
    if (end.kind !== 'suspended') return end;
    const { recorder } = end;
    const answers = await Promise.all(recorder.asked.map((asked) => answer(call, asked)));
    journal = [...recorder.journal, ...answers];
  }
  return { kind: 'diverged', error: endless(MOST_ROUNDS) };
}

async function answer(call: Call, { question, method, params }: AskedQuestion): Promise<Answered> {
  try {
    const value = await unlessAborted(call.signal, () => call.request(method, params));
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
