import { once } from 'node:events';
import { Agent, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { selfSigned } from './node-fetch.ts';

/** A proxy that ends TLS, as nginx does it with the settings of the guide. */
export interface TlsProxy {
  /** With the public name, which resolves nowhere. */
  readonly url: string;
  readonly port: number;
  /** What clients have to trust. */
  readonly ca: string;
  /** How many connections it has opened to the server. */
  connections(): number;
  /** `Keep-Alive` of the server's last answer. */
  keepAlive(): string | undefined;
  close(): Promise<void>;
}

/** The public name, to which the certificate belongs. */
export const PUBLIC_NAME = 'mcp.example';

/** Headers that belong to one connection, and those that the proxy writes itself. */
const OWN = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'x-forwarded-for',
  'x-forwarded-proto',
]);

/** Where the server is: the URL of its endpoint, or its socket. */
type Upstream = { readonly url: string } | { readonly socketPath: string };

/**
 * Passes Host on, adds the address of the client to X-Forwarded-For, keeps connections to the server open, and sends
 * answers when they are complete, unless they have `X-Accel-Buffering: no`.
 */
export async function tlsProxy(upstream: Upstream): Promise<TlsProxy> {
  const certificate = await selfSigned();
  const agent = new Agent({ keepAlive: true });
  const sockets = new Set<Socket>();
  let keepAlive: string | undefined;
  const target =
    'url' in upstream
      ? { host: new URL(upstream.url).hostname, port: new URL(upstream.url).port }
      : { socketPath: upstream.socketPath };

  const pass = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { method, url: path } = incoming;
    const passed = send({ ...target, agent, method, path, headers: forwarded(incoming) });
    passed.on('socket', (socket) => sockets.add(socket));
    passed.on('response', (response) => {
      keepAlive = response.headers['keep-alive']?.toString();
      answer(response, outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  };

  const server = createServer({ ...certificate }, pass);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://${PUBLIC_NAME}:${String(port)}/mcp`,
    port,
    ca: certificate.cert,
    connections: () => sockets.size,
    keepAlive: () => keepAlive,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

function forwarded({ headers, socket }: IncomingMessage): Record<string, string | string[]> {
  const before = headers['x-forwarded-for'];
  const addresses = [...(before === undefined ? [] : [before].flat()), socket.remoteAddress ?? ''];
  return { ...passable(headers), 'x-forwarded-for': addresses.join(', '), 'x-forwarded-proto': 'https' };
}

function passable(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OWN.has(name) ? [] : [[name, value]],
    ),
  );
}

function answer(response: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(response.statusCode ?? 502, passable(response.headers));
  if (response.headers['x-accel-buffering'] === 'no') {
    outgoing.flushHeaders();
    response.pipe(outgoing);
    return;
  }
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () => outgoing.end(Buffer.concat(chunks)));
}
