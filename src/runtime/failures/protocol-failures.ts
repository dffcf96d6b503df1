import { failureResult, withAvailable } from '../../call/result-helpers.ts';
import { fitNames } from '../../call/error-budget.ts';
import { quoteText, type Issue } from '../../call/issue.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, ProtocolError } from '../../call/protocol-error.ts';
import { suggestionFor } from '../../shared/did-you-mean.ts';
import { isPlainObject } from '../../shared/json.ts';
import { REDACTED, redactText, redactValue, type SensitiveValues } from '../../errors/redact.ts';
import { loggerOfCall, type CallLogging } from '../logging/log-records.ts';
import { secretsOf, type SecretSource } from '../logging/call-secrets.ts';
import type { RouteOptions } from '../routes/route-options.ts';
import {
  describeIssues,
  failureFacts,
  sendable,
  shownIssues,
  withoutReceived,
  validationMessage,
  type FailurePlace,
} from './failure-facts.ts';
import type { Call } from '../../kernel/call/call.ts';
import { failureOf, resultOf, type Outcome } from '../../kernel/call/outcome.ts';
import type { Origin } from '../../kernel/call/service-request.ts';

/** A call of a prompt, resource or completing method, as its errors name it. */
export interface PrimitivePlace extends FailurePlace {
  readonly noun: 'prompt' | 'resource';
}

export function placeOf(noun: PrimitivePlace['noun'], name: string, call: SecretSource): PrimitivePlace {
  return { noun, label: `${noun} ${name}`, call };
}

/** The error of an unknown or hidden name; the two must not differ. */
export function unknownName(kind: string, name: string, available: readonly string[]): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, withAvailable(`Unknown ${kind} ${quoteText(name)}`, available), {
    ...suggestionFor(name, available),
    available: fitNames(available),
  });
}

/** The limit for a URI that is repeated in an error. */
const LONGEST_SHOWN = 200;

/** What an error repeats of a URI, which may be as long as a request. */
export function shownUri(uri: string): string {
  return uri.length > LONGEST_SHOWN ? `${uri.slice(0, LONGEST_SHOWN)}…` : uri;
}

/** What is said of the URI that a call names: a value in it may be sensitive. */
export function calledUri({ params, hidesUri }: Pick<Call, 'params' | 'hidesUri'>): string {
  return hidesUri === true ? REDACTED : shownUri(String(params['uri']));
}

/** The error of a URI without a resource (spec: server/resources, Error Handling). */
export function resourceNotFound(
  call: Pick<Call, 'params' | 'hidesUri'>,
  fixed: Iterable<string> = [],
): ProtocolError {
  const shown = calledUri(call);
  return new ProtocolError(INVALID_PARAMS, `Resource not found: ${shown}`, {
    uri: shown,
    ...suggestionFor(String(call.params['uri']), fixed),
  });
}

export function invalidArguments(issues: readonly Issue[]): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, validationMessage(issues), { code: 'VALIDATION_FAILED', issues });
}

/** The error of a handler that returned a value of the wrong kind; it is logged as well. */
export function invalidValue(
  { label, call }: PrimitivePlace,
  given: readonly Issue[],
  options: RouteOptions,
): ProtocolError {
  const found = shownIssues(given, call, options);
  const issues = withoutReceived(found);
  const message = describeIssues(issues);
  const logged = `${label} returned what its kind does not give`;
  loggerOfCall(call, options).log({
    level: 'error',
    event: 'call.invalid-output',
    message: logged,
    issues: found,
  });
  return new ProtocolError(INTERNAL_ERROR, `[${label}] ${message}`, { code: 'INVALID_OUTPUT', issues });
}

/** The error of a throw: what user code declared for clients, or the message alone. */
export function failedPrimitive(
  thrown: unknown,
  place: PrimitivePlace,
  context: unknown,
  options: RouteOptions,
): ProtocolError {
  if (ProtocolError.is(thrown)) return sendableError(thrown, secretsOf(place.call, options.hidden));
  const { message, ...facts } = failureFacts(thrown, place, context, options);
  const data = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return new ProtocolError(INTERNAL_ERROR, `[${place.label}] ${message}`, data);
}

/** The code and data of a user's error that a client gets: no reserved codes of MCP, and only JSON data. */
export function sendableError(
  { code, message, data }: ProtocolError,
  values: SensitiveValues,
): ProtocolError {
  const plain = redactValue(sendable(data), values);
  return new ProtocolError(
    isOwnCode(code) ? code : INTERNAL_ERROR,
    redactText(message, values),
    isPlainObject(plain) ? plain : undefined,
  );
}

/** MCP reserves -32020 to -32099 for itself (spec: basic, Error Codes). */
function isOwnCode(code: unknown): boolean {
  return Number.isSafeInteger(code) && !((code as number) <= -32020 && (code as number) >= -32099);
}

/** Answers a request that failed outside of its handler; the error is logged in full. */
export function answerFault(
  call: SecretSource & { readonly origin: Origin },
  cause: unknown,
  logging: CallLogging,
): Outcome {
  if (ProtocolError.is(cause)) return failureOf(cause);
  const { method, params } = call.origin;
  const logger = loggerOfCall(call, logging);
  if (method === 'tools/call') {
    const tool = String(params['name']);
    logger.log({ level: 'error', event: 'call.escaped', message: `The call of ${tool} broke.`, tool, cause });
    const message = 'The server failed while it answered the call';
    const headline = `[${tool}] ${message}`;
    return resultOf(failureResult({ code: 'INTERNAL_ERROR', message, headline, tool }));
  }
  const message = `${method} could not be answered.`;
  logger.log({ level: 'error', event: 'request.failed', message, method, cause });
  return failureOf(new ProtocolError(INTERNAL_ERROR, `The server failed while it answered ${method}`));
}

export const SHUT_DOWN = 'The server was shut down';

/** Whether a call was cancelled by the end of its server, and not by its client. */
export function isShutDown(reason: unknown): boolean {
  return reason instanceof Error && reason.message === SHUT_DOWN;
}

/** Answers a request in the place of a handler that the shutdown does not wait for. */
export function shutDownOutcome({ method, params }: Origin): Outcome {
  if (method !== 'tools/call') {
    return failureOf(new ProtocolError(INTERNAL_ERROR, SHUT_DOWN, { code: 'CANCELLED' }));
  }
  const tool = String(params['name']);
  const headline = `[${tool}] ${SHUT_DOWN}`;
  return resultOf(failureResult({ code: 'CANCELLED', message: SHUT_DOWN, headline, tool }));
}
