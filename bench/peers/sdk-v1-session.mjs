// After the example simpleStreamableHttp of the SDK: a server and a transport for every session
import { randomUUID } from 'node:crypto';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { announce } from './announce.mjs';
import { createServer } from './sdk-v1-server.mjs';

const app = createMcpExpressApp();
const transports = new Map();

app.post('/mcp', async (request, response) => {
  const known = transports.get(request.headers['mcp-session-id']);
  if (known !== undefined) {
    await known.handleRequest(request, response, request.body);
    return;
  }
  if (!isInitializeRequest(request.body)) {
    response
      .status(404)
      .json({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null });
    return;
  }
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => transports.set(id, transport),
  });
  transport.onclose = () => transports.delete(transport.sessionId);
  await createServer().connect(transport);
  await transport.handleRequest(request, response, request.body);
});

const listening = app.listen(0, '127.0.0.1', () => announce(listening.address().port));
