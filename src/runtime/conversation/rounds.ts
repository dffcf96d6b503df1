import { type Retry, personOf } from '../../call/call-exchange.ts';
import type { Logger } from '../../call/logger.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import type { Call } from '../call.ts';
import { isFailure, resultOf, type Outcome } from '../outcome.ts';
import { answerOnce, type PlayedRound, type Reports } from './answer-once.ts';
import { attempt, unlessFault, type AttemptEnd, type Fault, type RunHandler } from './attempt.ts';
import { nameOf, originOf, type ConductedCall } from './conducted-call.ts';
import { divergedCall, failCall } from './conversation-failures.ts';
import { digestOf } from './digest.ts';
import { answersOf, requestsOf, unanswered } from './input-requests.ts';
import { failureFactsOf, withMissingCapability } from './missing-capability.ts';
import type { OnceStore } from './once-store.ts';
import type { Recorder } from './recorder.ts';
import type { RequestStates } from './request-states.ts';

/** What the rounds of all calls share. */
export interface RoundSettings extends Reports {
  readonly states: RequestStates;
  readonly store: OnceStore;
}

/** A call, what it is of, and the way to run its handler. */
export interface Round {
  readonly call: Call;
  readonly target: ConductedCall;
  readonly run: RunHandler;
}

/** Answers one request of a client that answers by calling again (spec 2026-07-28: basic/patterns/mrtr). */
export function answerRound(
  settings: RoundSettings,
  round: Round,
  { requestState, inputResponses }: Retry,
): MaybePromise<Outcome> {
  if (requestState !== undefined) return answerFurtherRound(settings, round, requestState, inputResponses);
  const { call, run } = round;
  call.record({ journal: [], open: [], offered: inputResponses });
  const played = thenMaybe(attempt(call, run), (end) => finish(settings, round, 1, end));
  return unlessFault(thenMaybe(played, ({ outcome }) => outcome));
}

async function answerFurtherRound(
  settings: RoundSettings,
  round: Round,
  requestState: string,
  inputResponses: Retry['inputResponses'],
): Promise<Outcome> {
  const { states, store } = settings;
  const { call, target, run } = round;
  const { authInfo, signal } = call;
  const state = states.open(requestState, originOf(target, authInfo));
  const answers = answersOf(state.open, inputResponses);
  const open = unanswered(state.open, answers);
  const given = {
    id: state.id,
    digest: digestOf(answers.map(({ name, value }) => [name, value])),
    owner: authInfo && personOf(authInfo),
    signal,
    onAccept: (listener: (value: object) => void) => {
      call.onAccept = listener;
    },
    isOver: () => states.isOver(state),
    memory: () => states.memoryOf(state),
  };
  const play = async (steps: PlayedRound['steps']): Promise<PlayedRound> => {
    call.record({ journal: [...state.journal, ...steps, ...answers], open }, 'at-once');
    return finish(settings, round, state.round + 1, await attempt(call, run));
  };
  return unlessFault(answerOnce(store, given, play, settings));
}

/** What the client gets of a run, and whether the call may be played again. */
function finish(
  settings: RoundSettings,
  { call, target }: Round,
  round: number,
  end: AttemptEnd,
): MaybePromise<PlayedRound> {
  const outcome = answerOf(settings, { call, target }, round, end);
  const { recorder } = call;
  if (wasInterrupted(outcome, call)) {
    call.interrupt();
    const played = { outcome, isInterrupted: true };
    if (recorder === undefined) return { ...played, steps: [] };
    return recorder.settled().then(() => ({ ...played, steps: recorder.newSteps }));
  }
  call.end();
  return { outcome, isInterrupted: false, steps: recorder?.newSteps ?? [] };
}

function answerOf(
  settings: RoundSettings,
  { call, target }: Pick<Round, 'call' | 'target'>,
  round: number,
  end: AttemptEnd,
): Outcome | Fault {
  const { logger } = settings;
  if (end.kind === 'diverged') return divergedCall(target, end.error, logger);
  if (end.kind === 'suspended') {
    if (end.isAbandoned) logAbandoned(target, logger);
    return ask(settings, call, target, end.recorder, round);
  }
  return end.kind === 'fault' ? end : withMissingCapability(end);
}

/**
 * True for a round whose failure says nothing final of the call: it was cancelled, the server itself failed, or the
 * failure says when to try again. What code a handler gives its failure does not matter: it may not undo an answer.
 */
function wasInterrupted(outcome: Outcome | Fault, call: Call): boolean {
  if (outcome.kind === 'fault') return true;
  if (!isFailure(outcome)) return false;
  return typeof failureFactsOf(outcome)?.['retryAfter'] === 'number' || call.isCancelled;
}

function ask(
  { states, logger }: RoundSettings,
  call: Call,
  target: ConductedCall,
  { journal, asked }: Recorder,
  round: number,
): Outcome {
  const open = asked.map(({ question }) => question);
  try {
    const requestState = states.seal(originOf(target, call.authInfo), round, { journal, open });
    return resultOf({ resultType: 'input_required', inputRequests: requestsOf(asked), requestState });
  } catch (error) {
    if (!ToolwrightError.is(error)) throw error;
    const message = `${nameOf(target)} could not ask: ${error.message}`;
    logger?.log({ level: 'error', event: 'question.failed', message, error });
    return failCall(target, 'INTERNAL_ERROR', 'The server cannot keep what the call needs while it asks');
  }
}

function logAbandoned(target: ConductedCall, logger: Logger | undefined): void {
  const message =
    `${nameOf(target)} catches what ends its run and asks again and again. It was left behind, with its scope; ` +
    'let errors pass of which isSuspension() is true.';
  logger?.log({ level: 'error', event: 'question.abandoned', message });
}
