import { request } from 'node:http';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { McpApplication } from 'toolwright';

/** One way to a tool: a call of it, again and again. */
export interface CallRoute {
  readonly name: string;
  /** Opens what the route needs; what it gives makes one call. */
  open(app: McpApplication): Promise<() => Promise<unknown>>;
}

type Json = Record<string, unknown>;

const CALL = { name: 'sums', arguments: { action: 'add', a: 1, b: 2 } };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'house', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const HEADERS_2026 = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'sums',
};
const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'house', version: '1.0.0' },
};

/** All that a call can come by. Clients are as small as can be, so that only the server is counted. */
export const CALL_ROUTES: readonly CallRoute[] = [
  {
    name: 'HTTP 2025',
    open: async (app) => {
      const { url } = await app.listen({ port: 0, sessions: false });
      return () => post(url, message('tools/call', CALL), {});
    },
  },
  {
    name: 'HTTP 2026',
    open: async (app) => {
      const { url } = await app.listen({ port: 0, sessions: false });
      return () => post(url, message('tools/call', { ...CALL, _meta: META }), HEADERS_2026);
    },
  },
  {
    name: 'HTTP session',
    open: async (app) => {
      const { url } = await app.listen({ port: 0 });
      const { sessionId } = await post(url, message('initialize', INITIALIZE), {});
      const headers = { 'mcp-session-id': sessionId, 'mcp-protocol-version': '2025-11-25' };
      await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
      return () => post(url, message('tools/call', CALL), headers);
    },
  },
  { name: 'stdio', open: openStdio },
  {
    name: 'attach',
    open: async (app) => {
      const server = new McpServer({ name: 'own', version: '1.0.0' });
      app.attach(server);
      const [near, far] = InMemoryTransport.createLinkedPair();
      const client = new Client({ name: 'house', version: '1.0.0' });
      await Promise.all([server.connect(far), client.connect(near)]);
      return () => client.callTool(CALL);
    },
  },
  {
    name: 'app.call',
    open: (app) => Promise.resolve(() => app.call(CALL.name, CALL.arguments)),
  },
];

let lastId = 0;
function message(method: string, params: Json): Json & { readonly id: number } {
  lastId += 1;
  return { jsonrpc: '2.0', id: lastId, method, params };
}

/** Not with fetch: as few steps in this process as possible. */
function post(
  url: string,
  body: Json,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly sessionId: string }> {
  return new Promise((resolve, reject) => {
    const posted = request(url, { method: 'POST', headers: { ...HEADERS, ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const isRefused = (response.statusCode ?? 500) >= 300 || text.includes('"error"');
        if (isRefused) reject(new Error(`${String(response.statusCode)} ${text}`));
        else resolve({ sessionId: String(response.headers['mcp-session-id']) });
      });
    });
    posted.on('error', reject);
    posted.end(JSON.stringify(body));
  });
}

async function openStdio(app: McpApplication): Promise<() => Promise<unknown>> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const waiting = new Map<unknown, () => void>();
  stdout.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().trim().split('\n')) {
      const { id, error } = JSON.parse(line) as Json;
      if (error !== undefined) throw new Error(line);
      waiting.get(id)?.();
    }
  });
  await app.stdio({ stdin, stdout });
  const send = (method: string, params: Json): Promise<void> => {
    const sent = message(method, params);
    const answered = new Promise<void>((resolve) => waiting.set(sent.id, resolve));
    stdin.write(`${JSON.stringify(sent)}\n`);
    return answered;
  };
  await send('initialize', INITIALIZE);
  stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return () => send('tools/call', CALL);
}
