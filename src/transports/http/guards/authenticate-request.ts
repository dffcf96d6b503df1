import { Buffer } from 'node:buffer';
import type { AuthInfo } from '../../../call/request-context.ts';
import type { Logger } from '../../../call/logger.ts';
import { jsonRpcCodes } from '../../../engine/json-rpc/json-rpc-error.ts';
import { AuthenticationError } from '../../../errors/authentication-error.ts';
import { bearerChallenge } from '../../../runtime/auth/challenge.ts';
import { ResourceServer } from '../../../runtime/auth/resource-server.ts';
import { faultOfCaller } from '../../../runtime/auth/verified-caller.ts';
import type { PlainObject } from '../../../shared/json.ts';
import type { HttpHandlerOptions } from '../http-options.ts';
import { challengeAt, HttpRefusal, type PlainAnswer, type RefusalOptions } from '../http-answer.ts';
import type { SurfaceSettings } from '../../../compile/surfaces/surface.ts';
import { notServed } from './check-head.ts';
import { splitSurface } from './choose-surface.ts';
import type { HttpExchange } from '../http-exchange.ts';
import { catchMaybe, thenMaybe, toMaybePromise, type MaybePromise } from '../../../shared/maybe-promise.ts';
import { showValue, thrownMessage } from '../../../call/thrown-message.ts';
import type { HeaderReader } from '../../../engine/revision.ts';

/** The caller; undefined for an anonymous one. A verifier that answers at once costs no promise. @throws HttpRefusal */
export function authenticateRequest(
  request: HttpExchange,
  authenticator: NonNullable<HttpHandlerOptions['authenticate']> | ResourceServer,
  logger: Logger,
): MaybePromise<AuthInfo | undefined> {
  return catchMaybe(
    () =>
      authenticator instanceof ResourceServer
        ? authenticator.callerOf(request)
        : askHook(request, authenticator, logger),
    (cause) => {
      throw refusalOf(cause, request, authenticator, logger);
    },
  );
}

function askHook(
  request: HttpExchange,
  authenticate: NonNullable<HttpHandlerOptions['authenticate']>,
  logger: Logger,
): MaybePromise<AuthInfo> {
  const { method, url } = request;
  const asked = { method, url: url.href, headers: request.headerRecord() };
  return thenMaybe(toMaybePromise(authenticate(asked)), (given) => {
    const missing = faultOfCaller(given);
    if (missing !== undefined) {
      if (typeof given === 'object' && given !== null) reportIncomplete(missing, logger);
      throw new AuthenticationError(401);
    }
    const caller = withScopes(given as AuthInfo);
    if ((caller.expiresAt ?? Infinity) > Date.now() / 1000) return caller;
    throw new AuthenticationError(401, { error: 'invalid_token', description: 'The token has expired' });
  });
}

/** One that names no scopes has none. */
function withScopes(caller: AuthInfo): AuthInfo {
  const { scopes } = caller as Partial<AuthInfo>;
  return scopes === undefined ? { ...caller, scopes: [] } : caller;
}

function reportIncomplete(missing: string, logger: Logger): void {
  const message = `authenticate gave an object without ${missing}.`;
  logger.log({ level: 'warning', event: 'http.authenticate', message });
}

/** What cannot be verified now is refused with 503: with 401, a client would throw a good token away. */
function refusalOf(
  cause: unknown,
  request: HttpExchange,
  authenticator: unknown,
  logger: Logger,
): HttpRefusal {
  const isExpected = AuthenticationError.is(cause);
  if (isExpected && cause.status !== 503) return refusedFor(cause, request, authenticator, logger);
  const shown = hideCredentials(cause, request.headers);
  const message = isExpected ? shown.message : `authenticate failed: ${shown.message}`;
  logger.log({ level: 'warning', event: 'http.authenticate', message, cause: shown.cause });
  const { retryAfter = RETRY_AFTER } = isExpected ? cause.options : {};
  return new HttpRefusal(503, 'The caller cannot be verified now', {
    code: jsonRpcCodes.internalError,
    headers: { 'retry-after': String(retryAfter) },
    counted: failure('unavailable'),
  });
}

function refusedFor(
  cause: AuthenticationError,
  request: HttpExchange,
  authenticator: unknown,
  logger: Logger,
): HttpRefusal {
  const { status, message, options } = cause;
  const server = authenticator instanceof ResourceServer ? authenticator : undefined;
  const hasToken = server?.bringsCredential(request) ?? request.headers.has('authorization');
  if (hasToken) reportRefused(cause, request.headers, logger);
  const error = options.error ?? usualError(status, hasToken) ?? '';
  return new HttpRefusal(status, message, {
    headers: { 'www-authenticate': challengeAt(challengeOf(cause, hasToken, server), request.checked) },
    counted: failure(REASONS[error] ?? 'missing_token'),
  });
}

/** Only the log says why. A request without a credential is how each client begins to sign in. */
function reportRefused(error: AuthenticationError, headers: HeaderReader, logger: Logger): void {
  const { status, message, options } = error;
  const secrets = credentialsOf(headers);
  const isSearched = secrets.length <= MOST_SECRETS;
  const reason = isSearched ? withoutSecrets(options.reason ?? message, secrets) : NOT_SEARCHED;
  const said = `The credential of a request was refused with ${status}.`;
  logger.log({ level: 'warning', event: 'auth.credential-refused', message: said, reason });
}

/** What a hook gives is not counted under every name that it may have. */
const REASONS: Readonly<Record<string, string>> = {
  invalid_token: 'invalid_token',
  invalid_dpop_proof: 'invalid_token',
  invalid_request: 'invalid_request',
  insufficient_scope: 'insufficient_scope',
};

function failure(reason: string): NonNullable<RefusalOptions['counted']> {
  return ['toolwright.auth.failures', { reason }];
}

/** In seconds. */
const RETRY_AFTER = 5;

/** The header's value. RFC 6750, 3: no error code for a client that sent no token at all. */
function challengeOf(
  { status, options }: AuthenticationError,
  hasToken: boolean,
  server: ResourceServer | undefined,
): string {
  const error = options.error ?? usualError(status, hasToken);
  const { description, scope, resourceMetadata } = options;
  const challenge = { error, description: error === undefined ? undefined : description, scope };
  if (server === undefined) return bearerChallenge({ ...challenge, description, resourceMetadata });
  return server.challenge(status === 401 ? { ...challenge, scope: scope ?? server.firstScope } : challenge);
}

function usualError(status: AuthenticationError['status'], hasToken: boolean): string | undefined {
  if (status === 403) return 'insufficient_scope';
  if (status === 400) return 'invalid_request';
  return hasToken ? 'invalid_token' : undefined;
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
    /auth|cookie|dpop|key|token|secret/i.test(name) ? [value] : [],
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

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const METHODS = 'GET, HEAD, OPTIONS';
// Pages of every origin may read it (RFC 9728, 3.1), with the headers that MCP clients send
const SHARED = Object.freeze({
  'access-control-allow-origin': '*',
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': '*',
});

/**
 * The path that a request has to have: its own, where the endpoint has one for each tenant.
 * @throws HttpRefusal for one that is of no tenant, also if it has the letters of the option
 */
export function endpointPath(
  { path }: { readonly path: string },
  auth: ResourceServer | undefined,
  settings: { readonly path: string | undefined },
): string | undefined {
  if (auth?.tenants === undefined) return settings.path;
  if (auth.tenants.at(path) === undefined) throw notServed(auth.tenants.path);
  return path;
}

/** Says who may issue tokens for the server (RFC 9728, 3); undefined for a request to another path. */
export function metadataAnswer(
  { path, method }: { readonly path: string; readonly method: string },
  server: ResourceServer | undefined,
  surfaces?: SurfaceSettings,
): PlainAnswer | undefined {
  if (server === undefined || !path.startsWith(WELL_KNOWN)) return undefined;
  const find = (whole: string) => metadataAt(whole, server.at({ path: whole.slice(WELL_KNOWN.length) }));
  const at = splitSurface(path, surfaces, (whole) => find(whole) !== undefined);
  const given = find(at.path);
  // A client compares the resource with the URL that it was given (RFC 9728, 3.3)
  const metadata =
    at.surface === undefined || given === undefined
      ? given
      : { ...given, resource: `${String(given['resource'])}/${at.surface}` };
  if (metadata === undefined) return undefined;
  if (method === 'OPTIONS') return { status: 204, headers: SHARED, text: '' };
  if (method !== 'GET' && method !== 'HEAD') {
    return { status: 405, headers: { ...SHARED, allow: METHODS }, text: '' };
  }
  const headers = { ...SHARED, 'content-type': 'application/json', 'cache-control': 'max-age=3600' };
  return { status: 200, headers, text: JSON.stringify(metadata) };
}

function metadataAt(path: string, auth: ResourceServer): PlainObject | undefined {
  const { metadata, metadataUrl, options, tenants } = auth;
  // With a path for each tenant, the root of the origin is nobody's
  if (metadata === undefined || metadataUrl === undefined || tenants !== undefined) return undefined;
  const { pathname } = new URL(metadataUrl);
  // A client that calls the endpoint with a slash at the end compares that URL (RFC 9728, 3.3)
  if (path === `${pathname}/`) return { ...metadata, resource: `${auth.resource}/` };
  const isRoot = path === WELL_KNOWN && options.rootMetadata !== false;
  return isRoot || path === pathname ? metadata : undefined;
}
