import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HttpRefusal } from './http-answer.ts';

/** The target and the framing of a request of node:http or node:https. */
type NodeHead = Pick<IncomingMessage, 'url' | 'rawHeaders' | 'headers'> & {
  /** Where there is TLS, it says so. */
  readonly socket?: object;
};

/** What a request calls. */
interface RequestPath {
  readonly host: string | null;
  readonly url: string;
  readonly path: string;
}

/** A host in the form of URLs, with IPv6 addresses in brackets, and a port (RFC 9110, 7.2). */
const AUTHORITY = /^(?:\[[\da-f:.]+(?:%25[\w.~-]+)?\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;
const ABSOLUTE = /^https?:\/\/([^/?#]*)([^?]*)/i;

/**
 * A request may name all of its target, whose host counts then (RFC 9112, 3.2.2).
 * @throws HttpRefusal for a host that would be read as a part of the path
 */
export function targetOf({ url = '/', headers, socket }: Omit<NodeHead, 'rawHeaders'>): RequestPath {
  const absolute = url.startsWith('/') ? null : ABSOLUTE.exec(url);
  if (absolute !== null) {
    const [, host = '', path = ''] = absolute;
    return { host: checkedHost(host), url, path: path === '' ? '/' : path };
  }
  const host = headers.host === undefined ? null : checkedHost(headers.host);
  const [path = ''] = url.split('?', 1);
  return {
    host,
    url: `${schemeOf(socket)}://${host === null || host === '' ? 'localhost' : host}${url}`,
    path,
  };
}

/** Node has this of connections with TLS, without a declaration for the others. */
function schemeOf(socket: NodeHead['socket']): string {
  return socket !== undefined && 'encrypted' in socket ? 'https' : 'http';
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
 * Refuses requests that a proxy may have read in another way. Of these headers, Node uses the first.
 * @throws HttpRefusal RFC 9112, 3.2 (Host) and 6.1 (Transfer-Encoding)
 */
export function checkNodeForm(head: NodeHead): void {
  const names = head.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const isRepeated = (name: string): boolean => names.indexOf(name) !== names.lastIndexOf(name);
  if (isRepeated('host') || isRepeated('content-type')) {
    throw new HttpRefusal(400, 'Host and Content-Type must be sent once');
  }
  const coding = head.headers['transfer-encoding']?.trim().toLowerCase();
  if (coding !== undefined && coding !== 'chunked') {
    throw new HttpRefusal(501, 'Transfer-Encoding may only be chunked');
  }
  if (!URL.canParse(targetOf(head).url)) throw unreadable();
}

function unreadable(): HttpRefusal {
  return new HttpRefusal(400, 'The request target or the Host header cannot be read');
}

/**
 * Clients may pipeline requests. When such a client disconnects, Node does not close the responses that still wait for
 * their turn; this closes them with the first one. Other responses cost nothing.
 */
export class QueuedResponses {
  readonly #waiting = new WeakMap<Socket, Set<ServerResponse>>();

  /** Called for a response that waits, before it is used. */
  watch({ socket }: IncomingMessage, outgoing: ServerResponse): void {
    const waiting = this.#waiting.get(socket) ?? this.#begin(socket);
    waiting.add(outgoing);
    outgoing.once('close', () => waiting.delete(outgoing));
  }

  #begin(socket: Socket): Set<ServerResponse> {
    const waiting = new Set<ServerResponse>();
    this.#waiting.set(socket, waiting);
    socket.once('close', () => {
      for (const outgoing of waiting) {
        outgoing.destroy();
        // A Node that says so itself has taken it out of them.
        if (waiting.has(outgoing)) outgoing.emit('close');
      }
    });
    return waiting;
  }
}
