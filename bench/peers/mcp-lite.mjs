import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { McpServer, StreamableHttpTransport } from 'mcp-lite';
import { z } from 'zod';
import { announce } from './announce.mjs';
import { orderSchema } from './order-schema.mjs';
import { counter, DESCRIPTION, NAME, priceResult } from './order-tool.mjs';

const server = new McpServer({
  name: 'orders',
  version: '1.0.0',
  schemaAdapter: (schema) => z.toJSONSchema(schema),
});
server.use(async (_context, next) => {
  counter.calls += 1;
  await next();
});
server.tool(NAME, {
  description: DESCRIPTION,
  inputSchema: orderSchema,
  handler: (order) => priceResult(order),
});

const handle = new StreamableHttpTransport().bind(server);
const app = new Hono();
app.all('/mcp', (context) => handle(context.req.raw));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => announce(port));
