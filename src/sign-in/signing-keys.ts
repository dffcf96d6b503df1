import { Buffer } from 'node:buffer';
import { createHash, createPrivateKey, createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { PlainObject } from '../shared/json.ts';
import { deriveKeys, type Secret } from '../shared/sealed-text.ts';

/** RFC 8410, 7: what stands before the 32 bytes of an Ed25519 key in PKCS #8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const ALGORITHM = 'EdDSA';

interface SigningKey {
  readonly kid: string;
  readonly jwk: PlainObject;
  readonly publicKey: KeyObject;
}

/** The keys of an issuer: made of the secrets of the application, so that all instances have the same. */
export class SigningKeys {
  readonly #keys: readonly SigningKey[];

  constructor(secrets: readonly Secret[], issuer: string) {
    this.#keys = deriveKeys(secrets, `sign-in:keys:${issuer}`).map(keyOf);
  }

  /** The first one signs. */
  get kid(): string {
    return this.#keys[0]?.kid ?? '';
  }

  get algorithm(): string {
    return ALGORITHM;
  }

  /** With the private parts. */
  get jwks(): readonly PlainObject[] {
    return this.#keys.map(({ jwk }) => jwk);
  }

  /** The claims of an access token that one of the keys has signed; undefined for any other text. */
  claimsOf(token: string): PlainObject | undefined {
    const [header = '', claims = '', signature = ''] = token.split('.');
    const { alg, typ, kid } = partOf(header) ?? {};
    if (alg !== ALGORITHM || typ !== 'at+jwt') return undefined;
    const key = this.#keys.find((each) => each.kid === kid);
    if (key === undefined) return undefined;
    const signed = Buffer.from(`${header}.${claims}`);
    const isSound = verify(null, signed, key.publicKey, Buffer.from(signature, 'base64url'));
    return isSound ? partOf(claims) : undefined;
  }
}

/** What a token says of itself, unverified. */
export function issuerIn(token: string): unknown {
  const [, claims = '', signature] = token.split('.');
  return signature === undefined ? undefined : partOf(claims)?.['iss'];
}

function keyOf(seed: Buffer): SigningKey {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const jwk = key.export({ format: 'jwk' });
  const kid = createHash('sha256').update(String(jwk.x)).digest('base64url').slice(0, 16);
  return { kid, jwk: { ...jwk, kid, alg: ALGORITHM, use: 'sig' }, publicKey: createPublicKey(key) };
}

function partOf(text: string): PlainObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as PlainObject) : undefined;
  } catch {
    return undefined;
  }
}
