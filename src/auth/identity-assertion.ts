import type { AuthenticationError } from '../index.ts';
import type { PlainObject } from '../shared/json.ts';
import type { KeySet } from './key-set.ts';

const TYPE = 'oauth-id-jag+jwt';
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519'];
/** Seconds: an assertion counts no longer than that, and clocks may differ by the other. */
const [MAX_AGE, TOLERANCE] = [300, 30];
/** Claims that count for more than who brings an assertion can show. */
const UNSUPPORTED = ['cnf', 'authorization_details'];

/** Why an assertion does not count; for the audit, and never for a client. */
export class AssertionRefused extends Error {}

/**
 * Verifies what a provider says of a person to a client (Identity Assertion JWT Authorization Grant).
 * @throws AssertionRefused for one that does not count, AuthenticationError 503 where the keys are not known
 */
export async function readIdentityAssertion(
  assertion: string,
  { issuer, audience, keys }: { readonly issuer: string; readonly audience: string; readonly keys: KeySet },
): Promise<PlainObject> {
  const { jwtVerify } = await import('jose');
  const { payload } = await jwtVerify(assertion, async (header) => (await keys.find(header)).key, {
    ...{ issuer, audience, typ: TYPE, algorithms: ALGORITHMS },
    ...{ maxTokenAge: MAX_AGE, clockTolerance: TOLERANCE },
    requiredClaims: ['iss', 'sub', 'aud', 'client_id', 'jti', 'iat', 'exp'],
  }).catch((error: unknown) => {
    if ((error as Partial<AuthenticationError>).status === 503) throw error;
    throw new AssertionRefused((error as { code?: string }).code ?? 'it is not signed by its issuer');
  });
  const { aud, exp = Infinity, iat = 0, jti } = payload;
  if (aud !== audience) throw new AssertionRefused('it is for other servers, too');
  if (exp - iat > MAX_AGE) throw new AssertionRefused('it counts for too long');
  if (typeof jti !== 'string' || jti === '') throw new AssertionRefused('it has no id');
  const found = UNSUPPORTED.find((name) => name in payload);
  if (found !== undefined) throw new AssertionRefused(`it has ${found}`);
  return { ...payload };
}

/** Milliseconds for which an assertion may come again. */
export const ASSERTION_TTL = (MAX_AGE + 2 * TOLERANCE) * 1000;
