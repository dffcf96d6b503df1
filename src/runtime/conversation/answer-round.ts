import type { Retry } from '../../call/call-exchange.ts';
import type { CallToolResult } from '../../call/call-tool-result.ts';
import type { InputRequiredResult } from '../../call/input-required.ts';
import type { Logger } from '../../call/logger.ts';
import { personOf } from '../../call/person-of.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { answerFirstRound } from './answer-first-round.ts';
import { answerOnce, type PlayedRound, type Reports } from './answer-once.ts';
import { nameOf, originOf, type ConductedCall } from './conducted-call.ts';
import { divergedCall, failCall } from './conversation-failures.ts';
import { Conversation } from './conversation.ts';
import { digestOf } from './digest.ts';
import { answersOf, requestsOf, unanswered } from './input-requests.ts';
import type { OnceStore } from './once-store.ts';
import { playRound } from './play-round.ts';
import type { RequestStates } from './request-states.ts';
import { endOf, wasInterrupted } from './round-end.ts';
import type { Conducted, RunningCall } from './running-call.ts';

/** What the rounds of all calls share. */
export interface RoundSettings extends Reports {
  readonly states: RequestStates;
  readonly store: OnceStore;
}

/** Answers one request of a client that answers by calling again (spec 2026-07-28: basic/patterns/mrtr). */
export function answerRound<Result extends object>(
  settings: RoundSettings,
  running: RunningCall<Result>,
  { requestState, inputResponses }: Retry,
): Promise<Conducted<Result>> {
  if (requestState === undefined) {
    return answerFirstRound(
      running,
      { journal: [], open: [], offered: inputResponses },
      async (conversation, promise) => {
        const { outcome } = await play(settings, { ...running, run: () => promise }, conversation, 1);
        if ('thrown' in outcome) throw outcome.thrown;
        return outcome.result;
      },
    );
  }
  return answerFurtherRound(settings, running, requestState, inputResponses);
}

async function answerFurtherRound<Result extends object>(
  settings: RoundSettings,
  running: RunningCall<Result>,
  requestState: string,
  inputResponses: Retry['inputResponses'],
): Promise<Conducted<Result>> {
  const { states, store } = settings;
  const { call, exchange } = running;
  const state = states.open(requestState, originOf(call, exchange.authInfo));
  const answers = answersOf(state.open, inputResponses);
  const open = unanswered(state.open, answers);
  const given = {
    id: state.id,
    digest: digestOf(answers.map(({ name, value }) => [name, value])),
    owner: exchange.authInfo && personOf(exchange.authInfo),
    signal: exchange.signal,
    earlyAnswer: exchange.earlyAnswer,
    isOver: () => states.isOver(state),
    memory: () => states.memoryOf(state),
  };
  const next = state.round + 1;
  return answerOnce(
    store,
    given,
    (steps) =>
      play(
        settings,
        running,
        new Conversation({ journal: [...state.journal, ...steps, ...answers], open }),
        next,
      ),
    settings,
  );
}

async function play<Result extends object>(
  settings: RoundSettings,
  running: RunningCall<Result>,
  conversation: Conversation,
  round: number,
): Promise<PlayedRound<Conducted<Result>>> {
  const { call, exchange, run } = running;
  const outcome = await endOf(async () => {
    const played = await playRound(conversation, exchange, run);
    if (played.kind === 'result') return played.result;
    if (played.kind === 'thrown') throw played.thrown;
    if (played.kind === 'diverged') return divergedCall(call, played.error, settings.logger);
    if (played.isAbandoned) logAbandoned(call, settings.logger);
    return ask(settings, running, conversation, round);
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
  { call, exchange }: RunningCall<unknown>,
  { journal, asked }: Conversation,
  round: number,
): InputRequiredResult | CallToolResult {
  const open = asked.map(({ question }) => question);
  try {
    const requestState = states.seal(originOf(call, exchange.authInfo), round, { journal, open });
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
