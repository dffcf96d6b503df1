import { once } from 'node:events';
import { Agent, createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where a {@link RoundRobin} sends requests to. */
export interface Backend {
  readonly url: string;
  /** It has lost its power: nothing is sent to it. */
  readonly isDown: boolean;
}

type Pinned = number | undefined;

/** A proxy that gives each request to the next backend, and passes on each byte as it comes. */
export interface RoundRobin {
  readonly url: string;
  /** How many requests each backend has got. */
  readonly counts: readonly number[];
  /** Has one backend get all requests from now on, or those that a function says; undefined for each in turn again. */
  pin(backend: Pinned | ((request: IncomingMessage) => Pinned)): void;
  /** Breaks the connections to a backend. */
  cut(backend: number): void;
  close(): Promise<void>;
}

/** @param triesNext whether a request goes to the next backend where one refuses the connection */
export async function roundRobin(backends: readonly Backend[], triesNext = false): Promise<RoundRobin> {
  const counts = backends.map(() => 0);
  const open = new Map<IncomingMessage, { readonly backend: number; readonly end: () => void }>();
  // A connection for each request: who drains says so on the connection
  const agent = new Agent({ keepAlive: false });
  let pinned: Pinned | ((request: IncomingMessage) => Pinned);
  let turn = -1;
  const next = (): number => {
    do turn = (turn + 1) % backends.length;
    while (backends[turn]?.isDown === true && backends.some(({ isDown }) => !isDown));
    return turn;
  };
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse, tries = 1): void => {
    const backend = (typeof pinned === 'function' ? pinned(incoming) : pinned) ?? next();
    counts[backend] = (counts[backend] ?? 0) + 1;
    const url = backends[backend]?.url;
    if (url === undefined) {
      outgoing.destroy();
      return;
    }
    const { method, headers } = incoming;
    const target = new URL(incoming.url ?? '/', url);
    const upstream = send(target, { method, headers: { ...headers, host: target.host }, agent });
    const end = (): void => {
      open.delete(incoming);
      upstream.destroy();
      outgoing.destroy();
    };
    open.set(incoming, { backend, end });
    upstream.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      outgoing.flushHeaders();
      response.pipe(outgoing);
      response.on('error', end);
    });
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      const isUnsent = triesNext && error.code === 'ECONNREFUSED' && tries < backends.length;
      if (!isUnsent) return end();
      outgoing.off('close', end);
      pass(incoming, outgoing, tries + 1);
    });
    outgoing.on('close', end);
    // What one has not got, another one may get
    if (triesNext) upstream.on('socket', (socket) => socket.on('connect', () => incoming.pipe(upstream)));
    else incoming.pipe(upstream);
  };
  // What a backend says of how long its connections stay open comes to the clients: those of the proxy must not end before
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => pass(incoming, outgoing));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/mcp`,
    counts,
    pin: (backend) => (pinned = backend),
    cut: (backend) => {
      for (const { backend: other, end } of [...open.values()]) if (other === backend) end();
    },
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
