import { ProtocolError } from '../../call/protocol-error.ts';
import type { ToolwrightError } from '../../errors/toolwright-error.ts';
import { catchMaybe, thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import type { Call } from '../call.ts';
import { failureOf, isFailure, type Outcome } from '../outcome.ts';
import { unused } from './divergence.ts';
import type { Recorder } from './recorder.ts';

/** Runs the handler of a call. */
export type RunHandler = (call: Call) => MaybePromise<Outcome>;

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
export function attempt(call: Call, run: RunHandler): MaybePromise<AttemptEnd> {
  const ran = catchMaybe<Outcome | Fault>(() => run(call), endOfThrow);
  if (!(ran instanceof Promise)) return endOf(call, ran);
  return call.unlessAbandoned(ran).then((ended) => endOf(call, ended));
}

function endOf(call: Call, ended: Outcome | Fault | 'abandoned'): MaybePromise<AttemptEnd> {
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

function endOfThrow(thrown: unknown): Outcome | Fault {
  return ProtocolError.is(thrown) ? failureOf(thrown) : { kind: 'fault', thrown };
}

/** The outcome of a call. @throws what is no answer to clients */
export function unlessFault(end: MaybePromise<Outcome | Fault>): MaybePromise<Outcome> {
  return thenMaybe(end, (ended) => {
    if (ended.kind === 'fault') throw ended.thrown;
    return ended;
  });
}
