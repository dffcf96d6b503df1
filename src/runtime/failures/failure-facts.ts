import { randomUUID } from 'node:crypto';
import { boundMessage, MAX_ERROR_BYTES } from '../../call/error-budget.ts';
import { boundIssues } from '../../call/bounded-issues.ts';
import type { Issue } from '../../call/issue.ts';
import { jsonView } from '../../call/handler-value.ts';
import { isSuspension } from '../../call/step.ts';
import { thrownMessage, thrownName } from '../../call/thrown-message.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import type { Logger } from '../../call/logger.ts';
import { LONGEST_BEGINNING, redactText, redactValue, type SensitiveValues } from '../../errors/redact.ts';
import { loggerOfCall } from '../logging/log-records.ts';
import { secretsOf, type SecretSource } from '../logging/call-secrets.ts';
import type { RouteOptions } from '../routes/route-options.ts';

/** The facts of a failed call that a client sees. */
export interface FailureFacts {
  readonly code: string;
  readonly message: string;
  readonly suggestion?: string;
  readonly availableActions?: readonly string[];
  readonly details?: unknown;
  readonly retryAfter?: number;
  /** The id of the log record with the masked error. */
  readonly reference?: string;
}

/** Where a call failed. */
export interface FailurePlace {
  /** Its secrets are not shown. Undefined where it never came to a call. */
  readonly call: SecretSource | undefined;
  /** For the log: `tasks/create`, or `prompt review`. */
  readonly label: string;
  /** How a masked message names the call. */
  readonly noun: 'action' | 'prompt' | 'resource';
}

/** The facts that a client may see of a thrown value; an undeclared error is logged in full. */
export function failureFacts(
  thrown: unknown,
  { label, noun, call }: FailurePlace,
  context: unknown,
  options: RouteOptions,
): FailureFacts {
  // The question answers the call, so this error does not matter
  if (isSuspension(thrown)) return { code: 'CANCELLED', message: 'The call waits for its client' };
  const values = secretsOf(call, options.hidden);
  if (ToolError.is(thrown)) return declaredFacts(thrown, values);
  const message = shownText(thrownMessage(userError(thrown)), values);
  const logger = loggerOfCall(call, options);
  const signal = signalOf(context);
  if (signal?.aborted === true) {
    if (!isAbortion(thrown, signal))
      logFailure(`${label} failed after it was cancelled: ${message}`, thrown, logger);
    return { code: 'CANCELLED', message: 'The call was cancelled' };
  }
  const reference = options.maskErrors ? randomUUID() : undefined;
  logFailure(`${label} failed: ${message}`, thrown, logger, reference);
  return reference === undefined
    ? { code: 'INTERNAL_ERROR', message }
    : { code: 'INTERNAL_ERROR', message: `The ${noun} failed. Reference: ${reference}`, reference };
}

/** An error may quote all that a client has sent; secrets are looked for in what can be shown of it. */
function shownText(text: string, values: SensitiveValues): string {
  if (text.length <= MAX_ERROR_BYTES) return redactText(text, values);
  // What is left of a secret at the end may be too short to be found
  return `${redactText(text.slice(0, MAX_ERROR_BYTES), values).slice(0, -LONGEST_BEGINNING)}…`;
}

/** One line with all issues of an input. */
export function validationMessage(issues: readonly Issue[]): string {
  return `Validation failed: ${describeIssues(issues)}`;
}

/** The issues of a value of the server that are shown, without the secrets of the call. */
export function shownIssues(
  issues: readonly Issue[],
  call: SecretSource | undefined,
  { hidden }: RouteOptions,
): readonly Issue[] {
  return boundIssues(redactValue(issues, secretsOf(call, hidden)) as readonly Issue[]);
}

/** Received values are left out: they are server data that failed its output schema. */
export function withoutReceived(issues: readonly Issue[]): readonly Issue[] {
  return issues.map(({ received: _received, ...issue }) => issue);
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

/** The error of user code: a failing provider's error is wrapped in one for developers. */
function userError(thrown: unknown): unknown {
  return ToolwrightError.is(thrown) && thrown.cause !== undefined ? thrown.cause : thrown;
}

function declaredFacts({ code, message, facts }: ToolError, values: SensitiveValues): FailureFacts {
  const { details, suggestion, ...others } = facts;
  return {
    code: redactText(code, values),
    message: shownText(message, values),
    ...(suggestion === undefined ? {} : { suggestion: shownText(suggestion, values) }),
    ...others,
    details: redactValue(sendable(details), values),
  };
}

function logFailure(message: string, error: unknown, logger: Logger, reference?: string): void {
  const record = { level: 'error', event: 'call.failed', message: boundMessage(message), error } as const;
  logger.log(reference === undefined ? record : { ...record, reference });
}

function signalOf(context: unknown): AbortSignal | undefined {
  const signal = (context as { readonly signal?: unknown } | null | undefined)?.signal;
  return signal instanceof AbortSignal ? signal : undefined;
}

/** True only for an error that a handler throws because it was cancelled. */
function isAbortion(thrown: unknown, signal: AbortSignal): boolean {
  return thrown === signal.reason || thrownName(thrown) === 'AbortError';
}
