/** Stands for GitHub on this machine: it answers each request with what it has received. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What has reached the API. */
export interface Received {
  /** The method, the path and the query: `GET /repos/acme/web/issues?state=open`. */
  readonly request: string;
  readonly body?: unknown;
  readonly authorization?: string;
}

export interface Upstream {
  readonly url: string;
  close(): void;
}

export async function startUpstream(): Promise<Upstream> {
  const server = createServer((incoming, response) => {
    void read(incoming).then((received) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(received));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function read(incoming: IncomingMessage): Promise<Received> {
  let text = '';
  for await (const part of incoming.setEncoding('utf8')) text += String(part);
  const { method = '', url = '', headers } = incoming;
  const { authorization } = headers;
  return {
    request: `${method} ${url}`,
    ...(text === '' ? {} : { body: JSON.parse(text) as unknown }),
    ...(authorization === undefined ? {} : { authorization }),
  };
}
