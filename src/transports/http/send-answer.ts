import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '../../call/logger.ts';
import type { HttpAnswer, PlainAnswer } from './http-answer.ts';
import { NOTABLE, StreamCut, type Backlog, type BackloggedStream } from './streams/backpressure-counter.ts';

/** What the exchanges of a server share. */
export interface NodeSettings {
  readonly failures: Logger;
  /** The unread bytes of all clients. */
  readonly backlog: Backlog;
  /** Milliseconds that a client may leave its answer unread. Default 1 minute; 0 waits forever. */
  readonly sendTimeout?: number | undefined;
  /** Whether clients connect to a Unix socket, and so have no addresses. */
  readonly isAtSocket?: boolean;
}

/** Sends a stream, or the answer to a request that is not completely read. */
export async function sendSlowly(
  answer: HttpAnswer,
  { incoming, outgoing }: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse },
  settings: NodeSettings,
): Promise<void> {
  try {
    if ('body' in answer) {
      limitWaiting(outgoing, settings);
      await sendStream(answer, incoming, outgoing);
    } else await sendEarly(answer, incoming, outgoing);
  } catch (cause) {
    giveUp(cause, outgoing, settings);
  }
}

/** Ends a response that could not be sent. */
export function giveUp(cause: unknown, outgoing: ServerResponse, { failures }: NodeSettings): void {
  // The client has disconnected, which is not reported.
  const message = 'An HTTP response could not be sent.';
  if (!outgoing.destroyed && !(cause instanceof StreamCut)) {
    failures.log({ level: 'warning', event: 'http.unsent', message, cause });
  }
  outgoing.destroy();
}

/** Counts the part of an answer that the system did not accept at once. */
export function watchUnread(outgoing: ServerResponse, settings: NodeSettings): void {
  const { backlog } = settings;
  const unread: BackloggedStream = {
    get size() {
      return outgoing.writableLength;
    },
    cut: () => {
      outgoing.destroy();
    },
  };
  limitWaiting(outgoing, settings);
  backlog.grow(unread);
  outgoing.once('close', () => {
    backlog.leave(unread);
  });
}

/** The answers of one connection that wait for their turn, behind one that is not there or not read (RFC 9112, 9.3.2). */
class QueuedAnswers implements BackloggedStream {
  readonly #socket: Socket;
  #size = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  get size(): number {
    return this.#socket.destroyed ? 0 : this.#size;
  }

  cut(): void {
    this.#socket.destroy();
  }

  add(outgoing: ServerResponse, { backlog }: NodeSettings): void {
    const before = this.#size;
    const { writableLength } = outgoing;
    this.#size += writableLength;
    if (this.#size > NOTABLE) backlog.grow(this, before);
    outgoing.once('close', () => {
      this.#size -= writableLength;
      if (this.#size <= NOTABLE) backlog.leave(this);
    });
  }
}

const QUEUES = new WeakMap<Socket, QueuedAnswers>();

/** Counts an answer that waits for its turn: each may be small, and a client can ask for hundreds in one packet. */
export function watchQueued(outgoing: ServerResponse, settings: NodeSettings): void {
  const { socket } = outgoing.req;
  let queued = QUEUES.get(socket);
  if (queued === undefined) {
    const added = (queued = new QueuedAnswers(socket));
    QUEUES.set(socket, added);
    socket.once('close', () => {
      settings.backlog.leave(added);
    });
  }
  queued.add(outgoing, settings);
}

/** In milliseconds. */
const SEND_TIMEOUT = 60_000;

/** Cuts the connection of a client that does not read its answer. */
function limitWaiting(outgoing: ServerResponse, { sendTimeout = SEND_TIMEOUT }: NodeSettings): void {
  if (sendTimeout === 0) return;
  // Node emits it when nothing was read or written for that time, even while a write is pending.
  outgoing.setTimeout(sendTimeout, () => {
    if (outgoing.writableLength > 0) outgoing.destroy();
  });
}

/** Sends a stream of events. */
async function sendStream(
  { status, headers, body }: Response,
  { complete }: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  // The only header that is sent several times
  const cookies = headers.getSetCookie();
  outgoing.writeHead(status, {
    ...Object.fromEntries(headers),
    ...(cookies.length > 1 && { 'set-cookie': cookies }),
    ...(complete ? {} : { connection: 'close' }),
  });
  // Sent now: a client waits for the headers, although the first event may come hours later. One that is there already goes
  // in the same packet: a client that has the headers alone when this process dies cannot come back for its answer.
  // The socket waits and not the answer, whose own `cork` loses chunks since Node 22.
  const { socket } = outgoing;
  socket?.cork();
  outgoing.flushHeaders();
  setImmediate(() => socket?.uncork());
  if (body === null) outgoing.end();
  else await pump(body, outgoing);
}

/**
 * Writes each chunk when the system has accepted the one before, so that the unread bytes are known. Node's `pipeline`
 * would read ahead.
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
    // It may be closed by now.
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

/** Answers a request whose upload is still running. The rest is not read, so the connection cannot be reused. */
export async function sendEarly(
  { status, headers, text }: PlainAnswer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  // RFC 9110, 8.6: a response without content says nothing of its length.
  const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(text) };
  outgoing.writeHead(status, { ...headers, ...length, connection: 'close' });
  outgoing.write(text);
  await untilQuiet(incoming);
  outgoing.end();
}

const LINGERING_BYTES = 64 * 1024;
const LINGERING_MILLISECONDS = 1000;

/**
 * Lingering close: resolves when a refused client has stopped sending, or had time to notice. Closing while data
 * arrives would lose the answer (RFC 9112, 9.6). It reads a little, and then lets the client block.
 */
function untilQuiet(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let left = LINGERING_BYTES;
    const skip = (chunk: Uint8Array): void => {
      left -= chunk.length;
      if (left <= 0) incoming.pause();
    };
    const finish = (): void => {
      clearTimeout(timer);
      incoming.off('data', skip).off('end', finish).off('close', finish);
      resolve();
    };
    const timer = setTimeout(finish, incoming.destroyed ? 0 : LINGERING_MILLISECONDS);
    incoming.on('error', () => undefined);
    incoming.on('data', skip).once('end', finish).once('close', finish).resume();
  });
}
