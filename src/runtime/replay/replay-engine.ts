import { Buffer } from 'node:buffer';
import { DedupingLogger, type Logger } from '../../call/logger.ts';
import { ProtocolError } from '../../call/protocol-error.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import {
  aFunction,
  either,
  positiveMilliseconds,
  rule,
  secret,
  type OptionRules,
} from '../../shared/option-rules.ts';
import { createKeyring, type Secret, type Secrets } from '../../shared/sealed-text.ts';
import type { Call, Handle } from '../../kernel/call/call.ts';
import type { Outcome } from '../../kernel/call/outcome.ts';
import { mayAsk, type CompileState, type ReplayEngine } from '../routes/route.ts';
import { InMemoryStore } from '../store/memory-store.ts';
import type { Store } from '../store/store.ts';
import { RequestStates } from '../../kernel/call/replay/request-states.ts';
import { divergedCall, originOf, RoundTrips, type RoundTripSettings } from './round-trips.ts';
import { replayLocally, unlessFault } from './run-once.ts';

export interface ReplayEngineOptions {
  /** The server's name: another server with the same secrets cannot resume its calls. */
  readonly server: string;
  readonly secrets?: Secrets | undefined;
  readonly store?: Store | undefined;
  /** Milliseconds that a client has to answer. Default 10 minutes. */
  readonly lifetime?: number | undefined;
  /** Whether handlers are replayed for clients that can be asked during the call, too. Default false. */
  readonly replays?: boolean | undefined;
  readonly logger?: Logger | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const LIFETIME = 10 * 60_000;

export function createReplayEngine(options: ReplayEngineOptions): ReplayEngine {
  const { server, secrets, lifetime = LIFETIME, replays = false, logger, now = Date.now } = options;
  const states = new RequestStates({ server, secrets, lifetime, logger, now });
  const settings: RoundTripSettings = {
    states,
    store: options.store ?? new InMemoryStore(),
    keyring: secrets && createKeyring(secrets, `once:${server}`),
    logger,
    repeats: logger && new DedupingLogger(logger),
  };
  const replay = async (call: Call, run: Handle): Promise<Outcome> => {
    const end = await replayLocally(call, run);
    return end.kind === 'diverged' ? divergedCall(call, end.error, logger) : unlessFault(end);
  };
  return Object.freeze({
    store: settings.store,
    open: (call, sealed) => states.open(sealed, originOf(call)),
    replayerOf: (run, charge) =>
      Object.assign(new RoundTrips(settings, run, charge), {
        replay: replays ? (call: Call) => replay(call, run) : undefined,
      }),
  } satisfies ReplayEngine);
}

/** How clients of 2026-07-28 are asked, who answer by calling again. */
export interface QuestionSettings {
  /**
   * Random texts or bytes of 32 bytes or more (`openssl rand -base64 32`) that only the instances of this server know;
   * other servers have others. What a call did and heard so far, and the cursors of pages, are sealed with the first and
   * opened with all of them. A function gives those of the moment, so that they change without a restart; what it gives
   * instead of such a list is logged as `secrets.refused`, and those before count on. Default: a random one, so that
   * both count in the same process only.
   *
   * @example
   * let keys = ['the key of this month, 32 bytes or more'];
   * const app = await McpApplication.create(AppModule, { secrets: () => keys });
   * keys = ['the key of next month, 32 bytes or more', ...keys];
   */
  readonly secrets?: Secrets;
  /** Milliseconds that a client has to answer. Default 10 minutes. */
  readonly questionTtl?: number;
}

const SHORTEST_SECRET = 32;

const SECRETS = `a list of texts or Uint8Arrays of at least ${String(SHORTEST_SECRET)} bytes`;

export const QUESTION_RULES: OptionRules<QuestionSettings> = {
  secrets: secret(either(rule(SECRETS, isSecretList), aFunction)),
  questionTtl: positiveMilliseconds,
};

function isSecretList(value: unknown): value is readonly Secret[] {
  return Array.isArray(value) && value.length > 0 && value.every(isSecret);
}

/**
 * The secrets of the moment, of which a function gives another list only when they are others.
 *
 * @param hidden gets the texts among them, which nothing shows
 * @throws ToolwrightError TW_APPLICATION_OPTION if a function has none at the start
 */
export function currentSecrets(
  given: Secrets | undefined,
  { logger, hidden }: { readonly logger: Logger; readonly hidden: string[] },
): Secrets | undefined {
  if (typeof given !== 'function') return given;
  let current: readonly Secret[] = [];
  let isRefused = false;
  const renew = (): void => {
    const next: unknown = given();
    if (!isSecretList(next)) throw new TypeError(`It did not give ${SECRETS}`);
    const isSame = next.length === current.length && next.every((secret, index) => secret === current[index]);
    isRefused = false;
    if (isSame) return;
    current = Object.freeze([...next]);
    hidden.push(...current.filter((each) => typeof each === 'string'));
  };
  try {
    renew();
  } catch (cause) {
    throw new ToolwrightError('TW_APPLICATION_OPTION', {
      where: 'option secrets',
      what: 'is a function that gave no secrets.',
      fix: `let it give ${SECRETS}; load them before, because it is not awaited`,
      cause,
    });
  }
  return () => {
    try {
      renew();
    } catch (cause) {
      if (!isRefused) {
        const message = 'New secrets could not be had; those before count on';
        logger.log({ level: 'error', event: 'secrets.refused', message, cause });
      }
      isRefused = true;
    }
    return current;
  };
}

function isSecret(secret: unknown): boolean {
  if (typeof secret === 'string') return Buffer.byteLength(secret) >= SHORTEST_SECRET;
  return secret instanceof Uint8Array && secret.length >= SHORTEST_SECRET;
}

/** Separates requests that bring answers from requests that begin a call. */
export const compileState: CompileState = (target, { replayEngine }) => {
  if (!mayAsk(target)) return undefined;
  const open = (call: Call, sealed: string): Call['opened'] => {
    try {
      return replayEngine.open(call, sealed);
    } catch (thrown) {
      if (ProtocolError.is(thrown)) return thrown;
      throw thrown;
    }
  };
  return (begin, resume) => (call) => {
    const sealed = call.retry?.requestState;
    if (sealed === undefined) return begin(call);
    call.opened = open(call, sealed);
    // One that does not open is counted like a call that begins; of a task, the answer is that, whatever it brings
    return ProtocolError.is(call.opened) ? begin(call) : resume(call);
  };
};
