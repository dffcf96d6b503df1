import type { AuthInfo } from '../../call/call-exchange.ts';
import type { Logger } from '../../call/logger.ts';
import { showValue } from '../../call/show-value.ts';
import { thrownMessage } from '../../call/thrown-message.ts';
import { jsonRpcCodes } from '../json-rpc/json-rpc-error.ts';
import { AuthenticationError } from '../authentication-error.ts';
import { challengeOf } from './challenge-of.ts';
import type { HttpHandlerOptions } from './http-options.ts';
import { HttpRefusal } from './http-refusal.ts';
import type { HttpRequest } from './http-request.ts';

/** Shorter parts of credentials are words such as `Bearer`. */
const SHORTEST_SECRET = 7;

/** Who calls; undefined only when nobody is asked. */
export async function authenticateRequest(
  request: HttpRequest,
  authenticate: HttpHandlerOptions['authenticate'],
  logger: Logger,
): Promise<AuthInfo | undefined> {
  if (authenticate === undefined) return undefined;
  const { method, url, headers } = request;
  try {
    const given: unknown = await authenticate({
      method,
      url: url.href,
      headers: Object.fromEntries(headers),
    });
    if (!isAuthInfo(given)) {
      if (typeof given === 'object' && given !== null) reportIncomplete(logger);
      throw new AuthenticationError(401);
    }
    if ((given.expiresAt ?? Infinity) > Date.now() / 1000) return given;
    throw new AuthenticationError(401, { error: 'invalid_token', description: 'The token has expired' });
  } catch (cause) {
    throw refusalOf(cause, headers, logger);
  }
}

/** Never trusts the type: what passes here opens the server. */
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

function refusalOf(cause: unknown, headers: HttpRequest['headers'], logger: Logger): HttpRefusal {
  if (AuthenticationError.is(cause)) {
    const challenge = challengeOf(cause, headers.has('authorization'));
    return new HttpRefusal(cause.status, cause.message, { headers: { 'www-authenticate': challenge } });
  }
  const secrets = credentialsOf(headers);
  const message = withoutSecrets(`authenticate failed: ${thrownMessage(cause)}`, secrets);
  logger.log({
    level: 'warning',
    event: 'http.authenticate',
    message,
    cause: withoutCredentials(cause, secrets),
  });
  return new HttpRefusal(500, 'Internal error', { code: jsonRpcCodes.internalError });
}

/** As it is, unless it shows a credential: then the text of it, without. */
function withoutCredentials(cause: unknown, secrets: readonly string[]): unknown {
  const shown = showValue(cause);
  const told = withoutSecrets(shown, secrets);
  if (told === shown) return cause;
  const safe = new Error(withoutSecrets(thrownMessage(cause), secrets));
  safe.stack = told;
  return safe;
}

/** What clients prove with who they are: whole, in its parts, and decoded. */
function credentialsOf(headers: HttpRequest['headers']): readonly string[] {
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
