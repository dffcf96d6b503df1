import type { Logger } from '../../call/logger.ts';
import { INTERNAL_ERROR, ProtocolError } from '../../call/protocol-error.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { failureOf, keptOf, outcomeOf, type KeptOutcome, type Outcome } from '../../kernel/call/outcome.ts';
import { pause } from '../../shared/platform.ts';
import type { Keyring } from '../../shared/sealed-text.ts';
import type { Fault } from './run-once.ts';
import {
  answeredState,
  expiredState,
  forgottenOutcome,
  pack,
  storeIsAway,
  unpack,
} from '../../kernel/call/replay/request-states.ts';
import type { Store, StoreWritten } from '../store/store.ts';
import type { DoneStep } from '../../kernel/call/replay/journal.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';

/** The collection of the store: what was answered, and consents. */
export const ONCE = 'once';

/** The answers to the questions of one state. */
interface GivenAnswers {
  /** Of the state. */
  readonly id: string;
  /** Of the answers. */
  readonly digest: string;
  /** The owner; undefined for all unknown ones. */
  readonly owner: string | undefined;
  readonly signal: AbortSignal;
  /** Reports when the call becomes a task, which answers the request before the round ends: that answer is the outcome then. */
  onAccept(listener: (value: object) => void): void;
  /** Counts answers that were given before. @returns the outcome if they are refused for that */
  onRepeat(): MaybePromise<Outcome | undefined>;
  /** Whether the time to answer has expired. */
  isOver(): boolean;
  /** Milliseconds for which the answers must be remembered. */
  memory(): number;
}

/** Where failures are logged, and what seals what a store keeps. */
export interface AnswerSettings {
  readonly logger: Logger | undefined;
  /** For events that a client can cause as often as it likes. */
  readonly repeats: Logger | undefined;
  /** Undefined where outcomes and steps are kept as they are. */
  readonly keyring?: Keyring | undefined;
}

/** How a round ended, with its steps. */
export interface PlayedRound {
  readonly outcome: Outcome | Fault;
  /** The outcome is not final, so the round may be played again. */
  readonly isInterrupted: boolean;
  /** The completed steps, which are not repeated then. */
  readonly steps: readonly DoneStep[];
}

const [SHORTEST_PAUSE, LONGEST_PAUSE] = [20, 1000];

/**
 * Plays a round once for one state. The same answers again get the same outcome, also while it is still played; other
 * ones are refused. A round that was interrupted is played again, without the steps that were done.
 */
export async function answerOnce(
  store: Store,
  given: GivenAnswers,
  play: (steps: readonly DoneStep[]) => Promise<PlayedRound>,
  settings: AnswerSettings,
): Promise<Outcome | Fault> {
  const { logger, keyring } = settings;
  const { digest: answers } = given;
  const claimed = await claim(store, given, settings);
  if (claimed.is === 'done') return (await given.onRepeat()) ?? recall(claimed.outcome);
  const { version, steps } = claimed;
  let kept: Promise<unknown> | undefined;
  const keep = (left: Claim): Promise<unknown> => {
    kept ??= put(store, given, left, { if: version, keyring }).catch((error: unknown) => {
      const message = 'The answer to a question could not be put down as given; it cannot be repeated.';
      logger?.log({ level: 'error', event: 'question.store-failed', message, error });
    });
    return kept;
  };
  given.onAccept((result) => void keep({ is: 'done', answers, outcome: { result } }));
  const played = await play(steps);
  await keep(
    played.isInterrupted
      ? { is: 'free', answers, steps: [...steps, ...played.steps] }
      : {
          is: 'done',
          answers,
          outcome: played.outcome.kind === 'fault' ? 'forgotten' : keptOf(played.outcome),
        },
  );
  return played.outcome;
}

type Claimed =
  | Extract<Claim, { readonly is: 'done' }>
  | (Extract<Claim, { readonly is: 'free' }> & { readonly version: number });

async function claim(
  store: Store,
  given: GivenAnswers,
  { repeats, keyring }: AnswerSettings,
): Promise<Claimed> {
  const { digest: answers, signal } = given;
  const take = (condition: 'absent' | number): Promise<Kept> =>
    put(store, given, { is: 'running', answers }, { if: condition }).catch((error: unknown) =>
      refuseFor(error, repeats),
    );
  for (let delay = SHORTEST_PAUSE; ; delay = Math.min(2 * delay, LONGEST_PAUSE)) {
    const taken = await take('absent');
    if ('version' in taken) return { is: 'free', answers, steps: [], version: taken.version };
    if (taken.refused !== undefined) {
      const known = claimOf(taken.refused.value, keyring);
      if (known.answers !== answers) throw answeredState();
      if (known.is === 'done') return known;
      const again = known.is === 'free' ? await take(taken.refused.version) : undefined;
      if (known.is === 'free' && again !== undefined && 'version' in again)
        return { ...known, version: again.version };
    }
    if (given.isOver()) throw expiredState();
    await pause(delay, signal);
    if (signal.aborted)
      throw new ProtocolError(INTERNAL_ERROR, 'The call was cancelled', { code: 'CANCELLED' });
  }
}

type Kept = Exclude<StoreWritten, { readonly full: unknown }>;

/** @throws ToolwrightError TW_ONCE_STORE_FULL */
async function put(
  store: Store,
  given: GivenAnswers,
  claim: Claim,
  { if: condition, keyring }: { readonly if: 'absent' | number; readonly keyring?: Keyring | undefined },
): Promise<Kept> {
  const { id, owner } = given;
  const value = textOf(claim, keyring);
  // That the questions were answered stays known, whatever becomes of the outcome
  const as = JSON.stringify(forgotten(claim));
  const spare = claim.is === 'done' && as.length < value.length ? { spare: { as } } : {};
  const written = await store.put(ONCE, id, {
    ...{ value, ttl: Math.max(1, given.memory()), if: condition, share: { owner } },
    ...spare,
  });
  if ('full' in written) throw onceStoreIsFull(written.full);
  return written;
}

/** What a store has no room for that must not forget what it has. */
export function onceStoreIsFull(full: 'store' | 'owner'): ToolwrightError {
  return new ToolwrightError('TW_ONCE_STORE_FULL', {
    where: 'the store of answers',
    what: `has no room${full === 'owner' ? ' for more of one caller' : ''}, and nothing is expired.`,
    why: 'if a value is forgotten too early, the same questions can be answered twice.',
    fix: 'give the application a `backplane` with a store that has more room, or a shorter `questionTtl`',
  });
}

/** The handler has not run yet, so the answers are not lost when the store is full, or away. @throws ProtocolError */
function refuseFor(error: unknown, logger: Logger | undefined): never {
  if (ToolwrightError.is(error) && error.code === 'TW_ONCE_STORE_FULL') {
    logger?.log({ level: 'error', event: 'question.store-full', message: error.message, error });
  } else {
    const message = 'The once store fails; an answer to a question was not taken, and can be sent again.';
    logger?.log({ level: 'error', event: 'question.store-failed', message, error });
  }
  throw storeIsAway();
}

function recall(outcome: KeptOutcome | 'forgotten'): Outcome {
  return outcome === 'forgotten' ? failureOf(forgottenOutcome()) : outcomeOf(outcome);
}

/** What a store knows of the answers to a state. Once given, they cannot be changed. */
export type Claim =
  | { readonly is: 'running'; readonly answers: string }
  | { readonly is: 'free'; readonly answers: string; readonly steps: readonly DoneStep[] }
  | { readonly is: 'done'; readonly answers: string; readonly outcome: KeptOutcome | 'forgotten' };

/** A larger outcome is not kept: the answers count all the same, and the client has to do without. */
const LARGEST_OUTCOME = 64 * 1024;
/** For what a call cannot go on without: the next questions with their state, and the steps that were done. */
const LARGEST_CLAIM = 1024 * 1024;

/** What only the instances of a server may read of a claim: it has what callers sent and what came of it. */
interface SealedClaim {
  readonly is: 'free' | 'done';
  readonly answers: string;
  readonly sealed: string;
}

/** A claim as a store keeps it; one that is too large, or no JSON, loses what it led to. */
export function textOf(claim: Claim, keyring?: Keyring): string {
  const text = jsonOf(claim);
  if (text === undefined || text.length > largest(claim)) return JSON.stringify(forgotten(claim));
  if (keyring === undefined || claim.is === 'running') return text;
  const { is, answers, ...hidden } = claim;
  return JSON.stringify({ is, answers, sealed: keyring.seal(pack(hidden)) } satisfies SealedClaim);
}

/** What was sealed with another secret counts as done: a step that is not known must not be done again. */
export function claimOf(text: string, keyring?: Keyring): Claim {
  const claim = JSON.parse(text) as Claim | SealedClaim;
  if (!('sealed' in claim)) return claim;
  const { is, answers, sealed } = claim;
  const hidden = keyring?.open(sealed);
  return hidden === undefined
    ? forgotten({ answers })
    : ({ is, answers, ...(unpack(hidden) as object) } as Claim);
}

function forgotten({ answers }: Pick<Claim, 'answers'>): Claim & { readonly is: 'done' } {
  return { is: 'done', answers, outcome: 'forgotten' };
}

function largest(claim: Claim): number {
  return claim.is === 'done' && !isQuestion(claim.outcome) ? LARGEST_OUTCOME : LARGEST_CLAIM;
}

function isQuestion(outcome: KeptOutcome | 'forgotten'): boolean {
  if (outcome === 'forgotten' || !('result' in outcome)) return false;
  const { result } = outcome;
  return (
    typeof result === 'object' &&
    result !== null &&
    'resultType' in result &&
    result.resultType === 'input_required'
  );
}

/** Undefined for what JSON does not carry: handlers put what they like into results and errors. */
function jsonOf(claim: Claim): string | undefined {
  try {
    return JSON.stringify(claim);
  } catch {
    return undefined;
  }
}
