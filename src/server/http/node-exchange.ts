import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { isPlainAnswer, type HttpAnswer, type PlainAnswer } from './http-answer.ts';
import { untilQuiet } from './linger.ts';

/** Writes an answer to a request that was read to its end, in one piece with the headers. */
export function writeAnswer(answer: PlainAnswer, outgoing: ServerResponse): void {
  const { status, headers, bytes } = answer;
  if (bytes !== undefined) {
    const length = bytes.reduce((sum, piece) => sum + piece.length, 0);
    outgoing.writeHead(status, flatHeaders(headers, length));
    for (const piece of bytes) outgoing.write(piece);
    outgoing.end();
    return;
  }
  const { text } = answer;
  const length = Buffer.byteLength(text);
  // As many bytes as characters: they are the same in both encodings, and this one is written faster.
  const encoding = length === text.length ? 'latin1' : 'utf8';
  outgoing.writeHead(status, flatHeaders(headers, status === 204 ? undefined : length)).end(text, encoding);
}

/** One after the other, as Node writes them. RFC 9110, 8.6: a response without content says nothing of its length. */
function flatHeaders(headers: PlainAnswer['headers'], length: number | undefined): string[] {
  const flat: string[] = [];
  for (const name in headers) flat.push(name, headers[name] as string);
  if (length !== undefined) flat.push('content-length', String(length));
  return flat;
}

/** Resolves when the response is written or its client is gone. */
export async function sendAnswer(
  answer: HttpAnswer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (isPlainAnswer(answer)) return sendWhole(answer, incoming, outgoing);
  const { body, status } = answer;
  const headers = Object.fromEntries(answer.headers);
  if (body === null || !isEventStream(answer)) {
    return sendWhole({ status, headers, text: await answer.text() }, incoming, outgoing);
  }
  outgoing.writeHead(status, incoming.complete ? headers : { ...headers, connection: 'close' });
  // The client of a standalone stream waits for the headers, though nothing may follow for hours.
  outgoing.flushHeaders();
  // The two declarations of ReadableStream, of the DOM and of Node, describe the same class.
  await pipeline(Readable.fromWeb(body as NodeReadableStream<Uint8Array>), outgoing);
}

async function sendWhole(
  answer: PlainAnswer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (incoming.complete) {
    writeAnswer(answer, outgoing);
    return;
  }
  const { status, headers, text } = answer;
  // What the client still sends is never read, so nothing can follow it on this connection.
  outgoing.writeHead(status, { ...headers, ...lengthOf(status, text), connection: 'close' });
  outgoing.write(text);
  await untilQuiet(incoming);
  outgoing.end();
}

/** RFC 9110, 8.6: a response without content says nothing of its length. */
function lengthOf(status: number, text: string): Readonly<Record<string, number>> {
  return status === 204 ? {} : { 'content-length': Buffer.byteLength(text) };
}

function isEventStream(response: Response): boolean {
  return response.headers.get('content-type') === 'text/event-stream';
}
