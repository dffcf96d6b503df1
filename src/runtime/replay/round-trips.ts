import { askedVersions } from '../../call/call-context.ts';
import { failureResult } from '../../call/result-helpers.ts';
import type { Logger } from '../../call/logger.ts';
import { INTERNAL_ERROR, ProtocolError } from '../../call/protocol-error.ts';
import { ownerOf, subjectKey, subjectOf } from '../../call/subject.ts';
import type { InputRequest } from '../../call/results.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import { ownedKey } from '../../shared/owners/owned-key.ts';
import type { Call, Handle, Replayer } from '../../kernel/call/call.ts';
import type { Charge } from '../routes/route.ts';
import {
  failureFactsOf,
  failureOf,
  isFailure,
  refusalOf,
  resultOf,
  type Outcome,
} from '../../kernel/call/outcome.ts';
import type { Store } from '../store/store.ts';
import { answerOnce, type AnswerSettings, type PlayedRound } from './answer-once.ts';
import {
  digestOf,
  type Answered,
  type AskedQuestion,
  type Question,
} from '../../kernel/call/replay/journal.ts';
import type { Recorder } from '../../kernel/call/replay/recorder.ts';
import {
  isStoreAway,
  type RequestState,
  type RequestStates,
} from '../../kernel/call/replay/request-states.ts';
import { endOf, endOfThrow, runOnce, unlessFault, type Fault, type RunEnd } from './run-once.ts';

/** What the rounds of all calls share. */
export interface RoundTripSettings extends AnswerSettings {
  readonly states: RequestStates;
  readonly store: Store;
}

/** Asks by the answers to requests, and answers each round once (spec 2026-07-28: basic/patterns/mrtr). */
export class RoundTrips implements Replayer {
  readonly #settings: RoundTripSettings;
  readonly #run: Handle;
  readonly #charge: Charge | undefined;

  /** @param charge counts answers that were given before */
  constructor(settings: RoundTripSettings, run: Handle, charge?: Charge) {
    this.#settings = settings;
    this.#run = run;
    this.#charge = charge;
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
    const owner = ownerOf(authInfo);
    const given = {
      id: ownedKey(owner, state.id),
      digest: digestOf(answers.map(({ name, value }) => [name, value])),
      owner,
      signal,
      onRepeat: () => this.#charge?.(call),
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
    try {
      return await unlessFault(answerOnce(store, given, play, this.#settings));
    } catch (thrown) {
      if (ProtocolError.is(thrown) && isStoreAway(thrown)) return refusalOf(thrown, call.origin);
      throw thrown;
    }
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

/** The name of the tool or prompt that is called, or the URI of the resource. */
function targetOf({ params }: Call): string {
  return String(params['name'] ?? params['uri']);
}

/** Identifies caller, target and arguments: only the same ones may resume the call. */
export function originOf(call: Call): string {
  const { authInfo, params } = call;
  const { method } = call.origin;
  const subject = authInfo === undefined ? null : subjectKey(subjectOf(authInfo));
  // An answer goes to the version that asked
  const versions = method === 'tools/call' ? askedVersions(call) : undefined;
  const facts = [subject, method, targetOf(call), params['arguments'] ?? {}];
  return digestOf(versions === undefined ? facts : [...facts, versions]);
}

/** How logs and errors name a call. */
function nameOf(call: Call): string {
  return `${call.origin.method} ${targetOf(call)}`;
}

/** The answer to a call that cannot be resumed: an error result for tools, otherwise an error. */
function failCall(call: Call, code: 'REPLAY_DIVERGED' | 'INTERNAL_ERROR', message: string): Outcome {
  const target = targetOf(call);
  const headline = `[${target}] ${message}`;
  return call.origin.method === 'tools/call'
    ? resultOf(failureResult({ code, message, headline, tool: target }))
    : failureOf(new ProtocolError(INTERNAL_ERROR, headline, { code }));
}

/** The answer to a call whose handler has diverged; the log has the difference. */
export function divergedCall(call: Call, error: ToolwrightError, logger: Logger | undefined): Outcome {
  const message = `${nameOf(call)} could not go on: ${error.message}`;
  logger?.log({ level: 'error', event: 'question.diverged', message, error });
  return failCall(
    call,
    'REPLAY_DIVERGED',
    'The call did something else when it ran again with the answers; call it again from the start',
  );
}
