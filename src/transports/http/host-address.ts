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
