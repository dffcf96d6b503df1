// The least that a first answer over HTTP can cost: what an application imports anyway, and a bare server of Node
import 'reflect-metadata';
import 'class-validator';
import 'class-transformer';
import 'tsyringe';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const server = createServer((request, response) => {
  void text(request).then((body) => {
    const { id } = JSON.parse(body) as { readonly id: number };
    const result = { content: [{ type: 'text', text: '42' }] };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}/mcp\n`);
});
