import { createHmac, timingSafeEqual } from 'node:crypto';

/** What signs the tokens of views. */
export interface SigningKey {
  /** Says which key signed, and is no secret. */
  readonly id: string;
  /** Text or bytes that only the instances of one service know; 32 random bytes, say. */
  readonly secret: string | Uint8Array;
}

/** Which view of which run a token names. */
export interface TokenClaims {
  readonly runId: string;
  readonly seq: number;
}

/** `<base64url JSON {kid,runId,seq}>.<base64url HMAC-SHA256 of the text before the dot>` */
export function signToken({ id: kid, secret }: SigningKey, { runId, seq }: TokenClaims): string {
  const payload = Buffer.from(JSON.stringify({ kid, runId, seq })).toString('base64url');
  return `${payload}.${signatureOf(payload, secret)}`;
}

/** What a token says, or undefined for one that none of the keys signed. */
export function readToken(keys: readonly SigningKey[], token: string): TokenClaims | undefined {
  const [payload = '', signature = '', ...rest] = token.split('.');
  const claims = parse(Buffer.from(payload, 'base64url').toString());
  const key = keys.find(({ id }) => id === claims?.['kid']);
  if (key === undefined || rest.length > 0) return undefined;
  if (!isEqual(signature, signatureOf(payload, key.secret))) return undefined;
  return { runId: claims?.['runId'] as string, seq: claims?.['seq'] as number };
}

function signatureOf(payload: string, secret: string | Uint8Array): string {
  return createHmac('sha256', secret).update(payload).digest('base64url');
}

/** Compares the texts, not the bytes: base64 has more than one spelling of the same bytes. */
function isEqual(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Somebody made it up
    return undefined;
  }
}
