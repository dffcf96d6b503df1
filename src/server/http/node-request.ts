import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Cancellation } from '../direct/cancellation.ts';
import type { HeaderReader } from './header-reader.ts';
import { HttpRefusal } from './http-refusal.ts';
import { BodyCollector, type BodyBytes, type HttpRequest } from './http-request.ts';

const MOST_TARGETS = 100;

/** Reads requests of a node:http server. It knows again whom most of them call, which is read once. */
export class NodeRequests {
  readonly #targets = new Map<string, URL>();

  /** @throws HttpRefusal for a target that cannot be read */
  read(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    told: Pick<HttpRequest, 'onAdmit' | 'onDirect'>,
  ): HttpRequest {
    const gone = new Cancellation();
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) gone.cancel();
    });
    const { host, url } = targetOf(incoming);
    return {
      method: incoming.method ?? 'GET',
      url: this.#urlOf(url),
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
      throw new HttpRefusal(400, 'The request target or the Host header cannot be read');
    }
    const url = new URL(target);
    // Clients choose what they call, and may not fill the memory with it.
    if (this.#targets.size >= MOST_TARGETS) this.#targets.clear();
    this.#targets.set(target, url);
    return url;
  }
}

/** A request may name all of its target, whose host counts then (RFC 9112, 3.2.2). */
export function targetOf({ url = '/', headers }: IncomingMessage): { host: string | null; url: string } {
  const [, absolute] = url.startsWith('/') ? [] : (/^https?:\/\/([^/?#]*)/i.exec(url) ?? []);
  if (absolute !== undefined) return { host: absolute, url };
  const host = headers.host ?? null;
  return { host, url: `http://${host ?? 'localhost'}${url}` };
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
