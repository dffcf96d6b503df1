import { once } from 'node:events';
import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { createServer, type Server, type ServerOptions } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { isLoopbackAddress, LOOPBACK_NAMES } from '../../shared/loopback.ts';
import type { HttpOptions } from './http-options.ts';

const HOST = '127.0.0.1';
/** For the user of the process alone. */
const SOCKET_MODE = 0o600;

/** Where a server listens. */
export interface Place {
  /** Before the path in the URL of the endpoint. A Unix socket is named as nginx does. */
  readonly origin: string;
  /** 0 for a Unix socket. */
  readonly port: number;
  readonly socketPath: string | undefined;
  /** The host as it was given, or the address; the path of a Unix socket. */
  readonly host: string;
  /** What the host stands for; empty for a Unix socket. */
  readonly address: string;
  /** For messages. */
  readonly name: string;
  /** The host names of clients on this machine; undefined where others reach the server, too. */
  readonly localNames: readonly string[] | undefined;
}

/** The server that was given, or one of its own; with the same times, because Node closes idle connections after 5 seconds. */
export function serverOf(options: HttpOptions): Server {
  const times = timesOf(options);
  const given = options.server as Server | undefined;
  if (given === undefined) return createServer(times);
  const { keepAliveTimeout, requestTimeout } = times;
  return Object.assign(given, { keepAliveTimeout, requestTimeout });
}

/** Where to listen. */
type ListenOptions = {
  readonly [Name in 'port' | 'host' | 'socketPath' | 'socketMode']?: HttpOptions[Name] | undefined;
};

/**
 * Resolves to where the server listens.
 * @throws ToolwrightError TW_SERVER_LISTEN
 */
export async function listen(server: Server, at: ListenOptions, where = 'listen()'): Promise<Place> {
  const { port = 0, host = HOST, socketPath, socketMode = SOCKET_MODE } = at;
  try {
    if (socketPath !== undefined) await listenAtSocket(server, socketPath, socketMode);
    else if (!server.listening) await once(server.listen({ port, host: withoutBrackets(host) }), 'listening');
  } catch (cause) {
    const words = socketPath === undefined ? PORT : SOCKET;
    throw cannotListen(cause, socketPath ?? withPort(host, port), where, words);
  }
  // That of a server which listened already is known by its address only
  return placeOf(server, at.port === undefined ? undefined : host);
}

function placeOf(server: Server, given: string | undefined): Place {
  const scheme = hasTls(server) ? 'https' : 'http';
  const bound = server.address() as AddressInfo | string;
  if (typeof bound === 'string') {
    const names = { socketPath: bound, host: bound, name: bound };
    return {
      origin: `${scheme}://unix:${bound}:`,
      port: 0,
      address: '',
      localNames: LOOPBACK_NAMES,
      ...names,
    };
  }
  const { address, port } = bound;
  const host = given ?? address;
  const origin = `${scheme}://${hostOf(host, address, port)}`;
  // By the address and not by the host's spelling: 127.1 and LOCALHOST are loopback, too.
  const localNames = isLoopbackAddress(address) ? [...LOOPBACK_NAMES, new URL(origin).hostname] : undefined;
  return { origin, port, socketPath: undefined, host, address, name: withPort(host, port), localNames };
}

/**
 * Nobody else may connect before the file has its mode, so it is made without any rights for others. A file that a killed
 * process left is replaced; one at which somebody listens is not.
 */
async function listenAtSocket(server: Server, path: string, mode: number): Promise<void> {
  try {
    await bind(server, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || !(await isAbandoned(path))) throw error;
    unlinkSync(path);
    await bind(server, path);
  }
  chmodSync(path, mode);
}

async function bind(server: Server, path: string): Promise<void> {
  // Few servers listen at a socket, and the module is not small
  const { isMainThread } = await import('node:worker_threads');
  // Node refuses umask() in threads; it makes the file before listen() returns.
  const before = isMainThread ? process.umask(0o177) : undefined;
  try {
    server.listen({ path });
  } finally {
    if (before !== undefined) process.umask(before);
  }
  await once(server, 'listening');
}

/** Whether it is the file of a socket at which nobody listens any more. */
async function isAbandoned(path: string): Promise<boolean> {
  // A connection to an ordinary file is refused as well
  if (!lstatSync(path).isSocket()) return false;
  const socket = connect({ path });
  const code = await new Promise<string | undefined>((resolve) => {
    socket.once('connect', () => {
      resolve(undefined);
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      resolve(code);
    });
  });
  socket.destroy();
  return code === 'ECONNREFUSED';
}

/** Connections that the server does not close itself: those whose TLS handshake is not over. */
export class TlsHandshakes {
  readonly #sockets = new Set<Socket>();

  constructor(server: Server) {
    if (!hasTls(server)) return;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** By a method that only servers with certificates have: importing them would cost every server without. */
function hasTls(server: Server): boolean {
  return 'setSecureContext' in server;
}

const KEEP_ALIVE_TIMEOUT = 65_000;
const REQUEST_TIMEOUT = 5 * 60_000;
/** Node's default interval for checking request time-outs. */
const CHECK_INTERVAL = 30_000;

/** Proxies keep idle connections for 60 seconds, and answer 502 if the server closes one earlier. */
function timesOf({
  keepAliveTimeout = KEEP_ALIVE_TIMEOUT,
  requestTimeout = REQUEST_TIMEOUT,
}: HttpOptions): ServerOptions & { readonly keepAliveTimeout: number; readonly requestTimeout: number } {
  const isSooner = requestTimeout > 0 && requestTimeout < CHECK_INTERVAL;
  return {
    keepAliveTimeout,
    requestTimeout,
    connectionsCheckingInterval: isSooner ? requestTimeout : CHECK_INTERVAL,
  };
}

/** What is said of a place where a server cannot listen. */
interface PlaceWords {
  readonly inUse: string;
  readonly fixes: Readonly<Record<string, string>>;
  readonly otherwise: string;
}

const PORT: PlaceWords = {
  inUse: 'another process already listens there (EADDRINUSE)',
  fixes: {
    EADDRINUSE:
      'stop the process that uses the port, choose another port, or let the system choose with port 0',
    EACCES: 'choose a port above 1023, or give the process the right to use this one',
    EADDRNOTAVAIL: 'choose the address of one of this machine’s interfaces, or leave host out for 127.0.0.1',
    ENOTFOUND: 'choose a host name that resolves, or leave host out for 127.0.0.1',
  },
  otherwise: 'check the host and the port',
};

const SOCKET: PlaceWords = {
  inUse: 'another process listens there, or it is not a socket (EADDRINUSE)',
  fixes: {
    EADDRINUSE: 'stop the process that listens there, or choose another path',
    // Node says it of a folder that is missing as well
    EACCES: 'choose a folder that exists, and in which the process may make files',
  },
  otherwise: 'check the path',
};

function cannotListen(
  cause: unknown,
  place: string,
  where: string,
  { inUse, fixes, otherwise }: PlaceWords,
): ToolwrightError {
  const { code = '', message = String(cause) } = cause as {
    readonly code?: string;
    readonly message?: string;
  };
  return new ToolwrightError('TW_SERVER_LISTEN', {
    where,
    what: `cannot use ${place}`,
    why: code === 'EADDRINUSE' ? inUse : message,
    fix: fixes[code] ?? otherwise,
    cause,
  });
}

/** The host for a client on this machine; the wildcard address of all interfaces cannot be called. */
function hostOf(host: string, address: string, port: number): string {
  const name = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : withoutBrackets(host);
  // URLs do not support zones (URL standard, 3.5).
  return withPort(name.replace(/%.*$/, ''), port);
}

function withPort(host: string, port: number): string {
  const name = withoutBrackets(host);
  return `${name.includes(':') ? `[${name}]` : name}:${String(port)}`;
}

/** URLs write IPv6 addresses in brackets, which resolvers do not know. */
function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
