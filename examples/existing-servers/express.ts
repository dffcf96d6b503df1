import express from 'express';
import { createServer } from 'node:http';
import { McpApplication } from 'toolwright';
import { listening } from './listening.ts';
import { StockModule } from './stock.module.ts';

const mcp = await McpApplication.create(StockModule, { surface: 'auto' });

const app = express();
app.use(express.json());
app.get('/health', (_request, response) => void response.send('ok'));
app.all('/mcp', (request, response) => mcp.node(request, response));

const server = createServer(app);
await listening(server);
process.once('SIGTERM', () => {
  void mcp.close().then(() => server.close());
});
