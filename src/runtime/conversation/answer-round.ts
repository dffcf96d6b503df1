import type { CallExchange, Retry } from '../../call/call-exchange.ts';
import type { CallToolResult } from '../../call/call-tool-result.ts';
import type { InputRequiredResult } from '../../call/input-required.ts';
import type { Logger } from '../../call/logger.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { answerOnce, type PlayedRound } from './answer-once.ts';
import { nameOf, originOf, type ConductedCall } from './conducted-call.ts';
import { divergedCall, failCall } from './conversation-failures.ts';
import { Conversation } from './conversation.ts';
import { digestOf } from './digest.ts';
import { answersOf, requestsOf, unanswered } from './input-requests.ts';
import { NO_PROGRESS, type CallProgress } from './journal.ts';
import type { OnceStore } from './once-store.ts';
import { playRound } from './play-round.ts';
import type { RequestStates } from './request-states.ts';
import { endOf, wasInterrupted } from './round-end.ts';

/** What a call may be answered with instead of its result. */
export type Conducted<Result> = Result | InputRequiredResult | CallToolResult;

/** What the rounds of all calls share. */
export interface RoundSettings {
  readonly states: RequestStates;
  readonly store: OnceStore;
  readonly logger: Logger | undefined;
}

/** A call with what the core sees of its request, and the way to run its handler. */
export interface RunningCall<Result> extends ConductedCall {
  readonly exchange: CallExchange;
  readonly run: (exchange: CallExchange) => Promise<Result>;
}

/** Answers one request of a client that answers by calling again (spec 2026-07-28: basic/patterns/mrtr). */
export async function answerRound<Result extends object>(
  settings: RoundSettings,
  call: RunningCall<Result>,
  { requestState, inputResponses }: Retry,
): Promise<Conducted<Result>> {
  if (requestState === undefined) {
    const { outcome } = await play(settings, call, { ...NO_PROGRESS, offered: inputResponses }, 1);
    if ('thrown' in outcome) throw outcome.thrown;
    return outcome.result;
  }
  const { states, store, logger } = settings;
  const state = states.open(requestState, originOf(call, call.exchange.authInfo));
  const answers = answersOf(state.open, inputResponses);
  const open = unanswered(state.open, answers);
  const given = {
    id: state.id,
    digest: digestOf(answers.map(({ name, value }) => [name, value])),
    signal: call.exchange.signal,
    earlyAnswer: call.exchange.earlyAnswer,
    isOver: () => states.isOver(state),
    memory: () => states.memoryOf(state),
  };
  const next = state.round + 1;
  return answerOnce(
    store,
    given,
    (steps) => play(settings, call, { journal: [...state.journal, ...steps, ...answers], open }, next),
    logger,
  );
}

async function play<Result extends object>(
  settings: RoundSettings,
  call: RunningCall<Result>,
  progress: CallProgress,
  round: number,
): Promise<PlayedRound<Conducted<Result>>> {
  const { exchange, run } = call;
  const conversation = new Conversation(progress);
  const outcome = await endOf(async () => {
    const played = await playRound(conversation, exchange, run);
    if (played.kind === 'result') return played.result;
    if (played.kind === 'thrown') throw played.thrown;
    if (played.kind === 'diverged') return divergedCall(call, played.error, settings.logger);
    if (played.isAbandoned) logAbandoned(call, settings.logger);
    return ask(settings, call, conversation, round);
  });
  const isInterrupted = wasInterrupted(outcome, exchange);
  if (isInterrupted) {
    conversation.interrupt();
    await conversation.settled();
  }
  return { outcome, isInterrupted, steps: conversation.newSteps };
}

function ask(
  { states, logger }: RoundSettings,
  call: RunningCall<unknown>,
  { journal, asked }: Conversation,
  round: number,
): InputRequiredResult | CallToolResult {
  const open = asked.map(({ question }) => question);
  try {
    const requestState = states.seal(originOf(call, call.exchange.authInfo), round, { journal, open });
    return { resultType: 'input_required', inputRequests: requestsOf(asked), requestState };
  } catch (error) {
    if (!ToolwrightError.is(error)) throw error;
    const message = `${nameOf(call)} could not ask: ${error.message}`;
    logger?.log({ level: 'error', event: 'question.failed', message, error });
    return failCall(call, 'INTERNAL_ERROR', 'The server cannot keep what the call needs while it asks');
  }
}

function logAbandoned(call: ConductedCall, logger: Logger | undefined): void {
  const message =
    `${nameOf(call)} catches what ends its run and asks again and again. It was left behind, with its scope; ` +
    'let errors pass of which isSuspension() is true.';
  logger?.log({ level: 'error', event: 'question.abandoned', message });
}
