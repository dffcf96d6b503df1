import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { McpApplication } from 'toolwright';
import { connectOracle } from './connect-oracle.ts';

export interface HttpOracle {
  readonly url: string;
  close(): Promise<void>;
}

export interface HttpOracleOptions {
  readonly info: { readonly name: string; readonly version: string };
  readonly hasSessions: boolean;
  /** Whether answers are plain JSON. */
  readonly json: boolean;
}

/** Serves an application over HTTP as SDK v1 does, up to 2025-11-25. */
export async function httpOracle2025(
  app: McpApplication,
  { info, hasSessions, json }: HttpOracleOptions,
): Promise<HttpOracle> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      enableJsonResponse: json,
      ...(hasSessions ? { sessionIdGenerator: randomUUID } : {}),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await connectOracle(app, transport, info);
    return transport;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = request.headers['mcp-session-id'];
    // A session that nobody knows is refused by any that is open.
    const known = id === undefined ? undefined : (sessions.get(String(id)) ?? [...sessions.values()][0]);
    await (known ?? (await open())).handleRequest(request, response);
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
