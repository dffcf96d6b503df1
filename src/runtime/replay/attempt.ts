import { ProtocolError } from '../../call/protocol-error.ts';
import type { ToolwrightError } from '../../errors/toolwright-error.ts';
import { catchMaybe, thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import type { Call, Handle } from '../call.ts';
import { failureOf, isFailure, type Outcome } from '../outcome.ts';
import { unused, endless } from './recorded-entries.ts';
import type { Recorder } from './recorder.ts';
import { cancelledError } from '../../call/request-client.ts';
import type { Answered, AskedQuestion, JournalEntry } from './journal.ts';

/** What a handler came to that failed in a way that is no answer to clients. */
export interface Fault {
  readonly kind: 'fault';
  readonly thrown: unknown;
}

/** How one run of a handler ended. */
export type AttemptEnd =
  | Outcome
  | Fault
  | { readonly kind: 'suspended'; readonly recorder: Recorder; readonly isAbandoned: boolean }
  | { readonly kind: 'diverged'; readonly error: ToolwrightError };

/**
 * Runs the handler of a call once, which may ask. Whatever user code makes of a suspension, a call that has to ask
 * ends suspended, once the steps that still run are done. A handler that neither asks nor does steps costs nothing more.
 */
export function attempt(call: Call, run: Handle): MaybePromise<AttemptEnd> {
  const ran = catchMaybe<Outcome | Fault>(() => run(call), endOfThrow);
  if (!(ran instanceof Promise)) return endOf(call, ran);
  return unlessAbandoned(call, ran).then((ended) => endOf(call, ended));
}

/** What the run comes to, unless it goes on and on although it is over. */
function unlessAbandoned<T>(call: Call, run: Promise<T>): Promise<T | 'abandoned'> {
  return new Promise((resolve, reject) => {
    call.onAbandon = () => {
      resolve('abandoned');
    };
    run.then(resolve, reject);
  });
}

/** How a run ended, by what its handler came to. */
export function endOf(call: Call, ended: Outcome | Fault | 'abandoned'): MaybePromise<AttemptEnd> {
  const { recorder } = call;
  if (recorder === undefined) return ended as Outcome | Fault;
  call.end();
  const { divergence, isSuspended, unused: rest } = recorder;
  if (divergence !== undefined) return { kind: 'diverged', error: divergence };
  const isAbandoned = ended === 'abandoned';
  if (isSuspended || isAbandoned) {
    return recorder.settled().then(() => ({ kind: 'suspended', recorder, isAbandoned }));
  }
  // An error may end a handler before it comes to what it did last time; the answer is the error then.
  if (rest.length === 0 || ended.kind === 'fault' || isFailure(ended)) return ended;
  return { kind: 'diverged', error: unused(rest) };
}

export function endOfThrow(thrown: unknown): Outcome | Fault {
  return ProtocolError.is(thrown) ? failureOf(thrown) : { kind: 'fault', thrown };
}

/** The outcome of a call. @throws what is no answer to clients */
export function unlessFault(end: MaybePromise<Outcome | Fault>): MaybePromise<Outcome> {
  return thenMaybe(end, (ended) => {
    if (ended.kind === 'fault') throw ended.thrown;
    return ended;
  });
}

const MOST_ROUNDS = 100;

/** How the last run of a handler ended. */
type FinalEnd = Exclude<AttemptEnd, { readonly kind: 'suspended' }>;

/**
 * Asks a client that can be asked while a call runs, and runs the handler from its start with each answer all the
 * same: as it goes with clients of 2026-07-28, so that a handler that cannot bear it is found by its tests.
 */
export async function replayLocally(call: Call, run: Handle): Promise<FinalEnd> {
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
