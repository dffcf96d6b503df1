import { INTERNAL_ERROR, ProtocolError } from '../call/protocol-error.ts';
import { ToolError } from '../errors/tool-error.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { Call } from '../kernel/call/call.ts';
import { failureOf, refusalOf, type Outcome } from '../kernel/call/outcome.ts';

/** A call that is not passed on. */
export class RefusedByProxy extends Error {
  readonly code: keyof typeof SENTENCES | 'CONCURRENCY_LIMITED';
  readonly retryAfter: number | undefined;

  constructor(code: RefusedByProxy['code'], message: string, retryAfter?: number) {
    super(message);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

const CODES: Readonly<Record<string, keyof typeof SENTENCES>> = {
  TW_CLIENT_UNAUTHORIZED: 'UPSTREAM_REFUSED',
  TW_CLIENT_ANSWER: 'UPSTREAM_ANSWER',
  TW_CLIENT_LIMIT: 'UPSTREAM_ANSWER',
};

const SENTENCES = {
  UPSTREAM_UNAVAILABLE: 'cannot be reached now; if the call had begun, nobody knows how it ended',
  UPSTREAM_REFUSED: 'refused the call',
  UPSTREAM_ANSWER: 'gave an answer that cannot be passed on',
} as const;

/**
 * How a call ends whose proxied server gave no result. What the server said itself is passed on; where it is, and why it
 * cannot be reached, is for the log.
 * @param server how messages call it
 */
export function failedOutcome(thrown: unknown, call: Call, server: string): Outcome {
  if (ProtocolError.is(thrown)) return failureOf(thrown);
  const { code, message, retryAfter } = readFailure(thrown, call, server);
  const data = retryAfter === undefined ? { code } : { code, retryAfter };
  return refusalOf(new ProtocolError(INTERNAL_ERROR, message, data), call.origin);
}

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly retryAfter?: number | undefined;
}

function readFailure(thrown: unknown, call: Call, server: string): Failure {
  if (call.isCancelled) return { code: 'CANCELLED', message: 'The call was cancelled' };
  if (thrown instanceof RefusedByProxy) return thrown;
  // A question that its client cannot be asked
  if (ToolError.is(thrown)) return { code: thrown.code, message: thrown.message };
  if (!ToolwrightError.is(thrown)) throw thrown;
  const code = CODES[thrown.code] ?? 'UPSTREAM_UNAVAILABLE';
  return { code, message: `The server "${server}" ${SENTENCES[code]}` };
}
