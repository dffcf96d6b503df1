import { McpServer as McpServerOfVersion1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { createMcpHandler, McpServer as McpServerOfVersion2 } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { McpApplication, type ApplicationOptions } from 'toolwright';
import { ProxyModule, type ProxyOptions } from 'toolwright/proxy';
import { z } from 'zod';
import { MemoryLogger } from '../support/memory-logger.ts';

type Serve = (request: Request) => Promise<Response>;

/** A server on loopback until the test is over. */
export interface Upstream {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves what answers requests of `fetch`. */
export async function listen(serve: Serve): Promise<Upstream> {
  const server = createServer((incoming, outgoing) => void answer(serve, incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(serve: Serve, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.on('close', () => {
    gone.abort();
  });
  const { method = 'GET', url = '' } = incoming;
  const response = await serve(
    new Request(`http://127.0.0.1${url}`, {
      method,
      headers: incoming.headers as Record<string, string>,
      ...(method === 'POST' && { body: await buffer(incoming) }),
      signal: gone.signal,
    }),
  );
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  const body = response.body as unknown as AsyncIterable<Uint8Array> | null;
  try {
    for await (const chunk of body ?? []) outgoing.write(chunk);
  } catch {
    // The client is gone
  }
  outgoing.end();
}

/** A server of SDK v1, with a session for each client. */
export function serverOfVersion1(): Promise<Upstream> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return listen(async (request) => {
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
    if (known !== undefined) return known.handleRequest(request);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await createServerOfVersion1().connect(transport);
    return transport.handleRequest(request);
  });
}

function createServerOfVersion1(): McpServerOfVersion1 {
  const server = new McpServerOfVersion1({ name: 'one', version: '1.0.0' });
  server.registerTool('echo', { inputSchema: { text: z.string() } }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  server.registerPrompt('review', { argsSchema: { code: z.string() } }, ({ code }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Review ${code}` } }],
  }));
  server.registerResource('memo', 'memo://one', {}, ({ href }) => ({
    contents: [{ uri: href, text: 'the memo' }],
  }));
  return server;
}

/** A server of SDK v2, which speaks 2026-07-28. */
export function serverOfVersion2(): Promise<Upstream> {
  const handler = createMcpHandler(() => {
    const server = new McpServerOfVersion2({ name: 'two', version: '2.0.0' });
    server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
      content: [{ type: 'text', text }],
    }));
    server.registerPrompt('review', { argsSchema: z.object({ code: z.string() }) }, ({ code }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Review ${code}` } }],
    }));
    server.registerResource('memo', 'memo://one', {}, ({ href }) => ({
      contents: [{ uri: href, text: 'the memo' }],
    }));
    return server;
  });
  return listen((request) => handler.fetch(request));
}

/** An application that offers another server, over HTTP. */
export interface Gateway {
  readonly app: McpApplication;
  readonly url: string;
  readonly logger: MemoryLogger;
}

export async function openGateway(
  options: Omit<ProxyOptions, 'name'> & { readonly name?: string },
  applicationOptions: Partial<ApplicationOptions> = {},
): Promise<Gateway> {
  const logger = new MemoryLogger();
  const app = await McpApplication.create(ProxyModule.forRoot({ name: 'work', ...options }), {
    name: 'gateway',
    version: '1.0.0',
    logger,
    ...applicationOptions,
  });
  const { url } = await app.listen({ port: 0, sessions: true });
  return { app, url, logger };
}
