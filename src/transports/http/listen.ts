import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ToolwrightError } from '../../errors/toolwright-error.ts';

const FIXES: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'stop the process that uses the port, choose another port, or let the system choose with port 0',
  EACCES: 'choose a port above 1023, or give the process the right to use this one',
  EADDRNOTAVAIL: 'choose the address of one of this machine’s interfaces, or leave host out for 127.0.0.1',
  ENOTFOUND: 'choose a host name that resolves, or leave host out for 127.0.0.1',
};

/** Resolves to where the server listens. */
export async function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (cause) {
    throw cannotListen(cause, port, host);
  }
  return server.address() as AddressInfo;
}

function cannotListen(cause: unknown, port: number, host: string): ToolwrightError {
  const { code = '', message = String(cause) } = cause as {
    readonly code?: string;
    readonly message?: string;
  };
  return new ToolwrightError('TW_SERVER_LISTEN', {
    where: 'listen()',
    what: `cannot use ${host}:${String(port)}`,
    why: code === 'EADDRINUSE' ? 'another process already listens there (EADDRINUSE)' : message,
    fix: FIXES[code] ?? 'check the host and the port',
    cause,
  });
}

/** Whether only this machine reaches the address, written as Node writes the addresses of sockets. */
export function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\.\d+\.\d+\.\d+$/i.test(address) || address === '::1';
}

/** Where a client on this machine reaches the server: an address that stands for all interfaces is none to call. */
export function urlOf(host: string, address: string, port: number): string {
  const name = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : withoutBrackets(host);
  // URLs know no zone (URL standard, 3.5).
  return `http://${withPort(name.replace(/%.*$/, ''), port)}`;
}

export function withPort(host: string, port: number): string {
  const name = withoutBrackets(host);
  return `${name.includes(':') ? `[${name}]` : name}:${String(port)}`;
}

/** URLs write IPv6 addresses in brackets, which resolvers do not know. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
