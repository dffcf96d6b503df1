import { Agent, request, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps, type RequestOptions } from 'node:https';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import { StreamableHTTPClientTransport as HttpTransport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpTransport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  Action,
  McpApplication,
  Module,
  ToolContext,
  ToolGroup,
  type ApplicationOptions,
  type HttpListenOptions,
} from 'toolwright';
import { client2025, client2026 } from './client-of-2026.ts';
import { latch, MemoryLogger } from './fake-application.ts';
import { JSON_HEADERS, message } from './raw-http.ts';

/** Lets the running call of `wait` end; `started` resolves once there is one. */
export const hold = { gate: latch(), started: latch() };

/** That of the last caller, as limits see it. */
let address: string | undefined;
const RATE = {
  limit: 1000,
  per: 'minute',
  by: (caller: { readonly address?: string | undefined }) => {
    ({ address } = caller);
    return 'all';
  },
} as const;

@ToolGroup('desk')
class Desk {
  @Action('Says who calls') async who(ctx: ToolContext): Promise<string> {
    await ctx.progress(1, 2);
    return address ?? 'unknown';
  }
  @Action('Answers when the test lets it') async wait(ctx: ToolContext): Promise<string> {
    await ctx.progress(1, 2);
    hold.started.open();
    await hold.gate.promise;
    return 'done';
  }
}

@Module({ controllers: [Desk] })
class DeskModule {}

const applications: McpApplication[] = [];
const folders: string[] = [];

afterEach(async () => {
  hold.gate.open();
  await Promise.all(applications.splice(0).map((application) => application.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  Object.assign(hold, { gate: latch(), started: latch() });
});

export async function create(options: ApplicationOptions = {}): Promise<McpApplication> {
  const application = await McpApplication.create(DeskModule, {
    logger: new MemoryLogger(),
    limits: { rate: RATE },
    ...options,
  });
  applications.push(application);
  return application;
}

/** Serves until the test has ended. */
export const serve = async (options: HttpListenOptions, application?: ApplicationOptions) =>
  (await create(application)).listen({ signals: false, ...options });

/** In a folder that is there until the test has ended. */
export function socketPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'socket-'));
  folders.push(folder);
  return join(folder, 'mcp.sock');
}

const connections = {
  'SDK v1': async (url: string, by: typeof fetch) => {
    const client = new Client1({ name: 'tester', version: '1.0.0' });
    await client.connect(new HttpTransport1(new URL(url), { fetch: by }));
    return client;
  },
  'SDK v2, 2025': async (url: string, by: typeof fetch) => {
    const client = client2025();
    await client.connect(new HttpTransport2(new URL(url), { fetch: by }));
    return client;
  },
  'SDK v2, 2026': async (url: string, by: typeof fetch) => {
    const client = client2026();
    await client.connect(new HttpTransport2(new URL(url), { fetch: by }));
    return client;
  },
};

/** Calls with a progress message, so that the answer is a stream. */
export async function callBy(
  kind: keyof typeof connections,
  url: string,
  by: typeof fetch,
  { tool = 'desk', action = 'who' }: { readonly tool?: string; readonly action?: string } = {},
): Promise<unknown> {
  const client = await connections[kind](url, by);
  try {
    const call = { name: tool, arguments: { action } };
    const { content } = (await client.callTool(call)) as { readonly content: readonly { text: string }[] };
    return content[0]?.text;
  } finally {
    await client.close();
  }
}

/** Calls `wait`, which ends once its progress has arrived; gives all that arrived, in order. */
export async function waitBy(
  kind: keyof typeof connections,
  url: string,
  by: typeof fetch,
): Promise<unknown[]> {
  const client = await connections[kind](url, by);
  const arrived: unknown[] = [];
  const call = { name: 'desk', arguments: { action: 'wait' } };
  const options = {
    onprogress: ({ progress }: { readonly progress: number }) => {
      arrived.push(progress);
      hold.gate.open();
    },
  };
  try {
    const answered =
      client instanceof Client1 ? client.callTool(call, undefined, options) : client.callTool(call, options);
    const { content } = (await answered) as { readonly content: readonly { text: string }[] };
    return [...arrived, content[0]?.text];
  } finally {
    await client.close();
  }
}

export const KINDS = Object.keys(connections) as (keyof typeof connections)[];

/** A connection that has had one answer, and waits; and what pings with it. */
export async function idleConnection(options: RequestOptions) {
  const isSecure = options.ca !== undefined;
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const isFree = once(agent, 'free') as Promise<[Socket]>;
  const ping = async (): Promise<IncomingMessage> => {
    const asked = { ...options, agent, method: 'POST', path: '/mcp', headers: JSON_HEADERS };
    const outgoing = (isSecure ? requestHttps : request)(asked);
    outgoing.end(message('ping'));
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    return incoming.resume();
  };
  await ping();
  const [socket] = await isFree;
  return { ping, closed: once(socket, 'close') };
}
