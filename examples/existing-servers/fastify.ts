import Fastify from 'fastify';
import { McpApplication } from 'toolwright';
import { StockModule } from './stock.module.ts';

const mcp = await McpApplication.create(StockModule, { surface: 'auto' });

const server = Fastify();
server.get('/health', () => 'ok');
server.all('/mcp', (request, reply) => {
  reply.hijack();
  void mcp.node(request.raw, reply.raw, request.body);
});
// Before Fastify waits for its connections, which may be streams of clients
server.addHook('preClose', () => mcp.close());

console.log(`stock at ${await server.listen({ port: Number(process.env['PORT'] ?? 3000) })}/mcp`);
process.once('SIGTERM', () => void server.close());
