import { Buffer } from 'node:buffer';
import { request as requestOverTls } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from '../shared/public-address.ts';
import { lookUpPublic } from '../shared/public-lookup.ts';

const TIMEOUT = 3000;
const MAX_BYTES = 64 * 1024;

/**
 * Fetches what a client names, over TLS only: from public addresses, without redirects, and no more than 64 KiB in 3 s.
 * @throws Error in every other case
 */
export function fetchGuarded(url: string, init: RequestInit = {}): Promise<Response> {
  const target = new URL(url);
  const host = target.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    if (target.protocol !== 'https:') throw new Error('only https is fetched');
    if (isIP(host) !== 0 && !isPublicAddress(host)) throw new Error('the address is not public');
    const request = requestOverTls(
      target,
      {
        method: init.method ?? 'GET',
        headers: { accept: 'application/json', 'accept-encoding': 'identity' },
        agent: false,
        lookup: lookUpPublic,
      },
      (answer) => {
        const pieces: Buffer[] = [];
        let size = 0;
        answer.on('data', (piece: Buffer) => {
          size += piece.length;
          pieces.push(piece);
          if (size > MAX_BYTES) request.destroy(new Error('the answer is too large'));
        });
        answer.on('error', reject);
        answer.on('end', () => {
          const { statusCode: status = 0, headers } = answer;
          const isEncoded = (headers['content-encoding'] ?? 'identity') !== 'identity';
          if (status !== 200 || isEncoded) reject(new Error(`the answer has the status ${String(status)}`));
          else resolve(new Response(Buffer.concat(pieces), { status, headers: plainHeaders(headers) }));
        });
      },
    );
    // All of it, however slowly it comes
    const timer = setTimeout(() => request.destroy(new Error('the answer takes too long')), TIMEOUT);
    request.on('close', () => {
      clearTimeout(timer);
    });
    request.on('error', reject);
    request.end();
  });
}

function plainHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): [string, string][] {
  return ['content-type', 'cache-control', 'expires'].flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
}
