import { Buffer } from 'node:buffer';
import { request as requestInTheClear, type IncomingMessage } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { createUnzip } from 'node:zlib';
import { isPublicAddress } from '../shared/public-address.ts';
import { lookUpPublic, notPublic } from '../shared/public-lookup.ts';
import type { FetchFunction } from '../operations/http/fetch-carrier.ts';

/**
 * A `fetch` that connects to public addresses alone: a name is looked up once, and the address that was looked at is the one that is
 * connected to, whatever the name stands for later. Redirects are not followed.
 */
export function createPublicFetch(lookup: LookupFunction = lookUpPublic): FetchFunction {
  return async (request) => {
    const url = new URL(request.url);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !isPublicAddress(host)) throw failed(notPublic('the address is not public'));
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
    const headers = {
      ...Object.fromEntries(request.headers),
      'accept-encoding': 'gzip, deflate',
      ...(body === undefined ? {} : { 'content-length': String(body.length) }),
    };
    const send = url.protocol === 'https:' ? requestOverTls : requestInTheClear;
    return new Promise((resolve, reject) => {
      const { method, signal } = request;
      const outgoing = send(url, { method, headers, signal, lookup, agent: false });
      outgoing.once('response', (incoming) => {
        try {
          resolve(readResponse(incoming, method));
        } catch (cause) {
          // A status that there is not, such as 999
          incoming.destroy();
          reject(failed(cause as Error));
        }
      });
      outgoing.once('error', (cause) => reject(failed(cause)));
      // An answer that changes the protocol ends the connection without an error
      outgoing.once('close', () => reject(failed(new Error('the connection ended without an answer'))));
      outgoing.end(body);
    });
  };
}

/** As `fetch` of the platform says it: the reason is the cause. */
function failed(cause: Error): TypeError {
  return new TypeError('fetch failed', { cause });
}

function readResponse(incoming: IncomingMessage, method: string): Response {
  const { statusCode: status = 0, headers } = incoming;
  const encoding = (headers['content-encoding'] ?? 'identity').toLowerCase();
  const decoder = encoding === 'gzip' || encoding === 'deflate' ? createUnzip() : undefined;
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || (decoder !== undefined && name === 'content-encoding')
      ? []
      : [value].flat().map((text): [string, string] => [name, text]),
  );
  const isEmpty = method === 'HEAD' || [204, 205, 304].includes(status);
  if (isEmpty) incoming.resume();
  const body = decoder === undefined ? incoming : pipeline(incoming, decoder, () => undefined);
  const stream = isEmpty ? null : (Readable.toWeb(body) as ReadableStream<Uint8Array>);
  return new Response(stream, { status, headers: given });
}
