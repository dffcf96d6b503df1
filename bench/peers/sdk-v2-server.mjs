import { McpServer } from '@modelcontextprotocol/server';
import { orderSchema } from './order-schema.mjs';
import { countedPriceResult, DESCRIPTION, NAME } from './order-tool.mjs';

export function createServer() {
  const server = new McpServer({ name: 'orders', version: '1.0.0' });
  server.registerTool(NAME, { description: DESCRIPTION, inputSchema: orderSchema }, async (order) =>
    countedPriceResult(order),
  );
  return server;
}
