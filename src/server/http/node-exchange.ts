import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { HttpRefusal } from './http-refusal.ts';
import { untilQuiet } from './linger.ts';
import { BodyCollector, type BodyBytes, type HttpRequest } from './http-request.ts';

export function toHttpRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onAdmit: () => void,
): HttpRequest {
  const { host, url } = targetOf(incoming);
  if (!URL.canParse(url)) throw new HttpRefusal(400, 'The request target or the Host header cannot be read');
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  return {
    method: incoming.method ?? 'GET',
    url: new URL(url),
    host,
    headers: toHeaders(incoming),
    signal: gone.signal,
    readBody: (limit) => readBody(incoming, limit),
    onAdmit,
  };
}

/** A request may name all of its target, whose host counts then (RFC 9112, 3.2.2). */
function targetOf({ url = '/', headers }: IncomingMessage): { host: string | null; url: string } {
  const [, absolute] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  if (absolute !== undefined) return { host: absolute, url };
  const host = headers.host ?? null;
  return { host, url: `http://${host ?? 'localhost'}${url}` };
}

/** Resolves when the response is written or its client is gone. */
export async function sendResponse(
  response: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { body, status } = response;
  const headers = Object.fromEntries(response.headers);
  if (body === null || !isEventStream(response)) {
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (incoming.complete) {
      outgoing.writeHead(status, headers).end(bytes);
      return;
    }
    // What the client still sends is never read, so nothing can follow it on this connection.
    outgoing.writeHead(status, { ...headers, connection: 'close', 'content-length': bytes.length });
    outgoing.write(bytes);
    await untilQuiet(incoming);
    outgoing.end();
    return;
  }
  outgoing.writeHead(status, incoming.complete ? headers : { ...headers, connection: 'close' });
  // The client of a standalone stream waits for the headers, though nothing may follow for hours.
  outgoing.flushHeaders();
  // The two declarations of ReadableStream, of the DOM and of Node, describe the same class.
  await pipeline(Readable.fromWeb(body as NodeReadableStream<Uint8Array>), outgoing);
}

function isEventStream(response: Response): boolean {
  return response.headers.get('content-type') === 'text/event-stream';
}

function toHeaders(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}

// Not `for await`: leaving that loop early destroys the socket, and with it the answer.
function readBody(incoming: IncomingMessage, limit: number): Promise<BodyBytes> {
  return new Promise((resolve) => {
    const collector = new BodyCollector(limit);
    const finish = (outcome: BodyBytes): void => {
      incoming.off('data', add).off('end', end).off('close', abort);
      incoming.pause();
      resolve(outcome);
    };
    const add = (chunk: Uint8Array): void => {
      if (!collector.add(chunk)) finish('too-large');
    };
    const end = (): void => {
      finish(collector.bytes());
    };
    const abort = (): void => {
      finish('aborted');
    };
    // Its `close` was told already.
    if (incoming.destroyed) abort();
    else incoming.on('data', add).once('end', end).once('close', abort);
    // An upload that breaks off is told by `close`; unheard, its error would end the process.
    incoming.on('error', () => undefined);
  });
}
