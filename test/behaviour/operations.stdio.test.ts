import { expect, test } from '@jest/globals';
import { StdioClientTransport as Transport2 } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { client2026 } from '../support/client-of-2026.ts';
import { WITH_PACKAGE } from '../support/line-process.ts';
import { send } from '../support/raw-http.ts';

const PROGRAM = fileURLToPath(new URL('../transports/processes/observed-stdio.ts', import.meta.url));
const SERVER = { command: process.execPath, args: [...WITH_PACKAGE, PROGRAM], stderr: 'pipe' as const };
const CALL = { name: 'work', arguments: { action: 'ping' } };
const CALLS = /^mcp_server_operation_duration\w*_count\{.*gen_ai_tool_name="work".*\} (\d+)$/m;

/** Clients of both SDKs, which start the server themselves. */
const clients = {
  async 'SDK v1'() {
    const transport = new StdioClientTransport(SERVER);
    const client = new Client({ name: 'tester', version: '1.0.0' });
    await client.connect(transport);
    return { transport, call: () => client.callTool(CALL), close: () => client.close() };
  },
  async 'SDK v2, 2026'() {
    const transport = new Transport2(SERVER);
    const client = client2026();
    await client.connect(transport);
    return { transport, call: () => client.callTool(CALL), close: () => client.close() };
  },
};

async function addressIn(stderr: unknown): Promise<string> {
  for await (const line of createInterface(stderr as Readable)) {
    const address = /^operations at (http:\S+)$/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error('It ended without an address');
}

test.each(Object.entries(clients))(
  'a server that %s starts over stdio has a port for operators while it serves',
  async (_kind, connect) => {
    const { transport, call, close } = await connect();
    const url = await addressIn(transport.stderr);
    // A connection that is kept may end at the very moment at which it is used again
    const headers = { connection: 'close' };
    const get = async (path: string) => {
      const { status, body } = await send(url, { method: 'GET', path, headers });
      return [status, body] as const;
    };
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect(await get('/livez')).toEqual([200, 'ok\n']);
    expect(await get('/readyz')).toEqual([200, 'ok\n']);
    expect(await call()).toMatchObject({ content: [{ text: 'pong' }] });
    expect(CALLS.exec((await get('/metrics'))[1])?.[1]).toBe('1');
    await close();
    // The process has ended with its client, and the port with it
    await expect(get('/livez')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  },
);
