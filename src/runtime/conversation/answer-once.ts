import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../call/logger.ts';
import { INTERNAL_ERROR, ProtocolError } from '../../call/protocol-error.ts';
import type { PlainObject } from '../../shared/json.ts';
import { answeredState, expiredState, forgottenOutcome } from './conversation-failures.ts';
import type { DoneStep } from './journal.ts';
import type { OnceStore } from './once-store.ts';

/** The answers to the questions of one state. */
export interface GivenAnswers {
  /** Of the state. */
  readonly id: string;
  /** Of the answers. */
  readonly digest: string;
  readonly signal: AbortSignal;
  /** Whether the time to answer is over. */
  isOver(): boolean;
  /** Milliseconds for which it matters that they were given. */
  memory(): number;
}

/** How a round ended, and what was done in it. */
export interface PlayedRound<Result> {
  readonly outcome: { readonly result: Result } | { readonly thrown: unknown };
  /** Nobody got the outcome, so the round may be played again. */
  readonly isInterrupted: boolean;
  /** What need not be done again then. */
  readonly steps: readonly DoneStep[];
}

type Outcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: PlainObject } }
  | 'forgotten';

/** What the store knows of the answers to a state. */
type Claim =
  | { readonly is: 'running'; readonly answers: string; readonly run: string }
  | { readonly is: 'free'; readonly answers: string | undefined; readonly steps: readonly DoneStep[] }
  | { readonly is: 'done'; readonly answers: string; readonly outcome: Outcome };

const [SHORTEST_PAUSE, LONGEST_PAUSE] = [20, 1000];
/** A larger outcome is not kept: the answers count all the same, and the client has to do without. */
const LARGEST_OUTCOME = 64 * 1024;

/**
 * Plays a round once for one state. The same answers again get the same outcome, also while it is still played; other
 * ones are refused. A round that was interrupted is played again, without the steps that were done.
 */
export async function answerOnce<Result>(
  store: OnceStore,
  given: GivenAnswers,
  play: (steps: readonly DoneStep[]) => Promise<PlayedRound<Result>>,
  logger: Logger | undefined,
): Promise<Result> {
  const mine = textOf({ is: 'running', answers: given.digest, run: randomUUID() });
  const claimed = await claim(store, given, mine);
  if (claimed.is === 'done') return recall(claimed.outcome) as Result;
  const played = await play(claimed.steps);
  const answers = given.digest;
  const left: Claim = played.isInterrupted
    ? { is: 'free', answers: played.steps.length === 0 ? undefined : answers, steps: played.steps }
    : { is: 'done', answers, outcome: keptOutcome(played) };
  await store.replace(given.id, mine, textOf(left), given.memory()).catch((error: unknown) => {
    const message = 'The answer to a question could not be put down as given; it cannot be repeated.';
    logger?.log({ level: 'error', event: 'question.store-failed', message, error });
  });
  if ('thrown' in played.outcome) throw played.outcome.thrown;
  return played.outcome.result;
}

async function claim(
  store: OnceStore,
  given: GivenAnswers,
  mine: string,
): Promise<Exclude<Claim, { readonly is: 'running' }>> {
  const { id, digest, signal } = given;
  for (let delay = SHORTEST_PAUSE; ; delay = Math.min(2 * delay, LONGEST_PAUSE)) {
    const found = await store.add(id, mine, given.memory());
    if (found === undefined) return { is: 'free', answers: digest, steps: [] };
    const known = JSON.parse(found) as Claim;
    if (known.answers !== undefined && known.answers !== digest) throw answeredState();
    if (known.is === 'done') return known;
    if (known.is === 'free' && (await store.replace(id, found, mine, given.memory()))) return known;
    if (given.isOver()) throw expiredState();
    await pause(delay, undefined, { signal }).catch(() => {
      throw new ProtocolError(INTERNAL_ERROR, 'The call was cancelled', { code: 'CANCELLED' });
    });
  }
}

function keptOutcome({ outcome }: PlayedRound<unknown>): Outcome {
  if ('result' in outcome) return small({ result: outcome.result });
  if (!ProtocolError.is(outcome.thrown)) return 'forgotten';
  const { code, message, data } = outcome.thrown;
  return small({ error: { code, message, ...(data === undefined ? {} : { data }) } });
}

function small(outcome: Outcome): Outcome {
  return JSON.stringify(outcome).length > LARGEST_OUTCOME ? 'forgotten' : outcome;
}

function recall(outcome: Outcome): unknown {
  if (outcome === 'forgotten') throw forgottenOutcome();
  if ('result' in outcome) return outcome.result;
  const { code, message, data } = outcome.error;
  throw new ProtocolError(code, message, data);
}

function textOf(claim: Claim): string {
  return JSON.stringify(claim);
}
