import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ApiFailure } from './contract.ts';
import { TOKEN_HEADER } from './contract.ts';
import type { Sources } from './place.ts';

/** Why a request is not served. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 415;
  readonly body: ApiFailure;
}

export function refusal(status: Refusal['status'], code: string, message: string): Refusal {
  return { status, body: { error: { code, message } } };
}

/** Sent with every response. */
export const HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
});

/**
 * A page of another origin, and a name that was rebound to this machine, learn nothing at all: this comes first, also with a
 * right token (CVE-2025-49596 was a proxy without it).
 */
export function sourceFault(
  { headers: { origin }, headersDistinct }: IncomingMessage,
  { hosts, origins }: Sources,
): Refusal | undefined {
  // Of two, Node shows the first in `headers`, and what stands before it may have believed the other
  const [host = '', ...others] = headersDistinct.host ?? [];
  if (others.length > 0 || !hosts.includes(host.toLowerCase()))
    return refusal(403, 'HOST', 'This host name is not served.');
  if (origin === undefined || origins.includes(origin)) return undefined;
  return refusal(403, 'ORIGIN', 'Pages of this origin are not served.');
}

/** Compares digests, which have one length, in a time that says nothing of the token. */
export function tokenFault({ headers }: IncomingMessage, token: string): Refusal | undefined {
  const given = headers[TOKEN_HEADER];
  const isRight = typeof given === 'string' && timingSafeEqual(digest(given), digest(token));
  return isRight ? undefined : refusal(401, 'TOKEN', 'The token of this start is needed.');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Bodies are JSON: what a form of another page can send is refused. */
export function mediaFault({ method, headers }: IncomingMessage): Refusal | undefined {
  if (method !== 'POST') return undefined;
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() === 'application/json') return undefined;
  return refusal(415, 'MEDIA_TYPE', 'Bodies are application/json.');
}
