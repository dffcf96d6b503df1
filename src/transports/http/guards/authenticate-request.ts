import { Buffer } from 'node:buffer';
import type { AuthInfo } from '../../../call/request-context.ts';
import type { Logger } from '../../../call/logger.ts';
import { jsonRpcCodes } from '../../../engine/json-rpc/json-rpc-error.ts';
import { AuthenticationError } from '../../authentication-error.ts';
import type { HttpHandlerOptions } from '../http-options.ts';
import { HttpRefusal } from '../http-answer.ts';
import type { HttpExchange } from '../http-exchange.ts';
import { catchMaybe, thenMaybe, toMaybePromise, type MaybePromise } from '../../../shared/maybe-promise.ts';
import { showValue, thrownMessage } from '../../../call/thrown-message.ts';
import type { HeaderReader } from '../../../engine/revision.ts';

/** The caller. A verifier that answers at once costs no promise. @throws HttpRefusal */
export function authenticateRequest(
  request: HttpExchange,
  authenticate: NonNullable<HttpHandlerOptions['authenticate']>,
  logger: Logger,
): MaybePromise<AuthInfo> {
  const { method, url, headers } = request;
  const accept = (given: unknown): AuthInfo => {
    if (!isAuthInfo(given)) {
      if (typeof given === 'object' && given !== null) reportIncomplete(logger);
      throw new AuthenticationError(401);
    }
    if ((given.expiresAt ?? Infinity) > Date.now() / 1000) return given;
    throw new AuthenticationError(401, { error: 'invalid_token', description: 'The token has expired' });
  };
  return catchMaybe(
    () => {
      const asked = { method, url: url.href, headers: request.headerRecord() };
      return thenMaybe(toMaybePromise(authenticate(asked)), accept);
    },
    (cause) => {
      throw refusalOf(cause, headers, logger);
    },
  );
}

/** Checks the value at run time: whatever passes here has access to the server. */
function isAuthInfo(value: unknown): value is AuthInfo {
  if (typeof value !== 'object' || value === null) return false;
  const { token, clientId, expiresAt } = value as Readonly<Record<string, unknown>>;
  const isTimely = expiresAt === undefined || Number.isFinite(expiresAt);
  return typeof token === 'string' && typeof clientId === 'string' && isTimely;
}

function reportIncomplete(logger: Logger): void {
  const message = 'authenticate gave an object without a token, a client id, or a number as expiresAt.';
  logger.log({ level: 'warning', event: 'http.authenticate', message });
}

function refusalOf(cause: unknown, headers: HttpExchange['headers'], logger: Logger): HttpRefusal {
  if (AuthenticationError.is(cause)) {
    const challenge = challengeOf(cause, headers.has('authorization'));
    return new HttpRefusal(cause.status, cause.message, { headers: { 'www-authenticate': challenge } });
  }
  const shown = hideCredentials(cause, headers);
  const message = `authenticate failed: ${shown.message}`;
  logger.log({ level: 'warning', event: 'http.authenticate', message, cause: shown.cause });
  return new HttpRefusal(500, 'Internal error', { code: jsonRpcCodes.internalError });
}

/** The header's value. RFC 6750, 3: no error code for a client that sent no token at all. */
function challengeOf({ status, options }: AuthenticationError, hasToken: boolean): string {
  const usual = status === 403 ? 'insufficient_scope' : hasToken ? 'invalid_token' : undefined;
  const parameters = {
    error: options.error ?? usual,
    error_description: options.description,
    scope: options.scope,
    resource_metadata: options.resourceMetadata,
  };
  const written = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${quotable(value)}"`],
  );
  return written.length === 0 ? 'Bearer' : `Bearer ${written.join(', ')}`;
}

/** RFC 6750, 3: these values hold printable ASCII without quotes and backslashes. */
function quotable(value: string): string {
  return value
    .replaceAll('"', "'")
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[^\x20-\x7e]|\\/g, '');
}

/** Shorter parts of credentials are words such as `Bearer`. */
const SHORTEST_SECRET = 7;
/** A limit, because each credential is searched for in the whole text, and the client chooses how many there are. */
const MOST_SECRETS = 300;
const NOT_SEARCHED = 'its message is not shown: the request carries more credentials than are looked for';

/** The form of an error of `authenticate` that may be logged. */
interface ShownError {
  readonly message: string;
  readonly cause: unknown;
}

/** The error itself, or its text without the credentials in it. */
function hideCredentials(cause: unknown, headers: HeaderReader): ShownError {
  const secrets = credentialsOf(headers);
  if (secrets.length > MOST_SECRETS) return { message: NOT_SEARCHED, cause: withoutMessage(cause) };
  const told = thrownMessage(cause);
  const message = withoutSecrets(told, secrets);
  const shown = showValue(cause);
  const safe = withoutSecrets(shown, secrets);
  return { message, cause: safe === shown ? cause : errorOf(message, safe) };
}

/** The credentials of a request: whole, in parts, and decoded. */
function credentialsOf(headers: HeaderReader): readonly string[] {
  const values = [...headers].flatMap(([name, value]) =>
    /auth|cookie|key|token|secret/i.test(name) ? [value] : [],
  );
  const parts = values.flatMap((value) => [value, ...value.split(/\s+/), ...value.split(/[\s;,=.]+/)]);
  const decoded = parts.flatMap((part) => {
    const text = Buffer.from(part, 'base64').toString();
    return [text, ...text.split(':')];
  });
  const found = [...parts, ...decoded].filter((part) => part.length >= SHORTEST_SECRET);
  // The longest first, so that no part of one is left beside the mark
  return [...new Set(found)].sort((left, right) => right.length - left.length);
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '[credential]'), text);
}

/** The error's class and call site; everything else may come from the request. */
function withoutMessage(cause: unknown): unknown {
  if (!(cause instanceof Error)) return undefined;
  const { message, stack = '' } = cause;
  const place = stack.indexOf(message);
  // Behind the message, which may have lines that look like frames
  const frames = place === -1 ? '' : stack.slice(place + message.length);
  return errorOf(NOT_SEARCHED, `${cause.constructor.name}: ${NOT_SEARCHED}${frames}`);
}

function errorOf(message: string, stack: string): Error {
  const error = new Error(message);
  error.stack = stack;
  return error;
}
