import { type Logger, DedupingLogger } from '../../call/logger.ts';
import type { Call, Replayer, Handle } from '../call.ts';
import type { Outcome } from '../outcome.ts';
import { unlessFault, replayLocally } from './attempt.ts';
import { divergedCall, originOf } from './replay-failures.ts';
import { InMemoryOnceStore, type OnceStore } from './once-store.ts';
import type { Secret } from '../../shared/sealed-text.ts';
import { RequestStates, type RequestState } from './request-states.ts';
import { RoundTrips, type RoundTripSettings } from './round-trips.ts';
import {
  objectWith,
  positiveMilliseconds,
  rule,
  secret,
  type OptionRules,
} from '../../shared/option-rules.ts';

export interface ReplayEngineOptions {
  /** The server's name: another server with the same secrets cannot resume its calls. */
  readonly server: string;
  readonly secrets?: readonly Secret[] | undefined;
  readonly onceStore?: OnceStore | undefined;
  /** Milliseconds that a client has to answer. Default 10 minutes. */
  readonly lifetime?: number | undefined;
  /** Whether handlers are replayed for clients that can be asked during the call, too. Default false. */
  readonly replays?: boolean | undefined;
  readonly logger?: Logger | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Runs handlers again with the answers of their clients (spec 2026-07-28: basic/patterns/mrtr). */
export interface ReplayEngine {
  /**
   * Opens the sealed state that a client sends back with its answers.
   * @throws ProtocolError for a state that was not issued for this call
   */
  open(call: Call, sealed: string): RequestState;
  /** Makes what replays the calls of one handler. */
  replayerOf(run: Handle): HandlerReplayer;
}

interface HandlerReplayer extends Replayer {
  /** Replays the handler for a client that can be asked during the call; undefined unless `replays` is set. */
  readonly replay: ((call: Call) => Promise<Outcome>) | undefined;
}

const LIFETIME = 10 * 60_000;

export function createReplayEngine(options: ReplayEngineOptions): ReplayEngine {
  const { server, secrets, lifetime = LIFETIME, replays = false, logger, now = Date.now } = options;
  const states = new RequestStates({ server, secrets, lifetime, logger, now });
  const settings: RoundTripSettings = {
    states,
    store: options.onceStore ?? new InMemoryOnceStore(),
    logger,
    repeats: logger && new DedupingLogger(logger),
  };
  const replay = async (call: Call, run: Handle): Promise<Outcome> => {
    const end = await replayLocally(call, run);
    return end.kind === 'diverged' ? divergedCall(call, end.error, logger) : unlessFault(end);
  };
  return Object.freeze({
    open: (call, sealed) => states.open(sealed, originOf(call)),
    replayerOf: (run) =>
      Object.assign(new RoundTrips(settings, run), {
        replay: replays ? (call: Call) => replay(call, run) : undefined,
      }),
  } satisfies ReplayEngine);
}

/** How clients of 2026-07-28 are asked, who answer by calling again. */
export interface QuestionSettings {
  /**
   * Random texts or bytes of 32 bytes or more (`openssl rand -base64 32`) that only the instances of this server know;
   * other servers have others. What a call did and heard so far, and the cursors of pages, are sealed with the first and
   * opened with all of them. Default: a random one, so that both count in the same process only.
   */
  readonly secrets?: readonly Secret[];
  /** Remembers which questions were answered; instances share one. Default: a `InMemoryOnceStore`. */
  readonly onceStore?: OnceStore;
  /** Milliseconds that a client has to answer. Default 10 minutes. */
  readonly questionTtl?: number;
}

const SHORTEST_SECRET = 32;

export const QUESTION_RULES: OptionRules<QuestionSettings> = {
  secrets: secret(
    rule(
      `a list of texts or Uint8Arrays of at least ${String(SHORTEST_SECRET)} bytes`,
      (value) => Array.isArray(value) && value.length > 0 && value.every(isSecret),
    ),
  ),
  onceStore: objectWith('a once store', 'add', 'replace'),
  questionTtl: positiveMilliseconds,
};

function isSecret(secret: unknown): boolean {
  if (typeof secret === 'string') return Buffer.byteLength(secret) >= SHORTEST_SECRET;
  return secret instanceof Uint8Array && secret.length >= SHORTEST_SECRET;
}
