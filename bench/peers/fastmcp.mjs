import { createServer } from 'node:net';
import { once } from 'node:events';
import { FastMCP } from 'fastmcp';
import { announce } from './announce.mjs';
import { orderSchema } from './order-schema.mjs';
import { countedPriceResult, DESCRIPTION, NAME } from './order-tool.mjs';

/** It takes no port 0. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

const server = new FastMCP({ name: 'orders', version: '1.0.0' });
server.addTool({
  name: NAME,
  description: DESCRIPTION,
  parameters: orderSchema,
  execute: async (order) => countedPriceResult(order),
});
const port = await freePort();
await server.start({
  transportType: 'httpStream',
  httpStream: { port, host: '127.0.0.1', stateless: true },
});
announce(port);
