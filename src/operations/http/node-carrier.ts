import { createServer, request as openRequest, type IncomingMessage, type RequestListener } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { CallContext } from '../../call/call-context.ts';
import { ToolError } from '../../index.ts';
import type { CarriedCall, Carrier, CarryOptions, HttpAnswer, HttpRequest } from '../operation.ts';

const LOOPBACK = '127.0.0.1';
/** For documentation only (RFC 5737): it is nobody's, so no guard trusts it. */
const UNKNOWN_ADDRESS = '192.0.2.0';

// Symbol.for: a second installed copy of the package finds the same call
const CALL = Symbol.for('toolwright:carried-call');

/** What a socket of `node:http` has beside a stream. */
interface SocketMembers {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly remoteFamily: string;
  readonly encrypted: boolean;
  readonly [CALL]?: CarriedCall;
}

/** A server that accepts connections: one of `node:http`, or one by its shape. */
export interface ConnectedServer {
  /** Gets `connection` with one end of a pair of streams. */
  emit(event: string, ...args: unknown[]): boolean;
  /** There where requests are taken as if they came over TLS. */
  readonly setSecureContext?: unknown;
}

/**
 * Sends requests to a server of this process, over a pair of streams: nothing is listened on, and everything runs that
 * runs for a request from outside. The server need not listen.
 *
 * Each call has a pair of its own. A pair that stays open would let the next call see the asynchronous context of the
 * first one, and with it somebody else's tenant.
 */
export function nodeCarrier(target: ConnectedServer | RequestListener): Carrier {
  const server: ConnectedServer = typeof target === 'function' ? createServer(target) : target;
  const isSecure = server.setSecureContext !== undefined;
  return (request, options) =>
    new Promise((resolve, reject) => {
      const { signal, call } = options;
      signal.throwIfAborted();
      let near: Duplex | undefined;
      const outgoing = openRequest({
        method: request.method,
        path: request.path,
        headers: headersFor(request),
        setHost: false,
        // Not before: a header that cannot be sent throws, and would leave the pair open
        createConnection: () => (near = connect(server, isSecure, call)),
      });
      const abort = (): void => {
        outgoing.destroy();
        near?.destroy();
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abort, { once: true });
      const settle = (): void => signal.removeEventListener('abort', abort);
      const fail = (error: unknown): void => {
        settle();
        near?.destroy();
        reject(ToolError.is(error) ? error : broken(request, error));
      };
      outgoing.once('error', fail);
      // An answer that changes the protocol ends the connection without an error
      const end = (): void => fail(new Error('the connection ended without an answer'));
      outgoing.once('close', end);
      outgoing.once('response', (incoming) => {
        outgoing.off('close', end);
        readWhole(incoming, options).then((answer) => {
          settle();
          near?.destroy();
          resolve(answer);
        }, fail);
      });
      outgoing.end(request.body);
    });
}

/** The call that a request is made for; undefined for a request from outside. Headers have no say in it. */
export function carriedCall(request: unknown): CarriedCall | undefined {
  const given = request as { readonly raw?: unknown; readonly socket?: unknown } | null | undefined;
  const raw = given?.raw as { readonly socket?: unknown } | undefined;
  const socket = (raw?.socket ?? given?.socket) as Partial<SocketMembers> | undefined;
  return socket?.[CALL];
}

/** Opens a pair; the far end becomes a connection of the server. */
function connect(server: ConnectedServer, isSecure: boolean, call: CarriedCall): Duplex {
  const [near, far] = duplexPair();
  giveSocketMembers(near, LOOPBACK, isSecure);
  giveSocketMembers(far, addressFor(call), isSecure);
  Object.defineProperty(far, CALL, { value: call });
  // A pair does not tell one end that the other is gone, and a handler would never learn of an abort
  near.once('close', () => far.destroy());
  far.once('close', () => near.destroy());
  far.on('error', () => near.destroy());
  near.on('error', () => far.destroy());
  server.emit(isSecure ? 'secureConnection' : 'connection', far);
  return near;
}

/** Guards trust loopback: an unknown address must not become that. */
function addressFor({ context }: CarriedCall): string {
  const origin = CallContext.originIn(context);
  return origin?.address ?? (origin?.isLocal === true ? LOOPBACK : UNKNOWN_ADDRESS);
}

/** What `node:http`, its users and their middleware ask of a socket. */
function giveSocketMembers(stream: Duplex, address: string, encrypted: boolean): void {
  const self = (): Duplex => stream;
  const members = { setTimeout: self, setNoDelay: self, setKeepAlive: self, ref: self, unref: self };
  const facts: Omit<SocketMembers, typeof CALL> = {
    remoteAddress: address,
    remotePort: 0,
    remoteFamily: address.includes(':') ? 'IPv6' : 'IPv4',
    encrypted,
  };
  Object.assign(stream, members, facts);
}

/** Nothing of the request of the MCP client is in it, but for what the carrier's user has put there. */
function headersFor({ headers, body }: HttpRequest): Record<string, string> {
  return {
    host: 'in.process',
    accept: 'application/json, text/*;q=0.9, */*;q=0.8',
    'user-agent': 'toolwright',
    ...headers,
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  };
}

async function readWhole(incoming: IncomingMessage, { maxAnswerBytes }: CarryOptions): Promise<HttpAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw tooLarge(maxAnswerBytes);
    chunks.push(chunk);
  }
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) };
}

function tooLarge(maxAnswerBytes: number): ToolError {
  return new ToolError('UPSTREAM_ANSWER', `the answer has more than ${String(maxAnswerBytes)} bytes`, {
    suggestion: 'ask for less: a smaller page, or fewer fields',
  });
}

/** A write whose connection broke may have been done. */
function broken({ method }: HttpRequest, cause: unknown): ToolError {
  const isRead = method === 'GET' || method === 'HEAD' || method === 'QUERY';
  return isRead
    ? new ToolError('UPSTREAM_UNAVAILABLE', 'the connection ended before the answer did', { cause })
    : new ToolError('OUTCOME_UNKNOWN', 'the connection ended before the answer did: it may have been done', {
        cause,
      });
}
