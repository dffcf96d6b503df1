import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { McpApplication } from 'toolwright';
import { listening } from './listening.ts';
import { StockModule } from './stock.module.ts';

const mcp = await McpApplication.create(StockModule, { surface: 'auto' });

const app = new Hono();
app.get('/health', (context) => context.text('ok'));
app.all('/mcp', (context) => mcp.fetch(context.req.raw));

const server = createAdaptorServer(app);
await listening(server);
process.once('SIGTERM', () => {
  void mcp.close().then(() => server.close());
});
