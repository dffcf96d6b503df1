import { Buffer } from 'node:buffer';
import { type Logger, DedupingLogger } from '../../call/logger.ts';
import type { Call, Replayer, Handle } from '../call.ts';
import { type Outcome, failureOf, isFailure, resultOf } from '../outcome.ts';
import {
  unlessFault,
  replayLocally,
  runOnce,
  endOf,
  endOfThrow,
  type RunEnd,
  type Fault,
} from './run-once.ts';
import { divergedCall, originOf, failCall, nameOf } from './replay-failures.ts';
import { InMemoryOnceStore, type OnceStore } from './once-store.ts';
import type { Secret } from '../../shared/sealed-text.ts';
import { RequestStates, type RequestState } from './request-states.ts';
import {
  objectWith,
  positiveMilliseconds,
  rule,
  secret,
  type OptionRules,
} from '../../shared/option-rules.ts';
import { personOf } from '../../call/request-context.ts';
import { ProtocolError } from '../../call/protocol-error.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import { answerOnce, type PlayedRound, type Reports } from './answer-once.ts';
import type { Recorder } from './recorder.ts';
import type { InputRequest } from '../../call/results.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { digestOf, type Answered, type AskedQuestion, type Question } from './journal.ts';
import { ERROR_META_KEY } from '../../call/result-helpers.ts';

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
  /** For tests: runs the handler again for each answer although its client can be asked at once; undefined unless `replays` is set. */
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

/** What the rounds of all calls share. */
interface RoundTripSettings extends Reports {
  readonly states: RequestStates;
  readonly store: OnceStore;
}

/** Asks by the answers to requests, and answers each round once (spec 2026-07-28: basic/patterns/mrtr). */
class RoundTrips implements Replayer {
  readonly #settings: RoundTripSettings;
  readonly #run: Handle;

  constructor(settings: RoundTripSettings, run: Handle) {
    this.#settings = settings;
    this.#run = run;
  }

  finish(call: Call, outcome: Outcome): MaybePromise<Outcome> {
    return this.#finishFirst(call, outcome);
  }

  fail(call: Call, thrown: unknown): MaybePromise<Outcome> {
    return this.#finishFirst(call, endOfThrow(thrown));
  }

  abandon(call: Call): void {
    void Promise.resolve(this.#finishFirst(call, 'abandoned')).then((outcome) => {
      call.finish(outcome);
    });
  }

  async resume(call: Call, state: RequestState | ProtocolError): Promise<Outcome> {
    if (ProtocolError.is(state)) return failureOf(state);
    const { states, store } = this.#settings;
    const { authInfo, signal, retry } = call;
    const answers = answersOf(state.open, retry?.inputResponses ?? {});
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
      call.recordFrom({ journal: [...state.journal, ...steps, ...answers], open });
      return this.#conclude(call, state.round + 1, await runOnce(call, this.#run));
    };
    return unlessFault(answerOnce(store, given, play, this.#settings));
  }

  #finishFirst(call: Call, ended: Outcome | Fault | 'abandoned'): MaybePromise<Outcome> {
    const played = thenMaybe(endOf(call, ended), (end) => this.#conclude(call, 1, end));
    return unlessFault(thenMaybe(played, ({ outcome }) => outcome));
  }

  /** The answer of a run, and whether the round may be played again. */
  #conclude(call: Call, round: number, end: RunEnd): MaybePromise<PlayedRound> {
    const outcome = answerOf(this.#settings, call, round, end);
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
}

function answerOf(settings: RoundTripSettings, call: Call, round: number, end: RunEnd): Outcome | Fault {
  const { logger } = settings;
  if (end.kind === 'diverged') return divergedCall(call, end.error, logger);
  if (end.kind === 'suspended') {
    if (end.isAbandoned) logAbandoned(call, logger);
    return ask(settings, call, end.recorder, round);
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
  { states, logger }: RoundTripSettings,
  call: Call,
  { journal, asked }: Recorder,
  round: number,
): Outcome {
  const open = asked.map(({ question }) => question);
  try {
    const requestState = states.seal(originOf(call), round, { journal, open });
    return resultOf({ resultType: 'input_required', inputRequests: requestsOf(asked), requestState });
  } catch (error) {
    if (!ToolwrightError.is(error)) throw error;
    const message = `${nameOf(call)} could not ask: ${error.message}`;
    logger?.log({ level: 'error', event: 'question.failed', message, error });
    return failCall(call, 'INTERNAL_ERROR', 'The server cannot keep what the call needs while it asks');
  }
}

function logAbandoned(call: Call, logger: Logger | undefined): void {
  const message =
    `${nameOf(call)} catches what ends its run and asks again and again. It was left behind, with its scope; ` +
    'let errors pass of which isSuspension() is true.';
  logger?.log({ level: 'error', event: 'question.abandoned', message });
}

/** Questions as they stand in a result. */
function requestsOf(asked: readonly AskedQuestion[]): Readonly<Record<string, InputRequest>> {
  return Object.fromEntries(asked.map(({ question, method, params }) => [question.name, { method, params }]));
}

/** The answers to open questions; other responses of the client are ignored. */
function answersOf(open: readonly Question[], responses: PlainObject): readonly Answered[] {
  return open.flatMap((question) => {
    const value = Object.hasOwn(responses, question.name) ? responses[question.name] : undefined;
    return isPlainObject(value) ? [{ ...question, value, isAccepted: false }] : [];
  });
}

/** The questions that got no answer. */
function unanswered(open: readonly Question[], answers: readonly Answered[]): readonly Question[] {
  const names = new Set(answers.map(({ name }) => name));
  return open.filter(({ name }) => !names.has(name));
}

/** Spec 2026-07-28: basic, Error Codes. */
const MISSING_CLIENT_CAPABILITY = -32021;

/** The code and details of a failed call, whether it failed with a result or with an error. */
function failureFactsOf(outcome: Outcome): PlainObject | undefined {
  if (outcome.kind === 'failure') return outcome.error.data;
  if (!isFailure(outcome)) return undefined;
  const { _meta: meta } = outcome.value as { readonly _meta?: unknown };
  const facts = isPlainObject(meta) ? meta[ERROR_META_KEY] : undefined;
  return isPlainObject(facts) ? facts : undefined;
}

/**
 * An outcome as clients of 2026-07-28 expect it: a call that needs what they did not declare fails with an error
 * (spec 2026-07-28: basic, Error Codes).
 */
function withMissingCapability(outcome: Outcome): Outcome {
  const { code, details } = failureFactsOf(outcome) ?? {};
  const required = isPlainObject(details) ? details['required'] : undefined;
  if (code !== 'CLIENT_CAPABILITY_MISSING' || !isPlainObject(required)) return outcome;
  const message = `The call needs client capabilities that were not declared: ${JSON.stringify(required)}`;
  const data = { requiredCapabilities: required };
  return failureOf(new ProtocolError(MISSING_CLIENT_CAPABILITY, message, data));
}
