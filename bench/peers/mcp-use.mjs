import { MCPServer } from 'mcp-use';
import { announce } from './announce.mjs';
import { orderSchema } from './order-schema.mjs';
import { counter, DESCRIPTION, NAME, priceResult } from './order-tool.mjs';

const server = new MCPServer({ name: 'orders', version: '1.0.0' });
server.use('mcp:tools/call', async (_context, next) => {
  counter.calls += 1;
  return next();
});
server.tool({ name: NAME, description: DESCRIPTION, inputSchema: orderSchema }, async (order) =>
  priceResult(order),
);
const { port } = await server.listen(0, { host: '127.0.0.1' });
announce(port);
