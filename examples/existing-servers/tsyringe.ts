import express from 'express';
import { createServer } from 'node:http';
import { McpApplication } from 'toolwright';
import { container } from 'tsyringe';
import { listening } from './listening.ts';
import { Stock, StockModule } from './stock.module.ts';

// The services of this server are in a tsyringe container, and its tools work with the same instances
container.registerSingleton(Stock);
const mcp = await McpApplication.create(StockModule, { container, surface: 'auto' });

const app = express();
app.use(express.json());
app.get('/health', (_request, response) => void response.send('ok'));
app.get(
  '/stock/:sku',
  ({ params }, response) => void response.json(container.resolve(Stock).count(params.sku)),
);
app.all('/mcp', (request, response) => mcp.node(request, response));

const server = createServer(app);
await listening(server);
process.once('SIGTERM', () => {
  void mcp.close().then(() => server.close());
});
