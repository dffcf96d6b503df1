import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Settings {
  readonly result?: object;
  readonly packages?: readonly string[];
  readonly isPrepared?: boolean;
  readonly token?: string;
}

interface Request {
  readonly id: number;
  readonly method: string;
}

// The limit: it reads a request, parses it and writes as many bytes as the server that it is compared with.
const { result, packages = [], isPrepared = false, token } = (await json(process.stdin)) as Settings;
const expected = token === undefined ? undefined : `Bearer ${token}`;
for (const url of packages) await import(url);

const write = (id: number): Buffer => Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result }));
const prepared = write(1_000_000);
const bodyOf = (id: number): Buffer => (isPrepared ? prepared : write(id));

function answer(request: IncomingMessage, response: ServerResponse): void {
  if (expected !== undefined && request.headers.authorization !== expected) {
    response.writeHead(401).end();
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as Request;
    const body = bodyOf(id);
    if (method === 'initialize') response.setHeader('mcp-session-id', randomUUID());
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
}

const server = createServer(answer);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}/mcp` });
});
