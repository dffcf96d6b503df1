import { ToolwrightError } from '../errors/toolwright-error.ts';
import { connectionError, MAX_ANSWER_BYTES, tooLarge, unauthorized } from './client-errors.ts';
import { parseJson } from '../shared/json.ts';
import { pause } from '../shared/platform.ts';
import { readBody } from '../shared/read-body.ts';
import type { ClientMessage, ClientTransport, Receiver, SendOptions } from './client-transport.ts';
import { redirectTarget, refusedRedirect } from './redirects.ts';
import { readEvents, type EventLimit } from './server-events.ts';

interface HttpTransportOptions {
  /** Sent with every request: `authorization`, a tenant. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: `fetch` of the platform. */
  readonly fetch?: typeof fetch;
  /** The most bytes of one answer, and of one event of a stream. Default 64 MiB. */
  readonly maxAnswerBytes?: number;
}

/** How to resume a stream, and after how many milliseconds. */
interface Resumption {
  readonly lastEventId: string;
  readonly delay: number;
}

const JSON_TYPE = 'application/json';
const EVENT_STREAM = 'text/event-stream';
const FIRST_DELAY = 1000;
const LONGEST_DELAY = 30_000;
/** Consecutive attempts without an event after which a stream counts as lost. */
const MOST_TRIES = 5;
const MAX_REDIRECTS = 5;
const NOT_FOUND = 'check the path of the URL (usually /mcp); after the end of a session, connect again';

/** Streamable HTTP, for sessions of the 2025 revisions and for 2026-07-28 (spec: basic/transports). */
export class HttpTransport implements ClientTransport {
  readonly place: string;
  readonly hasResponses = true;
  readonly #url: URL;
  readonly #headers: Headers;
  readonly #fetch: typeof fetch;
  readonly #limit: EventLimit;
  readonly #ended = new AbortController();
  #receiver: Receiver | undefined;
  #sessionId: string | undefined;

  constructor(url: string | URL, options: HttpTransportOptions = {}) {
    const { headers = {}, fetch: own = fetch, maxAnswerBytes: bytes = MAX_ANSWER_BYTES } = options;
    this.#url = new URL(url);
    this.place = this.#url.href;
    this.#headers = new Headers(headers);
    this.#fetch = own;
    this.#limit = { bytes, tooLarge: () => tooLarge(this.place, 'one answer', bytes) };
  }

  start(receiver: Receiver): Promise<void> {
    this.#receiver = receiver;
    return Promise.resolve();
  }

  async send(message: ClientMessage, { headers = {}, signal }: SendOptions = {}): Promise<void> {
    const ended = this.#endedOr(signal);
    const response = await this.#request(
      {
        method: 'POST',
        headers: { ...headers, 'content-type': JSON_TYPE, accept: `${JSON_TYPE}, ${EVENT_STREAM}` },
        body: JSON.stringify(message),
      },
      ended,
    );
    this.#sessionId = response.headers.get('mcp-session-id') ?? this.#sessionId;
    await this.#receiveResponse(response, message, ended);
  }

  /** Opens the stream for messages that belong to no request; servers may not offer one. */
  async openSession(revision: string): Promise<void> {
    this.#headers.set('mcp-protocol-version', revision);
    if (this.#sessionId === undefined) return;
    const { signal } = this.#ended;
    const report = (error: unknown): void => {
      if (!signal.aborted) this.#receiver?.failed(error as Error);
    };
    try {
      const stream = await this.#reopen('', signal);
      if (stream !== undefined) this.#follow(stream, undefined, signal).catch(report);
    } catch (error) {
      report(error);
    }
  }

  async close(): Promise<void> {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort(new Error('The client was closed'));
    // Without DELETE, the session lasts until the server drops it. The server may refuse (405) or be gone.
    if (this.#sessionId !== undefined) {
      const ending = this.#request({ method: 'DELETE' }, AbortSignal.timeout(5000));
      await ending.then(discard).catch(() => undefined);
    }
    this.#receiver?.closed();
  }

  async #receiveResponse(response: Response, message: ClientMessage, ended: AbortSignal): Promise<void> {
    const id = message.method === undefined ? undefined : message.id;
    if (response.body !== null && typeOf(response).startsWith(EVENT_STREAM)) {
      await this.#follow(response.body, id, ended);
      return;
    }
    if (id === undefined && response.ok) return discard(response);
    const text = await this.#read(response);
    const { status } = response;
    if (status === 401 || status === 403) throw this.#unauthorized(response, text);
    const answer = typeOf(response).startsWith(JSON_TYPE) ? parsed(text) : undefined;
    // An error status may come with a JSON-RPC error, which is more specific.
    if (id === undefined || !isAnswerTo(answer, id, response.ok)) throw this.#refused(response, text);
    this.#receiver?.message({ ...answer, id });
  }

  async #read({ body }: Response): Promise<string> {
    const bytes = await readBody(body, this.#limit.bytes);
    if (bytes === undefined) throw this.#limit.tooLarge();
    return new TextDecoder().decode(bytes);
  }

  #unauthorized({ status, headers }: Response, text: string): ToolwrightError {
    return unauthorized(this.place, status, text, headers.get('www-authenticate'));
  }

  #refused({ status, statusText }: Response, text: string): ToolwrightError {
    const words = `answered ${String(status)} ${statusText}${text === '' ? '' : `: ${text.slice(0, 300)}`}`;
    return connectionError(this.place, words, status === 404 ? NOT_FOUND : undefined);
  }

  /**
   * Reads a stream to its end, and resumes it when it breaks off.
   * @param awaited the request whose answer ends the stream; without it the stream lasts as long as the session
   */
  async #follow(
    body: ReadableStream<Uint8Array>,
    awaited: string | number | undefined,
    ended: AbortSignal,
  ): Promise<void> {
    let next: Resumption = { lastEventId: '', delay: FIRST_DELAY };
    let stream: ReadableStream<Uint8Array> | undefined = body;
    for (let tries = 0; stream !== undefined && tries < MOST_TRIES; tries += 1) {
      const read = await this.#readStream(stream, next, awaited, ended);
      if (read.isAnswered) return;
      if (read.isFruitful) tries = 0;
      next = read.next;
      if (this.#sessionId === undefined || (awaited !== undefined && next.lastEventId === '')) break;
      await pause(Math.min(next.delay, LONGEST_DELAY), ended);
      ended.throwIfAborted();
      stream = await this.#reopen(next.lastEventId, ended);
    }
    if (awaited !== undefined) {
      throw connectionError(this.place, 'ended the response before the request was answered.');
    }
  }

  async #readStream(
    stream: ReadableStream<Uint8Array>,
    { lastEventId, delay }: Resumption,
    awaited: string | number | undefined,
    ended: AbortSignal,
  ): Promise<{ readonly isAnswered: boolean; readonly isFruitful: boolean; readonly next: Resumption }> {
    let next = { lastEventId, delay };
    let isFruitful = false;
    try {
      for await (const event of readEvents(stream, this.#limit)) {
        isFruitful = true;
        next = { lastEventId: event.id ?? next.lastEventId, delay: event.retry ?? next.delay };
        if (event.data === '') continue;
        const message = parsed(event.data);
        this.#receiver?.message(message, awaited);
        if (awaited !== undefined && message?.['id'] === awaited && !('method' in message)) {
          return { isAnswered: true, isFruitful, next };
        }
      }
    } catch (cause) {
      if (isFinal(cause, ended)) throw cause;
      // A broken stream is resumed if the server supports it.
    }
    return { isAnswered: false, isFruitful, next };
  }

  async #reopen(lastEventId: string, ended: AbortSignal): Promise<ReadableStream<Uint8Array> | undefined> {
    const headers = { accept: EVENT_STREAM, ...(lastEventId === '' ? {} : { 'last-event-id': lastEventId }) };
    const response = await this.#request({ method: 'GET', headers }, ended);
    if (response.ok && response.body !== null) return response.body;
    await discard(response);
    return undefined;
  }

  async #request(
    { headers = {}, ...init }: { method: string; headers?: Record<string, string>; body?: string },
    signal: AbortSignal,
  ): Promise<Response> {
    const all = new Headers(this.#headers);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    if (this.#sessionId !== undefined) all.set('mcp-session-id', this.#sessionId);
    let url = this.#url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await this.#ask(url, { ...init, headers: all, signal, redirect: 'manual' });
      const target = redirectTarget(response, url, this.place);
      if (target === undefined) return response;
      url = target;
    }
    throw refusedRedirect(this.place, url.href, 'it redirects again and again.');
  }

  async #ask(url: URL, init: RequestInit & { readonly signal: AbortSignal }): Promise<Response> {
    try {
      return await this.#fetch(url, init);
    } catch (cause) {
      if (init.signal.aborted) throw cause;
      throw connectionError(
        this.place,
        `cannot be reached: ${reasonOf(cause)}.`,
        'start the server, or check the URL',
        cause,
      );
    }
  }

  #endedOr(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#ended.signal : AbortSignal.any([this.#ended.signal, signal]);
  }
}

/** Ends a response that is not read. */
async function discard({ body }: Response): Promise<void> {
  await body?.cancel();
}

/** Whether reading ended for good: it was given up, or the server sends too much. */
function isFinal(cause: unknown, { aborted }: AbortSignal): boolean {
  return aborted || ToolwrightError.is(cause);
}

function typeOf({ headers }: Response): string {
  return headers.get('content-type') ?? '';
}

type Members = Readonly<Record<string, unknown>>;

function parsed(text: string): Members | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? (value as Members) : undefined;
}

/** A refusal may have no id, because the server could not read it. */
function isAnswerTo(answer: Members | undefined, id: string | number, isOk: boolean): answer is Members {
  if (answer === undefined || !('result' in answer || 'error' in answer)) return false;
  return answer['id'] === id || (!isOk && (answer['id'] === null || answer['id'] === undefined));
}

function reasonOf(cause: unknown): string {
  const inner = (cause as { readonly cause?: unknown }).cause ?? cause;
  return inner instanceof Error ? inner.message || inner.name : String(inner);
}
