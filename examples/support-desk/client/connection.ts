import * as sdk2 from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { User } from './user.ts';

/** The protocol revisions that the client speaks: the older one with SDK 1, the newer one with SDK 2. */
export type Era = '2025-11-25' | '2026-07-28';

/** What the clients of both SDKs have in common. */
export interface Connection {
  listTools(): Promise<{ readonly tools: readonly ListedTool[] }>;
  callTool(call: { readonly name: string; readonly arguments: Record<string, unknown> }): Promise<unknown>;
  /** Exchanges what the browser brought back for a token. */
  finishAuth(answer: URLSearchParams): Promise<void>;
  connect(): Promise<void>;
  close(): Promise<void>;
}

export interface ListedTool {
  readonly name: string;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> | undefined };
}

const ABOUT = { name: 'support-desk-client', version: '1.0.0' };
const capabilities = { elicitation: { form: {} } };

export function connectionOf(era: Era, address: URL, user: User): Connection {
  return era === '2026-07-28' ? withSdk2(era, address, user) : withSdk1(address, user);
}

function withSdk1(address: URL, user: User): Connection {
  const transport = new StreamableHTTPClientTransport(address, { authProvider: user });
  const client = new Client(ABOUT, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => user.answer(params.message));
  return {
    listTools: () => client.listTools(),
    callTool: (call) => client.callTool(call),
    finishAuth: (answer) => transport.finishAuth(answer.get('code') ?? ''),
    connect: () => client.connect(transport),
    close: () => client.close(),
  };
}

function withSdk2(era: Era, address: URL, user: User): Connection {
  const transport = new sdk2.StreamableHTTPClientTransport(address, { authProvider: user });
  const client = new sdk2.Client(ABOUT, { capabilities, versionNegotiation: { mode: { pin: era } } });
  client.setRequestHandler('elicitation/create', ({ params }) => user.answer(params.message));
  return {
    listTools: () => client.listTools(),
    callTool: (call) => client.callTool(call),
    finishAuth: (answer) => transport.finishAuth(answer),
    connect: () => client.connect(transport),
    close: () => client.close(),
  };
}
