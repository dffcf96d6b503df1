import { type Logger, RepeatFilter } from '../../call/logger.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { Call } from '../call.ts';
import type { Outcome } from '../outcome.ts';
import { unlessFault, type RunHandler } from './attempt.ts';
import type { ConductedCall } from './conducted-call.ts';
import { divergedCall } from './conversation-failures.ts';
import { MemoryOnceStore } from './memory-once-store.ts';
import type { OnceStore } from './once-store.ts';
import { replayLocally } from './replay-locally.ts';
import type { Secret } from './keyring.ts';
import { RequestStates } from './request-states.ts';
import { answerRound, type RoundSettings } from './rounds.ts';

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
  /** Runs the handler of a call, again and again where its client is asked by the result of the call. */
  conduct(call: Call, target: ConductedCall, run: RunHandler): MaybePromise<Outcome>;
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
  const replay = async (call: Call, target: ConductedCall, run: RunHandler): Promise<Outcome> => {
    const end = await replayLocally(call, run);
    return end.kind === 'diverged' ? divergedCall(target, end.error, logger) : unlessFault(end);
  };
  // What only passes a call on waits for nothing itself: this is on the way of every call.
  return Object.freeze({
    conduct: (call, target, run) => {
      const { retry } = call;
      // A task cannot answer its request any more, not even with a question
      if (retry !== undefined && call.state !== 'detached') {
        return answerRound(settings, { call, target, run }, retry);
      }
      return replays ? replay(call, target, run) : run(call);
    },
  } satisfies Conversations);
}
