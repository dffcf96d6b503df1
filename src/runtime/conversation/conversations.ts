import type { CallExchange } from '../../call/call-exchange.ts';
import type { CallToolResult } from '../../call/call-tool-result.ts';
import type { Logger } from '../../call/logger.ts';
import { RepeatFilter } from '../../call/repeat-filter.ts';
import { answerRound, type RoundSettings } from './answer-round.ts';
import type { ConductedCall } from './conducted-call.ts';
import { divergedCall } from './conversation-failures.ts';
import { MemoryOnceStore } from './memory-once-store.ts';
import type { OnceStore } from './once-store.ts';
import { replayLocally } from './replay-locally.ts';
import type { Secret } from './keyring.ts';
import { RequestStates } from './request-states.ts';
import type { Conducted } from './running-call.ts';

export interface ConversationOptions {
  /** The name of the server: others with the same secrets do not go on with its calls. */
  readonly server: string;
  readonly secrets?: readonly Secret[] | undefined;
  readonly onceStore?: OnceStore | undefined;
  /** Milliseconds that a client has to answer. Default 10 minutes. */
  readonly lifetime?: number | undefined;
  /** Whether handlers run again also for clients that can be asked meanwhile. Default false. */
  readonly replays?: boolean | undefined;
  readonly logger?: Logger | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Conducts the calls of a server in the way in which each client can be asked. */
export interface Conversations {
  /** A call of a client; undefined `retry` says that it can be asked while the call runs, if at all. */
  conduct<Result extends object>(
    call: ConductedCall,
    exchange: CallExchange,
    run: (exchange: CallExchange) => Promise<Result>,
  ): Promise<Conducted<Result>>;
  /** A call from inside the process. */
  conductLocal<Result extends object>(
    call: ConductedCall,
    exchange: CallExchange,
    run: (exchange: CallExchange) => Promise<Result>,
  ): Promise<Result | CallToolResult>;
}

const LIFETIME = 10 * 60_000;

export function createConversations(options: ConversationOptions): Conversations {
  const { server, secrets, lifetime = LIFETIME, replays = false, logger, now = Date.now } = options;
  const states = new RequestStates({ server, secrets, lifetime, logger, now });
  const settings: RoundSettings = {
    states,
    store: options.onceStore ?? new MemoryOnceStore(),
    logger,
    repeats: logger && new RepeatFilter(logger),
  };
  const replay: Conversations['conductLocal'] = async (call, exchange, run) => {
    const outcome = await replayLocally(exchange, run);
    if (outcome.kind === 'thrown') throw outcome.thrown;
    return outcome.kind === 'result' ? outcome.result : divergedCall(call, outcome.error, logger);
  };
  // What only passes a call on waits for nothing itself: this is on the way of every call.
  const conductLocal: Conversations['conductLocal'] = (call, exchange, run) =>
    replays ? replay(call, exchange, run) : run(exchange);
  return Object.freeze({
    conductLocal,
    conduct: <Result extends object>(
      call: ConductedCall,
      exchange: CallExchange,
      run: (exchange: CallExchange) => Promise<Result>,
    ) =>
      exchange.retry === undefined
        ? conductLocal(call, exchange, run)
        : answerRound(settings, { call, exchange, run }, exchange.retry),
  } satisfies Conversations);
}
