import { REPLAY_META_KEY } from './index.ts';
import type { CallToolResult } from '../../call/results.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { outcomeOf, type KeptOutcome, type Outcome } from '../../kernel/call/outcome.ts';
import type { StoreEntry } from '../../runtime/store/store.ts';
import type { IdempotencyRule } from './idempotent.ts';

/** What is known of a call, by its key. `args` is the digest of its arguments, `run` names one conversation. */
export type CallRecord =
  /** It runs, as long as its lease lasts; after that nobody knows what became of it. */
  | { readonly is: 'claimed'; readonly args: string; readonly run: string }
  /** It waits for its client, and goes on with the answer. If none comes, a clean one has done nothing. */
  | { readonly is: 'waiting'; readonly args: string; readonly run: string; readonly isClean: boolean }
  /** It ended, and nobody knows how. */
  | { readonly is: 'unknown'; readonly args: string }
  /** It ended at a time, with an outcome, or with one of so many bytes that it was not kept. */
  | {
      readonly is: 'done';
      readonly args: string;
      readonly at: string;
      readonly outcome: KeptOutcome | { readonly bytes: number };
    };

/** What a further call of the same key comes to. */
type Verdict =
  /** It runs, in place of the entry that was found. */
  | { readonly is: 'free' }
  /** Another one runs. */
  | { readonly is: 'busy' }
  | { readonly is: 'conflict' }
  | { readonly is: 'unknown' }
  | Extract<CallRecord, { readonly is: 'done' }>;

/** A call that asks what became of its key. */
interface Repetition {
  readonly args: string;
  /** Of the conversation that it goes on with; undefined for a new one. */
  readonly run: string | undefined;
  readonly onUnknown: 'fail' | 'rerun';
}

/** @param entry undefined where nothing is known of the key; its record is undefined where it cannot be read */
export function judge(
  entry: (Pick<StoreEntry, 'holdLeft'> & { readonly record: CallRecord | undefined }) | undefined,
  { args, run, onUnknown }: Repetition,
): Verdict {
  if (entry === undefined) return { is: 'free' };
  const { record, holdLeft: leaseLeft } = entry;
  const isSafe = onUnknown === 'rerun';
  if (record === undefined) return unfinished(leaseLeft, isSafe);
  if (record.args !== args) return { is: 'conflict' };
  if (record.is === 'done') return record;
  if (record.is !== 'waiting') return unfinished(leaseLeft, isSafe);
  return record.run === run ? { is: 'free' } : unfinished(leaseLeft, isSafe || record.isClean);
}

/** @param isSafe whether it may run again if nobody knows how it ended */
function unfinished(leaseLeft: number, isSafe: boolean): Verdict {
  if (leaseLeft > 0) return { is: 'busy' };
  return { is: isSafe ? 'free' : 'unknown' };
}

/** How a run of the handler ended. */
interface RunEnd {
  /** Whether the handler was entered. */
  readonly hasBegun: boolean;
  /** It asked its client, and runs again with the answer. */
  readonly isSuspended: boolean;
  readonly isFailure: boolean;
  /** Its failure says when to try again. */
  readonly isRetryable: boolean;
  /** It was cancelled, or ran out of time. */
  readonly isCut: boolean;
  /** It did something else than when it ran before. */
  readonly isDiverged: boolean;
}

/** What a run leaves behind; `released` is nothing at all, so that the next call runs. */
export function leftBy(end: RunEnd): 'released' | 'waiting' | 'unknown' | 'done' {
  if (end.isDiverged) return 'unknown';
  if (end.isSuspended) return 'waiting';
  if (!end.hasBegun) return 'released';
  if (!end.isFailure) return 'done';
  if (end.isCut) return 'unknown';
  return end.isRetryable ? 'released' : 'done';
}

/** Seconds. */
const RETRY_AFTER = 2;

/** The outcome of a call that was done before. @throws ToolError RESULT_NOT_KEPT */
export function replayOutcome({ at, outcome }: Extract<Verdict, { readonly is: 'done' }>): Outcome {
  if ('bytes' in outcome) {
    throw new ToolError(
      'RESULT_NOT_KEPT',
      `The call was done at ${at}, and its result was too large to keep`,
      {
        suggestion: 'do not repeat the call; read what it has done in another way',
        details: { at, bytes: outcome.bytes },
      },
    );
  }
  const given = outcomeOf(outcome);
  if (given.kind !== 'result') return given;
  const result = given.value as CallToolResult;
  const meta = { ...result._meta, [REPLAY_META_KEY]: { replayed: true, at } };
  return { ...given, value: { ...result, _meta: meta } };
}

/** Why a call is refused that is not the first one of its key. */
export function refuseRepetition(is: 'busy' | 'conflict' | 'unknown', { key }: IdempotencyRule): ToolError {
  if (is === 'busy') {
    return new ToolError('IDEMPOTENCY_IN_PROGRESS', 'The same call is still running', {
      retryAfter: RETRY_AFTER,
      suggestion: 'send the same call again later',
    });
  }
  if (is === 'conflict') {
    const message = 'The idempotencyKey was used before, for a call with other arguments; nothing was done';
    const suggestion = 'send a new idempotencyKey, or the arguments of the first call to repeat that';
    return new ToolError('IDEMPOTENCY_CONFLICT', message, { suggestion });
  }
  const message =
    'The same call began before, and nobody knows how it ended: it may have taken effect. It was not run again';
  const again = key === 'arguments' ? '' : ', and only then call again with a new idempotencyKey';
  return new ToolError('OUTCOME_UNKNOWN', message, {
    suggestion: `find out whether it has taken effect${again}`,
  });
}

export function keyRequired(): ToolError {
  return new ToolError('IDEMPOTENCY_KEY_REQUIRED', 'idempotencyKey is required', {
    suggestion: 'send a new text as idempotencyKey, and the same one again to repeat this call',
  });
}
