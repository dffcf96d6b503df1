import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { ByteCollector } from '../../shared/byte-collector.ts';
import { Cancellation } from '../../call/call-context.ts';
import type { GuardedHeader } from './decisive-headers.ts';
import type { HeaderReader } from '../../engine/revision.ts';
import { type HttpAnswer, HttpRefusal } from './http-answer.ts';
import type { HttpHandler } from './http-handler.ts';
import type { BodyBytes, HttpRequest } from './http-request.ts';

const MOST_TARGETS = 100;

/** Who is told what becomes of a request, and how its body is read if not from the request itself. */
type ToldOfRequest = Pick<HttpRequest, 'onAdmit' | 'onDirect' | 'isDecoded'> &
  Partial<Pick<HttpRequest, 'readBody'>>;

/** Reads requests of a node:http server. It knows again whom most of them call, which is read once. */
export class NodeRequests {
  readonly #targets = new Map<string, URL>();

  /** Has a request answered; one that cannot even be read is refused. */
  async answer(
    handler: HttpHandler,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    told: ToldOfRequest,
  ): Promise<HttpAnswer> {
    try {
      return await handler.handle(this.read(incoming, outgoing, told));
    } catch (error) {
      if (error instanceof HttpRefusal) return error.toAnswer();
      throw error;
    }
  }

  /** @throws HttpRefusal for a target that cannot be read */
  read(incoming: IncomingMessage, outgoing: ServerResponse, told: ToldOfRequest): HttpRequest {
    const gone = new Cancellation();
    if (outgoing.closed) gone.cancel();
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) gone.cancel();
    });
    checkFraming(incoming);
    const { host, url, path } = targetOf(incoming);
    return {
      method: incoming.method ?? 'GET',
      url: this.#urlOf(url),
      path,
      host,
      headers: new NodeHeaders(incoming.headers),
      gone,
      readBody: (limit) => readBody(incoming, limit),
      ...told,
    };
  }

  #urlOf(target: string): URL {
    const known = this.#targets.get(target);
    if (known !== undefined) return known;
    if (!URL.canParse(target)) {
      throw unreadable();
    }
    const url = new URL(target);
    // Clients choose what they call, and may not fill the memory with it.
    if (this.#targets.size >= MOST_TARGETS) this.#targets.clear();
    this.#targets.set(target, url);
    return url;
  }
}

/** What decides whether a request can be read at all, as Node gives it. */
type IncomingHead = Pick<IncomingMessage, 'url' | 'rawHeaders'> & {
  readonly headers: Partial<Pick<IncomingHttpHeaders, GuardedHeader>>;
};

/** A host as URLs write it, an IPv6 address in brackets, and a port (RFC 9110, 7.2). */
const AUTHORITY = /^(?:\[[\da-f:.]+(?:%25[\w.~-]+)?\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;
const ABSOLUTE = /^https?:\/\/([^/?#]*)([^?]*)/i;

/** What a request calls. */
interface RequestTarget {
  readonly host: string | null;
  readonly url: string;
  readonly path: string;
}

/**
 * A request may name all of its target, whose host counts then (RFC 9112, 3.2.2).
 * @throws HttpRefusal for a host that would be read as a part of the path
 */
export function targetOf({ url = '/', headers }: Pick<IncomingHead, 'url' | 'headers'>): RequestTarget {
  const absolute = url.startsWith('/') ? null : ABSOLUTE.exec(url);
  if (absolute !== null) {
    const [, host = '', path = ''] = absolute;
    return { host: checkedHost(host), url, path: path === '' ? '/' : path };
  }
  const host = headers.host === undefined ? null : checkedHost(headers.host);
  const [path = ''] = url.split('?', 1);
  return { host, url: `http://${host === null || host === '' ? 'localhost' : host}${url}`, path };
}

function checkedHost(host: string): string {
  if (AUTHORITY.test(host)) return host;
  // Fetch standard, 5.4: no Request can be made of such a URL.
  const isUser = host.includes('@');
  throw isUser
    ? new HttpRefusal(400, 'The request target must not contain a user name or a password')
    : unreadable();
}

/**
 * Refuses what whoever stands before the server may have read in another way. Of these headers Node takes the first.
 * @throws HttpRefusal RFC 9112, 3.2 (Host) and 6.1 (Transfer-Encoding)
 */
function checkFraming({ rawHeaders, headers }: IncomingHead): void {
  if (hasRepeated(rawHeaders)) throw new HttpRefusal(400, 'Host and Content-Type must be sent once');
  const coding = headers['transfer-encoding']?.trim().toLowerCase();
  if (coding === undefined || coding === 'chunked') return;
  throw new HttpRefusal(501, 'Transfer-Encoding may only be chunked');
}

/** Whether a request has one of the headers twice that must not differ. @param rawHeaders names and values in turn */
export function hasRepeated(rawHeaders: readonly string[]): boolean {
  let [hosts, types] = [0, 0];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // By their lengths first: this is done for every request.
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 12 && name.toLowerCase() === 'content-type') types += 1;
  }
  return hosts > 1 || types > 1;
}

function unreadable(): HttpRefusal {
  return new HttpRefusal(400, 'The request target or the Host header cannot be read');
}

export class NodeHeaders implements HeaderReader {
  readonly #headers: IncomingHttpHeaders;

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers;
  }

  get(name: string): string | null {
    return this.has(name) ? valueOf(this.#headers[name]) : null;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#headers, name);
  }

  *[Symbol.iterator](): IterableIterator<[string, string]> {
    for (const [name, value] of Object.entries(this.#headers)) yield [name, valueOf(value)];
  }
}

function valueOf(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}

// Not `for await`: leaving that loop early destroys the socket, and with it the answer.
export function readBody(incoming: IncomingMessage, limit: number): Promise<BodyBytes> {
  return new Promise((resolve) => {
    const collector = new ByteCollector(limit);
    const finish = (outcome: BodyBytes): void => {
      incoming.off('data', add).off('end', end).off('close', abort);
      incoming.pause();
      resolve(outcome);
    };
    const add = (chunk: Uint8Array): void => {
      if (!collector.add(chunk)) finish('too-large');
    };
    const end = (): void => {
      finish(collector.take());
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
