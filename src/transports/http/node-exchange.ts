import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../../call/logger.ts';
import { InFlight } from '../../runtime/admission.ts';
import { isPlainAnswer, type HttpAnswer, type PlainAnswer } from './http-answer.ts';
import { untilQuiet } from './linger.ts';
import { NOTABLE, StreamCut, type Backlog, type Unread } from './streams/unread-events.ts';

/** In milliseconds. */
const SEND_TIMEOUT = 60_000;

export interface NodeAnswersOptions {
  /** What clients have not read yet, here and elsewhere. */
  readonly backlog: Backlog;
  /** Milliseconds that a client may read nothing of what waits for it. */
  readonly sendTimeout?: number | undefined;
}

/** Sends the answers to requests of node:http, and counts those that are not sent yet. */
export class NodeAnswers {
  readonly unsent = new InFlight();
  readonly #failures: Logger;
  readonly #backlog: Backlog;
  readonly #sendTimeout: number;

  constructor(failures: Logger, { backlog, sendTimeout = SEND_TIMEOUT }: NodeAnswersOptions) {
    this.#failures = failures;
    this.#backlog = backlog;
    this.#sendTimeout = sendTimeout;
  }

  /** Counts a response from now until it is sent. */
  expect(outgoing: ServerResponse): void {
    // A client may have left while somebody else had the request; nothing tells of that again.
    if (outgoing.closed) return;
    outgoing.once('close', this.unsent.enter());
  }

  /** Resolves when it is sent, or cannot be. */
  async send(answer: HttpAnswer, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (!isPlainAnswer(answer)) this.#limit(outgoing);
    try {
      await sendAnswer(answer, incoming, outgoing);
      this.watch(outgoing);
    } catch (cause) {
      // A client that went away has no use for an answer, and is nothing to report.
      const message = 'An HTTP response could not be sent.';
      if (!outgoing.destroyed && !(cause instanceof StreamCut)) {
        this.#failures.log({ level: 'warning', event: 'http.unsent', message, cause });
      }
      outgoing.destroy();
    }
  }

  /** What the system did not take of an answer at once waits for its client. */
  watch(outgoing: ServerResponse): void {
    if (outgoing.writableLength <= NOTABLE) return;
    this.#limit(outgoing);
    const unread = new UnreadAnswer(outgoing);
    this.#backlog.grow(unread);
    outgoing.once('close', () => {
      this.#backlog.leave(unread);
    });
  }

  /** Cuts the connection of a client that takes nothing of what waits for it. */
  #limit(outgoing: ServerResponse): void {
    if (this.#sendTimeout === 0) return;
    // Node tells it when nothing was read or written meanwhile, also of a write that is not done yet.
    outgoing.setTimeout(this.#sendTimeout, () => {
      if (outgoing.writableLength > 0) outgoing.destroy();
    });
  }
}

/** Writes an answer to a request that was read to its end; a short one in one piece with the headers. */
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
  outgoing.writeHead(status, flatHeaders(headers, status === 204 ? undefined : length));
  // Of a text, Node keeps the text, and what the system did not take at once a second time.
  if (length > NOTABLE) outgoing.end(Buffer.from(text, encoding));
  else outgoing.end(text, encoding);
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
  await pump(body, outgoing);
}

/**
 * Writes one chunk after the other, each when the one before was taken by the system: so it is known what a client has
 * not read. Node's `pipeline` would read ahead.
 */
async function pump(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  let wake = (): void => undefined;
  const leave = (): void => {
    reader.cancel().catch(() => undefined);
    wake();
  };
  outgoing.once('close', leave);
  // Told of a body that was cut also while the client reads nothing.
  reader.closed.catch(() => {
    wake();
  });
  while (!isGone(outgoing)) {
    const { value, done } = await reader.read();
    // It may have closed meanwhile.
    if (done || isGone(outgoing)) break;
    if (outgoing.write(value)) continue;
    await new Promise<void>((resolve) => {
      wake = resolve;
      outgoing.once('drain', resolve);
    });
    outgoing.off('drain', wake);
  }
  outgoing.off('close', leave);
  outgoing.end();
}

function isGone({ destroyed }: ServerResponse): boolean {
  return destroyed;
}

/** What of a whole answer is still in the process. */
class UnreadAnswer implements Unread {
  readonly #outgoing: ServerResponse;

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing;
  }

  get size(): number {
    return this.#outgoing.writableLength;
  }

  cut(): void {
    this.#outgoing.destroy();
  }
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
