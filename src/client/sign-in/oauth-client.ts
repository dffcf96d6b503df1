import { createHash, randomBytes } from 'node:crypto';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { Asked, Question } from './ask.ts';

/** A client as an authorization server knows it. */
export interface OAuthClient {
  readonly clientId: string;
  readonly secret?: string;
  /** How it authenticates at the token endpoint (RFC 7591, 2: token_endpoint_auth_method). */
  readonly method: string;
}

/** A text that cannot be guessed. */
export function randomText(): string {
  return randomBytes(32).toString('base64url');
}

/** The challenge for a verifier (RFC 7636, 4.2). */
export function challengeFor(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** A form for the token endpoint, sent by the client. */
export function formQuestion(
  { clientId, secret = '', method }: OAuthClient,
  form: Readonly<Record<string, string>>,
): Question {
  const credentials = [clientId, secret].map(encodeURIComponent).join(':');
  const isBasic = method === 'client_secret_basic';
  const body = new URLSearchParams({
    ...form,
    ...(isBasic ? {} : { client_id: clientId }),
    ...(method === 'client_secret_post' ? { client_secret: secret } : {}),
  }).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
    ...(isBasic ? { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } : {}),
  };
  return { method: 'POST', headers, body };
}

/** What a token endpoint gives (RFC 6749, 5.1). */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
}

/** The tokens in an answer; undefined for any other answer. */
export function tokensIn(asked: Asked): Tokens | undefined {
  if ('failure' in asked || asked.status !== 200 || !isPlainObject(asked.json)) return undefined;
  const {
    access_token: access,
    token_type: type,
    refresh_token: refresh,
    expires_in: ends,
  }: PlainObject = asked.json;
  if (typeof access !== 'string' || typeof type !== 'string' || type.toLowerCase() !== 'bearer')
    return undefined;
  return {
    access_token: access,
    ...(typeof refresh === 'string' ? { refresh_token: refresh } : {}),
    ...(typeof ends === 'number' ? { expires_in: ends } : {}),
  };
}
