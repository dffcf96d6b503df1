import { ProtocolError } from '../../call/protocol-error.ts';
import type { ToolwrightError } from '../../errors/toolwright-error.ts';
import { catchMaybe, thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import type { Call, Handle } from '../../kernel/call/call.ts';
import { failureOf, isFailure, type Outcome } from '../../kernel/call/outcome.ts';
import { unused, endless } from '../../kernel/call/replay/recorded-entries.ts';
import type { Recorder } from '../../kernel/call/replay/recorder.ts';
import { cancelledError } from '../../call/request-client.ts';
import type { Answered, AskedQuestion, JournalEntry } from '../../kernel/call/replay/journal.ts';

/** A failure of a handler that must not reach clients. */
export interface Fault {
  readonly kind: 'fault';
  readonly thrown: unknown;
}

/** How one run of a handler ended. */
export type RunEnd =
  | Outcome
  | Fault
  | { readonly kind: 'suspended'; readonly recorder: Recorder; readonly isAbandoned: boolean }
  | { readonly kind: 'diverged'; readonly error: ToolwrightError };

/**
 * Runs the handler of a call once. If it asked, the run ends suspended as soon as its running steps are done, even
 * if user code catches the suspension. A handler without questions and steps costs nothing extra.
 */
export function runOnce(call: Call, run: Handle): MaybePromise<RunEnd> {
  const ran = catchMaybe<Outcome | Fault>(() => run(call), endOfThrow);
  if (!(ran instanceof Promise)) return endOf(call, ran);
  return unlessAbandoned(call, ran).then((ended) => endOf(call, ended));
}

/** The outcome of a run, or `abandoned` if it keeps running after its end. */
function unlessAbandoned<T>(call: Call, run: Promise<T>): Promise<T | 'abandoned'> {
  return new Promise((resolve, reject) => {
    call.onAbandon = () => {
      resolve('abandoned');
    };
    run.then(resolve, reject);
  });
}

/** Reads from the recorder how a run ended. */
export function endOf(call: Call, ended: Outcome | Fault | 'abandoned'): MaybePromise<RunEnd> {
  const { recorder } = call;
  if (recorder === undefined) return ended as Outcome | Fault;
  call.end();
  const { divergence, isSuspended, unused: rest } = recorder;
  if (divergence !== undefined) return { kind: 'diverged', error: divergence };
  const isAbandoned = ended === 'abandoned';
  if (isSuspended || isAbandoned) {
    return recorder.settled().then(() => ({ kind: 'suspended', recorder, isAbandoned }));
  }
  // An error may end a handler before it repeats all earlier steps; the error is the answer then.
  if (rest.length === 0 || ended.kind === 'fault' || isFailure(ended)) return ended;
  return { kind: 'diverged', error: unused(rest) };
}

export function endOfThrow(thrown: unknown): Outcome | Fault {
  return ProtocolError.is(thrown) ? failureOf(thrown) : { kind: 'fault', thrown };
}

/** The outcome of a call. @throws what must not reach clients */
export function unlessFault(end: MaybePromise<Outcome | Fault>): MaybePromise<Outcome> {
  return thenMaybe(end, (ended) => {
    if (ended.kind === 'fault') throw ended.thrown;
    return ended;
  });
}

const MOST_ROUNDS = 100;

/** How the last run of a handler ended. */
type FinalEnd = Exclude<RunEnd, { readonly kind: 'suspended' }>;

/**
 * Replays the handler with each answer although the client can be asked during the call. Tests use it to find handlers
 * that are not safe to replay, as clients of 2026-07-28 require.
 */
export async function replayLocally(call: Call, run: Handle): Promise<FinalEnd> {
  let journal: readonly JournalEntry[] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const again = call.again({ journal, open: [] });
    const end = await runOnce(again, run);
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
