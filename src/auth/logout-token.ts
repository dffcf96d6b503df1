import { isPlainObject } from '../shared/json.ts';
import type { KeySet } from './key-set.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];
const TYPES: readonly unknown[] = [undefined, 'JWT', 'logout+jwt', 'application/logout+jwt'];
/** Seconds: tokens without an end count that long, and clocks may differ by the other. */
const [MAX_AGE, TOLERANCE] = [300, 30];

/** Whose session at the provider has ended. */
export interface LogoutToken {
  readonly jti: string;
  readonly sub: string | undefined;
  readonly sid: string | undefined;
}

/**
 * Verifies what a provider says when somebody signs out there (OpenID Connect Back-Channel Logout 1.0, 2.6).
 * @throws Error for every other token
 */
export async function readLogoutToken(
  token: string,
  { issuer, clientId, keys }: { readonly issuer: string; readonly clientId: string; readonly keys: KeySet },
): Promise<LogoutToken> {
  const { jwtVerify } = await import('jose');
  const { payload, protectedHeader } = await jwtVerify(
    token,
    async (header) => (await keys.find(header)).key,
    {
      ...{ issuer, audience: clientId, algorithms: ALGORITHMS, clockTolerance: TOLERANCE },
      ...{ maxTokenAge: MAX_AGE, requiredClaims: ['iss', 'aud', 'iat', 'jti', 'events'] },
    },
  );
  const { jti = '', sub, sid, events } = payload;
  if (!TYPES.includes(protectedHeader.typ)) throw new Error('the token is of another type');
  if (!isPlainObject(events) || !isPlainObject(events[EVENT]))
    throw new Error('the token is about something else');
  if ('nonce' in payload) throw new Error('it may be an ID token');
  const session = typeof sid === 'string' ? sid : undefined;
  if (jti === '' || (sub === undefined && session === undefined)) throw new Error('the token names nobody');
  return { jti, sub, sid: session };
}

/** Milliseconds for which a token may come again. */
export const LOGOUT_TOKEN_TTL = (MAX_AGE + 2 * TOLERANCE) * 1000;
