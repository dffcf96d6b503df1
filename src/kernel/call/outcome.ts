import { boundDetails, boundMessage } from '../../call/error-budget.ts';
import { ERROR_META_KEY, failureResult } from '../../call/result-helpers.ts';
import { brandResult, isHelperResult } from '../../call/handler-value.ts';
import type { CallToolResult } from '../../call/results.ts';
import { DEPRECATED_META_KEY, VERSION_META_KEY } from '../../call/action-options.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { ProtocolError } from '../../call/protocol-error.ts';

/** How a request ends. */
export type Outcome = ResultOutcome | FailureOutcome | AcceptedOutcome | StandingOutcome;

export interface ResultOutcome {
  readonly kind: 'result';
  readonly value: object;
  /** The value as its client gets it, where it is the same for each request; undefined where it has to be written. */
  readonly encoded: EncodedResult | undefined;
}

/** A client gets a JSON-RPC error. */
export interface FailureOutcome {
  readonly kind: 'failure';
  readonly error: ProtocolError;
  /** What a call inside the process gets instead, where tool results say all that goes wrong. */
  readonly result: CallToolResult | undefined;
  /** Status and headers of the HTTP response; undefined for the defaults. */
  readonly challenge: Challenge | undefined;
}

/** The status of the HTTP response to a request that was refused, with what its client needs to try again. */
export interface Challenge {
  readonly status: 401 | 403 | 503;
  /** Such as `WWW-Authenticate` and `Retry-After` (RFC 9110, 11.6.1 and 10.2.3). */
  readonly headers: Readonly<Record<string, string>>;
}

/** The request became a task: it is answered now, and the call ends later. */
export interface AcceptedOutcome {
  readonly kind: 'accepted';
  readonly value: object;
  /** Resolves when the task has its outcome. */
  readonly ended: Promise<void>;
}

/** The request stays open and sends notifications, until either side ends it. */
export interface StandingOutcome {
  readonly kind: 'standing';
  /** The result, when it ends. */
  readonly value: object;
  /**
   * Starts the notifications.
   * @returns a function that ends them; undefined where there will never be any
   */
  open(sink: StandingSink): (() => void) | undefined;
}

/** Where the notifications of a request go that stays open. */
export interface StandingSink {
  notify(method: string, params: PlainObject): void;
}

/** Always with the same members, because engines read objects of one shape fast. */
export function resultOf(value: object, encoded?: EncodedResult): ResultOutcome {
  return { kind: 'result', value, encoded };
}

export function failureOf(error: ProtocolError, result?: CallToolResult): FailureOutcome {
  return { kind: 'failure', error, result, challenge: undefined };
}

/**
 * Refuses a request with a status. Names of headers are written in lower case. Of values, what no header can carry
 * becomes a question mark; headers that frame the response stay the server's.
 */
export function challengeOf(error: ProtocolError, { status, headers }: Challenge): FailureOutcome {
  const written = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value.replace(/[^\t\x20-\x7e]/g, '?')] as const)
    .filter(([name]) => HEADER_NAME.test(name) && !FRAMING.has(name));
  const challenge = Object.freeze({ status, headers: Object.freeze(Object.fromEntries(written)) });
  return { kind: 'failure', error, result: undefined, challenge };
}

/** RFC 9110, 5.6.2 Tokens. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection']);

interface MethodWithParams {
  readonly method: string;
  readonly params?: PlainObject;
}

/**
 * The outcome where no response has a status of its own: over stdio, for attached servers and calls inside the process,
 * in a batch, and on a stream that has begun. A refused call of a tool has an error result then, which its model reads.
 */
export function withoutChallenge(outcome: Outcome, { method, params }: MethodWithParams): Outcome {
  if (outcome.kind !== 'failure' || outcome.challenge === undefined) return outcome;
  const { error } = outcome;
  if (method !== 'tools/call') return failureOf(error);
  const tool = String(params?.['name']);
  const { code = 'INTERNAL_ERROR', action, retryAfter, suggestion } = error.data ?? {};
  const place = typeof action === 'string' ? { tool, action } : { tool };
  const result = failureResult({
    code: String(code),
    message: error.message,
    headline: `[${Object.values(place).join('/')}] ${error.message}`,
    ...place,
    retryAfter: typeof retryAfter === 'number' ? retryAfter : undefined,
    suggestion: typeof suggestion === 'string' ? suggestion : undefined,
  });
  const asked = outcome.challenge.headers['www-authenticate'];
  if (asked === undefined) return resultOf(result);
  return resultOf({ ...result, _meta: { ...result._meta, [CHALLENGES_META_KEY]: [asked] } });
}

/** Hosts that begin a sign-in from the result of a call look for the challenges here. */
const CHALLENGES_META_KEY = 'mcp/www_authenticate';

const NO_CHALLENGE: Challenge = Object.freeze({ status: 403, headers: Object.freeze({}) });

/** Refuses a request without a status of its own: with the result of a tool, or an error. */
export function refusalOf(error: ProtocolError, request: MethodWithParams): Outcome {
  return withoutChallenge({ ...failureOf(error), challenge: NO_CHALLENGE }, request);
}

/**
 * The result of a tool call inside the process.
 * @throws ProtocolError of a call that did not reach a tool
 */
export function toolResultOf(given: Outcome, request: MethodWithParams): CallToolResult {
  const outcome = given.kind === 'failure' ? withoutChallenge(given, request) : given;
  if (outcome.kind !== 'failure') {
    const result = outcome.value as CallToolResult;
    return isHelperResult(result) ? result : brandResult(result);
  }
  if (outcome.result === undefined) throw outcome.error;
  return outcome.result;
}

interface Versioned {
  readonly version?: string | undefined;
  readonly deprecated?: unknown;
}

/** The outcome of an action, which says in its `_meta` which version ran, and that it is deprecated. */
export function addVersionMeta(outcome: Outcome, action: Versioned): Outcome {
  const { version, deprecated } = action;
  if (version === undefined && deprecated === undefined) return outcome;
  if (outcome.kind !== 'failure') return resultOf(withVersion(outcome.value as CallToolResult, action));
  return { ...outcome, result: outcome.result && withVersion(outcome.result, action) };
}

function withVersion(result: CallToolResult, { version, deprecated }: Versioned): CallToolResult {
  return {
    ...result,
    _meta: {
      ...result._meta,
      ...(version === undefined ? {} : { [VERSION_META_KEY]: version }),
      ...(deprecated === undefined ? {} : { [DEPRECATED_META_KEY]: deprecated }),
    },
  };
}

/** True for an error, and for a result that says that the call failed. */
export function isFailure(outcome: Outcome): boolean {
  return outcome.kind === 'failure' || ('isError' in outcome.value && outcome.value.isError === true);
}

/** The code and details of a failed call, whether it failed with a result or with an error. */
export function failureFactsOf(outcome: Outcome): PlainObject | undefined {
  if (outcome.kind === 'failure') return outcome.error.data;
  if (!isFailure(outcome)) return undefined;
  const { _meta: meta } = outcome.value as { readonly _meta?: unknown };
  const facts = isPlainObject(meta) ? meta[ERROR_META_KEY] : undefined;
  return isPlainObject(facts) ? facts : undefined;
}

/** How the results of one revision are written. */
export interface ResultEncoder {
  /** Undefined where results go out as they are. */
  encode?(method: string, result: PlainObject): object;
  /** Undefined where errors go out as they are. */
  encodeError?(error: WireFailure): WireFailure;
}

const encoder = new TextEncoder();

/** A constant result, serialized once as text and once as bytes. */
export class EncodedResult {
  readonly result: object;
  readonly json: string;
  #bytes: Uint8Array | undefined;

  /** @throws the error of JSON.stringify for a result that JSON cannot carry */
  constructor(result: object) {
    this.result = result;
    this.json = JSON.stringify(result);
  }

  /** Created when it is first sent as bytes. */
  get bytes(): Uint8Array {
    return (this.#bytes ??= encoder.encode(this.json));
  }
}

/** The error that a client receives for a failed request (JSON-RPC 2.0, 5.1 Error object). */
export interface WireFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export function wireFailure({ code, message, data }: ProtocolError): WireFailure {
  const shown = boundMessage(message);
  if (data === undefined) return { code, message: shown };
  const details = boundDetails(data);
  return { code, message: shown, data: details === data ? data : { code: data['code'], details } };
}

/** An outcome as stores keep it: JSON, if its result is. */
export type KeptOutcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: PlainObject } };

export function keptOf(outcome: Outcome): KeptOutcome {
  return outcome.kind === 'failure' ? errorOf(outcome.error) : { result: outcome.value };
}

function errorOf({ code, message, data }: ProtocolError): KeptOutcome {
  return { error: { code, message, ...(data === undefined ? {} : { data }) } };
}

/** @param local what a call inside the process gets in place of an error */
export function outcomeOf(kept: KeptOutcome, local?: CallToolResult): Outcome {
  if ('result' in kept) return resultOf(kept.result as object);
  const { code, message, data } = kept.error;
  return failureOf(new ProtocolError(code, message, data), local);
}
