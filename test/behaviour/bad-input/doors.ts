import { expect } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { fileURLToPath } from 'node:url';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { LineProcess, WITH_PACKAGE } from '../../support/line-process.ts';
import { initialize, message, send } from '../../support/raw-http.ts';
import { textOf } from '../../support/text-of.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { LIMIT } from './limit.ts';
import { PitModule } from './pit.module.ts';

/** A JSON-RPC answer as far as these tests look at it. */
export interface RawAnswer {
  readonly error?: { readonly code: number; readonly message: string };
}

/** One way into the application, with a client of the SDK. */
export interface Door {
  readonly client: Client;
  /** Sends text that no client would send, and gives the answer. */
  readonly raw?: (text: string) => Promise<RawAnswer>;
  close(): Promise<void>;
}

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SERVER = fileURLToPath(new URL('./stdio-server.ts', import.meta.url));
export const RUN_SERVER = [...WITH_PACKAGE, SERVER];

export const doors: Readonly<Record<string, () => Promise<Door>>> = {
  'HTTP with sessions': () => openHttp(true),
  'HTTP without sessions': () => openHttp(false),
  stdio: openStdio,
  'the in-memory transport': async () => {
    const pit = await createPit();
    return { client: await pit.client(), close: () => pit.close() };
  },
};

export function createPit(logger = new MemoryLogger()): Promise<TestApplication> {
  return createTestApplication(PitModule, { name: 'pit', logger, drainTimeout: 50 });
}

export async function httpClient(url: string): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

/** A call of the tool, through a client. */
export function call(client: Client, args: object): Promise<Awaited<ReturnType<Client['callTool']>>> {
  return client.callTool({ name: 'pit', arguments: args as Record<string, unknown> });
}

export async function expectServing(client: Client): Promise<void> {
  const answer = JSON.parse(
    textOf((await call(client, { action: 'echo', text: 'fine' })) as never),
  ) as unknown;
  expect(answer).toEqual({ text: 'fine', isPolluted: false, isInstance: true });
}

async function openHttp(sessions: boolean): Promise<Door> {
  const pit = await createPit();
  const { url } = await pit.app.listen({ port: 0, signals: false, maxBodyBytes: LIMIT, sessions });
  const client = await httpClient(url);
  const headers: Record<string, string> = sessions ? { 'mcp-session-id': await initialize(url) } : {};
  return {
    client,
    raw: async (body) => JSON.parse((await send(url, { body, headers })).body) as RawAnswer,
    close: async () => {
      await client.close();
      await pit.close();
    },
  };
}

async function openStdio(): Promise<Door> {
  const client = new Client({ name: 'tester', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: RUN_SERVER,
      cwd: ROOT,
      stderr: 'ignore',
      // The client hands on only a few variables of its own
      env: { NODE_ENV: 'test' },
    }),
  );
  let pings = 0;
  const server = new LineProcess({ args: RUN_SERVER, cwd: ROOT });
  return {
    client,
    // What cannot be read has no id, so the answer is the one before that of a ping
    raw: async (text) => {
      const id = `ping-${String((pings += 1))}`;
      server.write(text, message('ping', undefined, id));
      await server.answer(id);
      const answers = server.stdout.slice(
        0,
        server.stdout.findIndex((line) => line.includes(id)),
      );
      return JSON.parse(answers.at(-1) ?? '') as RawAnswer;
    },
    close: async () => {
      await client.close();
      server.end();
      await server.ended;
    },
  };
}
