import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';

interface Connection {
  readonly socketPath?: string;
  /** The certificate that is trusted. */
  readonly ca?: string;
  /** The address of this machine from which to connect. */
  readonly localAddress?: string;
  /** The address that every name has. */
  readonly resolvesTo?: string;
}

/** A `fetch` for clients, which connects as asked: to a Unix socket, or with a certificate that nobody else trusts. */
export function fetchBy({ resolvesTo, ...connection }: Connection): typeof fetch {
  const lookup: LookupFunction = (_name, { all }, found) => {
    const address = resolvesTo ?? '';
    if (all === true) found(null, [{ address, family: 4 }]);
    else found(null, address, 4);
  };
  return async (url, init) => {
    const asked = new Request(url, init);
    const target = new URL(asked.url);
    const { hostname, port, protocol } = target;
    const send = protocol === 'https:' ? requestHttps : requestHttp;
    const outgoing = send({
      ...connection,
      ...(resolvesTo !== undefined && { lookup, servername: target.hostname }),
      ...(connection.socketPath === undefined ? { hostname, port } : { hostname }),
      method: asked.method,
      path: `${target.pathname}${target.search}`,
      headers: Object.fromEntries(asked.headers),
      signal: asked.signal,
      agent: false,
    });
    outgoing.end(Buffer.from(await asked.arrayBuffer()));
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const { statusCode: status = 0, headers } = incoming;
    const isEmpty = [204, 202, 304].includes(status);
    if (isEmpty) incoming.resume();
    return new Response(isEmpty ? null : (Readable.toWeb(incoming) as ReadableStream), {
      status,
      headers: headers as Record<string, string>,
    });
  };
}

/** A certificate of its own for this machine and for `mcp.example`, made by openssl, and its key. */
export async function selfSigned(): Promise<{ readonly cert: string; readonly key: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'certificate-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const names = 'subjectAltName=DNS:localhost,DNS:mcp.example,IP:127.0.0.1';
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const made = ['-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=localhost', '-addext', names];
    await promisify(execFile)('openssl', ['req', ...kind, ...made]);
    return { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') };
  } finally {
    await rm(folder, { recursive: true });
  }
}
