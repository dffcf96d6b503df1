import { brandResult, isHelperResult } from '../call/handler-value.ts';
import type { CallToolResult } from '../call/results.ts';
import type { ProtocolError } from '../call/protocol-error.ts';

/** How a request ends. A bare result could not say all of it. */
export type Outcome = ResultOutcome | FailureOutcome | AcceptedOutcome;

export interface ResultOutcome {
  readonly kind: 'result';
  readonly value: object;
}

/** A client gets a JSON-RPC error. */
export interface FailureOutcome {
  readonly kind: 'failure';
  readonly error: ProtocolError;
  /** What a call inside the process gets instead, where tool results say all that goes wrong. */
  readonly result?: CallToolResult;
}

/** The request became a task: it is answered now, and the call ends later. */
export interface AcceptedOutcome {
  readonly kind: 'accepted';
  readonly value: object;
  /** Resolves when the task has its outcome. */
  readonly ended: Promise<void>;
}

export function resultOf(value: object): ResultOutcome {
  return { kind: 'result', value };
}

export function failureOf(error: ProtocolError, result?: CallToolResult): FailureOutcome {
  return result === undefined ? { kind: 'failure', error } : { kind: 'failure', error, result };
}

/** The result of a tool for who calls it inside the process. @throws ProtocolError of a call that never got to a tool */
export function toolResultOf(outcome: Outcome): CallToolResult {
  if (outcome.kind !== 'failure') {
    const result = outcome.value as CallToolResult;
    return isHelperResult(result) ? result : brandResult(result);
  }
  if (outcome.result === undefined) throw outcome.error;
  return outcome.result;
}

/** True for an error, and for a result that says that the call failed. */
export function isFailure(outcome: Outcome): boolean {
  return outcome.kind === 'failure' || ('isError' in outcome.value && outcome.value.isError === true);
}

/** The error that a client receives for a failed request (JSON-RPC 2.0, 5.1 Error object). */
export interface WireFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export function wireFailure({ code, message, data }: ProtocolError): WireFailure {
  return data === undefined ? { code, message } : { code, message, data };
}
