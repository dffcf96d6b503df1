import type { JWTPayload } from 'jose';
import { AuthenticationError, type AuthInfo, type ProtectedResource, type TokenRequest } from '../index.ts';
import { membersOf } from '../shared/json.ts';
import { boundToKey, refused } from './claims.ts';
import { hashToken } from './token-cache.ts';

/** What `jwt({ dpop })` does with tokens that are bound to a key. */
export type DpopMode = 'accept' | 'require';

/** Signatures of proofs; all of them are asymmetric (RFC 9449, 4.2). */
const ALGORITHMS = ['ES256', 'Ed25519', 'EdDSA'];
/** Seconds that a proof counts, before and after the time that it names. */
const PROOF_SECONDS = 60;
const MAX_PROOF_CHARS = 8 * 1024;
const MAX_ID_CHARS = 256;
const PROOF_FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** RFC 9449, 7.1: what a server challenges clients with. */
export const DPOP_SCHEMES = Object.freeze({ DPoP: `algs="${ALGORITHMS.join(' ')}"` });

/** RFC 9728, 2. */
export function dpopMetadata(mode: DpopMode): Readonly<Record<string, unknown>> {
  return Object.freeze({
    dpop_signing_alg_values_supported: ALGORITHMS,
    ...(mode === 'require' ? { dpop_bound_access_tokens_required: true } : {}),
  });
}

/**
 * Checks that the sender of a token has the key that it is bound to (RFC 9449, 4.3 and 7).
 * @throws AuthenticationError
 */
export async function checkBinding(
  caller: AuthInfo,
  mode: DpopMode,
  server: ProtectedResource,
  request: TokenRequest | undefined,
): Promise<void> {
  const { cnf } = membersOf(caller.extra?.['claims']);
  if (cnf === undefined) {
    if (mode === 'require') throw refused('A token is needed that is bound to a key (DPoP)');
    if (request?.scheme === 'dpop') throw refused('The token is not bound to a key, and comes as Bearer');
    return;
  }
  const { jkt, ...others } = membersOf(cnf);
  if (typeof jkt !== 'string' || Object.keys(others).length > 0)
    throw refused('The token is bound in a way that is not known here');
  if (request?.scheme !== 'dpop') throw boundToKey();
  const proof = await readProof(request.sentHeader('dpop'));
  const fault = faultOfProof(proof.claims, caller.token, server, request);
  if (fault !== undefined) throw refusedProof(fault);
  // The token is for another key, whatever the proof says (RFC 9449, 7.1)
  if (proof.thumbprint !== jkt) throw refused('The token is bound to another key');
  await countOnce(`${jkt}.${hashToken(String(proof.claims.jti))}`, caller, request);
}

interface Proof {
  readonly claims: JWTPayload;
  readonly thumbprint: string;
}

async function readProof(header: string | null): Promise<Proof> {
  if (header === null) throw refusedProof('is missing');
  // Several headers of one name have a comma between them
  if (header.length > MAX_PROOF_CHARS || !PROOF_FORM.test(header)) throw refusedProof('has to be one JWT');
  const { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } = await import('jose');
  try {
    const options = {
      typ: 'dpop+jwt',
      algorithms: ALGORITHMS,
      requiredClaims: ['jti', 'iat', 'htm', 'htu', 'ath'],
    };
    const { payload, protectedHeader } = await jwtVerify(header, EmbeddedJWK, options);
    if (protectedHeader.jwk === undefined) throw refusedProof('has no key');
    return { claims: payload, thumbprint: await calculateJwkThumbprint(protectedHeader.jwk, 'sha256') };
  } catch (cause) {
    if (AuthenticationError.is(cause)) throw cause;
    const { code = '', message } = cause as { readonly code?: string; readonly message?: string };
    throw refusedProof('is not valid', code.startsWith('ERR_J') ? message : undefined);
  }
}

/** What a proof is for; undefined where it is for this request. */
function faultOfProof(
  { jti, iat, htm, htu, ath }: JWTPayload,
  token: string,
  server: ProtectedResource,
  request: TokenRequest,
): string | undefined {
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_ID_CHARS) return 'has no id';
  if (htm !== request.method) return 'is for another method';
  if (!isForUrl(htu, server)) return 'is for another URL';
  if (ath !== hashToken(token)) return 'is for another token';
  if (typeof iat !== 'number' || !(Math.abs(Date.now() / 1000 - iat) <= PROOF_SECONDS))
    return 'is not of now';
  return undefined;
}

/** RFC 9449, 4.3: without query and fragment, and in the normal form of a URL. The own URL is not taken from the request. */
function isForUrl(htu: unknown, server: ProtectedResource): boolean {
  if (typeof htu !== 'string' || !URL.canParse(htu)) return false;
  const url = new URL(htu);
  url.search = '';
  url.hash = '';
  return server.isNamedBy(url.href);
}

/** Once within the time that it counts, on any instance. */
async function countOnce(text: string, caller: AuthInfo, request: TokenRequest): Promise<void> {
  const isFirst = await request.isFirst(text, 2 * PROOF_SECONDS * 1000, caller).catch(() => {
    throw new AuthenticationError(503, { description: 'Proofs cannot be counted now' });
  });
  if (!isFirst) throw refusedProof('was used before');
}

function refusedProof(fault: string, reason?: string): AuthenticationError {
  const description = `The DPoP proof ${fault}`;
  const details = reason === undefined ? {} : { reason: `${description}: ${reason}` };
  return new AuthenticationError(401, { error: 'invalid_dpop_proof', description, ...details });
}
