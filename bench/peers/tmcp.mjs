import { createServer } from 'node:http';
import { createRequestListener } from '@remix-run/node-fetch-server';
import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
import { HttpTransport } from '@tmcp/transport-http';
import { McpServer } from 'tmcp';
import { announce } from './announce.mjs';
import { orderSchema } from './order-schema.mjs';
import { countedPriceResult, DESCRIPTION, NAME } from './order-tool.mjs';

const server = new McpServer(
  { name: 'orders', version: '1.0.0', description: DESCRIPTION },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } },
);
server.tool({ name: NAME, description: DESCRIPTION, schema: orderSchema }, async (order) =>
  countedPriceResult(order),
);

const transport = new HttpTransport(server, { path: '/mcp' });
const listening = createServer(
  createRequestListener(
    async (request) => (await transport.respond(request)) ?? new Response(null, { status: 404 }),
  ),
);
listening.listen(0, '127.0.0.1', () => announce(listening.address().port));
