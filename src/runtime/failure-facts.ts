import { randomUUID } from 'node:crypto';
import { boundIssues, type Issue } from '../call/issue.ts';
import { jsonView } from '../call/handler-value.ts';
import { isSuspension } from '../call/suspension.ts';
import { thrownMessage, thrownName } from '../call/thrown-message.ts';
import { ToolError } from '../errors/tool-error.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { RouteOptions } from './route-options.ts';

/** The facts of a failed call that a client sees. */
export interface FailureFacts {
  readonly code: string;
  readonly message: string;
  readonly suggestion?: string;
  readonly availableActions?: readonly string[];
  readonly details?: unknown;
  readonly retryAfter?: number;
  /** The id under which the log has what was masked. */
  readonly reference?: string;
}

/** Where a call failed. */
export interface FailurePlace {
  /** For the log: `tasks/create`, or `prompt review`. */
  readonly label: string;
  /** What a masked message calls it. */
  readonly noun: 'action' | 'prompt' | 'resource';
}

/** What a client may know of a throw, declared or not; what was not declared is logged whole. */
export function failureFacts(
  thrown: unknown,
  { label, noun }: FailurePlace,
  context: unknown,
  options: RouteOptions,
): FailureFacts {
  // Its call is answered with the question, whatever becomes of this
  if (isSuspension(thrown)) return { code: 'CANCELLED', message: 'The call waits for its client' };
  if (ToolError.is(thrown)) return declaredFacts(thrown);
  const message = thrownMessage(userError(thrown));
  const signal = signalOf(context);
  if (signal?.aborted === true) {
    if (!isAbortion(thrown, signal))
      logFailure(`${label} failed after it was cancelled: ${message}`, thrown, options);
    return { code: 'CANCELLED', message: 'The call was cancelled' };
  }
  const reference = options.maskErrors ? randomUUID() : undefined;
  logFailure(`${label} failed: ${message}`, thrown, options, reference);
  return reference === undefined
    ? { code: 'INTERNAL_ERROR', message }
    : { code: 'INTERNAL_ERROR', message: `The ${noun} failed. Reference: ${reference}`, reference };
}

/** One line that names everything that is wrong with an input. */
export function validationMessage(issues: readonly Issue[]): string {
  return `Validation failed: ${describeIssues(issues)}`;
}

/** What came is the server's own data, which its declaration just refused to send. */
export function withoutReceived(issues: readonly Issue[]): readonly Issue[] {
  return boundIssues(issues).map(({ received: _received, ...issue }) => issue);
}

export function describeIssues(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => `${path === '' ? '(value)' : path}: ${message}`).join('; ');
}

/** What JSON cannot carry must not turn a declared error into another one: of that, JSON keeps what it can. */
export function sendable(details: unknown): unknown {
  try {
    return jsonView(details);
  } catch {
    return jsonOrNothing(details);
  }
}

function jsonOrNothing(details: unknown): unknown {
  try {
    const text = JSON.stringify(details) as string | undefined;
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What user code threw: a failing provider comes wrapped in a message for developers, with a fix. */
function userError(thrown: unknown): unknown {
  return ToolwrightError.is(thrown) && thrown.cause !== undefined ? thrown.cause : thrown;
}

function declaredFacts({ code, message, facts }: ToolError): FailureFacts {
  const { details, ...others } = facts;
  return { code, message, ...others, details: sendable(details) };
}

function logFailure(message: string, error: unknown, { logger }: RouteOptions, reference?: string): void {
  const record = { level: 'error', event: 'call.failed', message, error } as const;
  logger.log(reference === undefined ? record : { ...record, reference });
}

function signalOf(context: unknown): AbortSignal | undefined {
  const signal = (context as { readonly signal?: unknown } | null | undefined)?.signal;
  return signal instanceof AbortSignal ? signal : undefined;
}

/** True for what a handler throws because it was cancelled, and for nothing else. */
function isAbortion(thrown: unknown, signal: AbortSignal): boolean {
  return thrown === signal.reason || thrownName(thrown) === 'AbortError';
}
