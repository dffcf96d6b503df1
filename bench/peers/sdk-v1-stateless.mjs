// After the example simpleStatelessStreamableHttp of the SDK: a server and a transport for every request
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { announce } from './announce.mjs';
import { createServer } from './sdk-v1-server.mjs';

const app = createMcpExpressApp();

app.post('/mcp', async (request, response) => {
  const server = createServer();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
  response.on('close', () => {
    void transport.close();
    void server.close();
  });
});

const listening = app.listen(0, '127.0.0.1', () => announce(listening.address().port));
