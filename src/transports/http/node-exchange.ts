import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Cancellation } from '../../call/call-context.ts';
import type { AuthInfo } from '../../call/request-context.ts';
import type { HeaderReader } from '../../engine/revision.ts';
import { normalAddress } from '../../shared/ip-address.ts';
import { ByteCollector } from '../../shared/byte-collector.ts';
import type { InFlight } from '../../runtime/service.ts';
import type { CheckedHead } from './guards/check-head.ts';
import { SOCKET_PEER, type ClientAddresses } from './guards/client-address.ts';
import { NO_STORE, shareWithOrigin, withoutStoring } from './guards/share-with-origin.ts';
import type { HttpAnswer, PlainAnswer } from './http-answer.ts';
import type { BodyBytes, HttpExchange } from './http-exchange.ts';
import type { HttpHandler } from './http-handler.ts';
import { checkNodeForm, targetOf, QueuedResponses } from './node-http.ts';
import { giveUp, sendSlowly, watchQueued, watchUnread, type NodeSettings } from './send-answer.ts';
import { NOTABLE } from './streams/backpressure-counter.ts';

/** Answers the requests of a server. */
export function exchangeReceiver(
  handler: HttpHandler,
  settings: NodeSettings,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const queued = new QueuedResponses();
  return (incoming, outgoing) => {
    // Only the current response of a connection has the socket.
    if (outgoing.socket === null) queued.watch(incoming, outgoing);
    handler.handle(new NodeExchange(incoming, outgoing, settings));
  };
}

type TakeBody = (bytes: BodyBytes, exchange: HttpExchange) => void;

/** One request of node:http and its answer. Most parts are created on first use. */
export class NodeExchange implements HttpExchange {
  checked: CheckedHead | undefined;
  surface: string | undefined;
  allowedOrigin: string | undefined;
  authInfo: AuthInfo | undefined;
  addresses: ClientAddresses | undefined;
  readonly method: string;
  readonly target: string;
  readonly sentHost: string | null;
  readonly origin: string | null;
  readonly accept: string | null;
  readonly contentType: string | null;
  readonly contentEncoding: string | null;
  readonly transferEncoding: string | null;
  readonly contentLength: string | null;
  readonly revision: string | null;
  readonly sessionId: string | null;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly #settings: NodeSettings;
  #headers: HeaderReader | undefined;
  #gone: Cancellation | undefined;
  #inFlight: InFlight | undefined;
  #isAnswered = false;
  #isClosed: boolean;
  #limit = 0;
  /** Undefined when nobody waits for the body. */
  #take: TakeBody | undefined;
  /** What comes in one piece is not copied. */
  #piece: Uint8Array | undefined;
  #pieces: ByteCollector | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, settings: NodeSettings) {
    const { rawHeaders, method = 'GET', url = '/' } = incoming;
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.#settings = settings;
    this.method = method;
    this.target = url;
    this.sentHost = headerOf(rawHeaders, 'host');
    this.origin = headerOf(rawHeaders, 'origin');
    this.accept = headerOf(rawHeaders, 'accept');
    this.contentType = headerOf(rawHeaders, 'content-type');
    this.contentEncoding = headerOf(rawHeaders, 'content-encoding');
    this.transferEncoding = headerOf(rawHeaders, 'transfer-encoding');
    this.contentLength = headerOf(rawHeaders, 'content-length');
    this.revision = headerOf(rawHeaders, 'mcp-protocol-version');
    this.sessionId = headerOf(rawHeaders, 'mcp-session-id');
    this.#isClosed = outgoing.closed;
    // Emitted for an aborted upload, too; Node reports its error only to listeners of 'error'.
    outgoing.on('close', () => {
      this.#close();
    });
  }

  /** A target that names all of it counts more than the header (RFC 9112, 3.2.2). */
  get host(): string | null {
    return this.target.startsWith('/') ? this.sentHost : targetOf(this.incoming).host;
  }
  get path(): string {
    return targetOf(this.incoming).path;
  }
  get url(): URL {
    return this.checked?.url ?? new URL(targetOf(this.incoming).url);
  }
  get headers(): HeaderReader {
    return (this.#headers ??= new NodeHeaders(this.incoming));
  }
  get peer(): string | undefined {
    return this.#settings.isAtSocket === true ? SOCKET_PEER : this.incoming.socket.remoteAddress;
  }
  get address(): string | undefined {
    return this.addresses?.of(this);
  }
  /** A proxy has ports of its own. */
  get port(): number | undefined {
    const { peer, address } = this;
    return peer !== undefined && normalAddress(peer) === address
      ? this.incoming.socket.remotePort
      : undefined;
  }
  get httpVersion(): string {
    return this.incoming.httpVersion;
  }
  get isDecoded(): boolean {
    return false;
  }
  get gone(): Cancellation {
    if (this.#gone === undefined) {
      this.#gone = new Cancellation();
      if (this.#isClosed && !this.outgoing.writableFinished) this.#gone.cancel();
    }
    return this.#gone;
  }

  sentHeader(name: string): string | null {
    return headerOf(this.incoming.rawHeaders, name);
  }

  headerRecord(): Record<string, string> {
    const { 'set-cookie': list, ...headers } = this.incoming.headers;
    // The only one that Node gives as a list
    return (list === undefined ? headers : Object.fromEntries(this.headers)) as Record<string, string>;
  }

  checkForm(): void {
    checkNodeForm(this.incoming);
  }

  readBody(limit: number, take: TakeBody): void {
    this.#limit = limit;
    this.#take = take;
    if (this.#isClosed || this.incoming.destroyed) {
      this.#hand('aborted');
      return;
    }
    this.incoming.on('data', (chunk: Uint8Array) => {
      if (this.#piece === undefined && chunk.length <= limit) this.#piece = chunk;
      else this.#collect(chunk);
    });
    this.incoming.on('end', () => {
      this.#hand(this.#pieces?.take() ?? this.#piece ?? NOTHING);
    });
  }

  /** Counts as running until its connection is free for another request. */
  countIn(inFlight: InFlight): void {
    if (this.#isClosed) return;
    this.#inFlight = inFlight;
    inFlight.begin();
  }

  answer(given: HttpAnswer): void {
    if (this.#isAnswered || this.#isClosed) {
      if ('body' in given) given.body?.cancel().catch(() => undefined);
      return;
    }
    this.#isAnswered = true;
    const { allowedOrigin, incoming, outgoing } = this;
    const answer = allowedOrigin === undefined ? given : shareWithOrigin(given, allowedOrigin);
    if ('body' in answer || !incoming.complete) {
      void sendSlowly(this.authInfo === undefined ? answer : withoutStoring(answer), this, this.#settings);
      return;
    }
    try {
      writeAnswer(answer, outgoing, this.authInfo !== undefined);
      if (outgoing.writableLength > NOTABLE) watchUnread(outgoing, this.#settings);
      else if (outgoing.socket === null) watchQueued(outgoing, this.#settings);
    } catch (cause) {
      giveUp(cause, outgoing, this.#settings);
    }
  }

  streamEnded(): void {
    // Its response will be closed.
  }

  #collect(chunk: Uint8Array): void {
    if (this.#take === undefined) return;
    if (this.#pieces === undefined) {
      this.#pieces = new ByteCollector(this.#limit);
      if (this.#piece !== undefined) this.#pieces.add(this.#piece);
    }
    if (!this.#pieces.add(chunk)) {
      this.incoming.pause();
      this.#hand('too-large');
    } else if (this.#pieces.isScattered) {
      this.#hand('scattered');
      // After the answer, and before what the parser has read already costs a call for each piece.
      queueMicrotask(() => this.incoming.destroy());
    }
  }

  #hand(bytes: BodyBytes): void {
    const take = this.#take;
    this.#take = undefined;
    take?.(bytes, this);
  }

  #close(): void {
    // Node may say it again of one that waited for its turn.
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#inFlight?.end();
    if (this.outgoing.writableFinished) return;
    this.#gone?.cancel();
    this.#hand('aborted');
  }
}

const NOTHING = new Uint8Array(0);

/** The raw headers. Node's headers object is expensive to create for a short request. */
class NodeHeaders implements HeaderReader {
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  get(name: string): string | null {
    const value = headerOf(this.#incoming.rawHeaders, name);
    // Of several, Node takes the first of some, and all of others.
    return value?.includes(',') === true ? textOf(this.#incoming.headers[name]) : value;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    const entries = Object.entries(this.#incoming.headers);
    return entries.map(([name, value]): [string, string] => [name, textOf(value) ?? '']).values();
  }
}

function textOf(value: string | string[] | undefined): string | null {
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}

/** The bit by which a small letter differs from the capital one. */
const SMALL = 0x20;

/** One that was sent several times counts as one, with a comma between its values (RFC 9110, 5.3). */
function headerOf(rawHeaders: readonly string[], name: string): string | null {
  let found: string | null = null;
  const { length } = rawHeaders;
  for (let index = 0; index < length; index += 2) {
    const given = rawHeaders[index] as string;
    // By its length and first letter first: every request is asked for nine of them
    if (given.length !== name.length || (given.charCodeAt(0) | SMALL) !== name.charCodeAt(0)) continue;
    if (given !== name && given.toLowerCase() !== name) continue;
    const value = rawHeaders[index + 1] as string;
    found = found === null ? value : `${found}, ${value}`;
  }
  return found;
}

/** Writes an answer to a request that was read completely; a short one in one write with the headers. */
export function writeAnswer(answer: PlainAnswer, outgoing: ServerResponse, isPrivate = false): void {
  const { status, headers, bytes } = answer;
  if (bytes !== undefined) {
    const length = bytes.reduce((sum, piece) => sum + piece.length, 0);
    outgoing.writeHead(status, flatHeaders(headers, length, isPrivate));
    for (const piece of bytes) outgoing.write(piece);
    outgoing.end();
    return;
  }
  const { text } = answer;
  const length = Buffer.byteLength(text);
  // As many bytes as characters: they are the same in both encodings, and this one is written faster.
  const encoding = length === text.length ? 'latin1' : 'utf8';
  outgoing.writeHead(status, flatHeaders(headers, status === 204 ? undefined : length, isPrivate));
  // Of a text, Node keeps the text, and what the system did not take at once a second time.
  if (length > NOTABLE) outgoing.end(Buffer.from(text, encoding));
  else outgoing.end(text, encoding);
}

/** One after the other, as Node writes them. RFC 9110, 8.6: a response without content says nothing of its length. */
function flatHeaders(
  headers: PlainAnswer['headers'],
  length: number | undefined,
  isPrivate: boolean,
): string[] {
  const flat: string[] = isPrivate ? ['cache-control', NO_STORE] : [];
  for (const name in headers) flat.push(name, headers[name] as string);
  if (length !== undefined) flat.push('content-length', String(length));
  return flat;
}
