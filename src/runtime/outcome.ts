import type { CallToolResult } from '../call/call-tool-result.ts';
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

/** The request became a task: it is answered now and ends later. */
export interface AcceptedOutcome {
  readonly kind: 'accepted';
  readonly value: object;
  /** Resolves when the handler is done and its outcome is stored. */
  readonly ended: Promise<void>;
}

export function resultOf(value: object): ResultOutcome {
  return { kind: 'result', value };
}

export function failureOf(error: ProtocolError, result?: CallToolResult): FailureOutcome {
  return result === undefined ? { kind: 'failure', error } : { kind: 'failure', error, result };
}

/** What a client hears of a request that failed (JSON-RPC 2.0, 5.1 Error object). */
export interface WireFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export function wireFailure({ code, message, data }: ProtocolError): WireFailure {
  return data === undefined ? { code, message } : { code, message, data };
}
