import { afterEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { connectStdio, client2025, client2026, message2026 } from '../support/client-of-2026.ts';
import { hearingChanges } from '../support/hearing-2026.ts';
import { INITIALIZE, message } from '../support/raw-http.ts';
import { STDIO_SERVER, StdioProcess } from '../support/stdio-process.ts';

const processes: StdioProcess[] = [];
const clients: Client[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  for (const each of processes.splice(0)) {
    each.kill('SIGKILL');
    await each.ended;
  }
});

async function connected(client: Client): Promise<Client> {
  clients.push(client);
  return connectStdio(client, { ...STDIO_SERVER, args: [...STDIO_SERVER.args], stderr: 'ignore' });
}

function start(...args: readonly string[]): StdioProcess {
  const server = new StdioProcess(...args);
  processes.push(server);
  return server;
}

const line2026 = (method: string, params: object, id: number): string =>
  JSON.stringify(message2026(method, params, id));

describe('a process serves over stdio', () => {
  test('a client of 2026-07-28', async () => {
    const client = await connected(client2026());
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect(client.getServerCapabilities()).toMatchObject({ resources: { subscribe: true }, logging: {} });
    expect(await client.callTool({ name: 'echo', arguments: { a: 1 } })).toMatchObject({
      content: [{ text: '{"a":1}' }],
    });
    const { heard, count } = hearingChanges(client);
    await client.listen({ resourceSubscriptions: ['memo:one'], promptsListChanged: true });
    await client.callTool({ name: 'touch' });
    await count(2);
    expect(heard).toEqual(['resources/updated memo:one', 'prompts/list_changed']);
  });

  test('a client that finds out the era', async () => {
    const client = await connected(client2026({ versionNegotiation: { mode: 'auto' } }));
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  });

  test('a client of the same line that speaks 2025-11-25', async () => {
    const client = await connected(client2025({ capabilities: { roots: {} } }));
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///here' }] }));
    expect(await client.callTool({ name: 'ask' })).toMatchObject({
      content: [{ text: '{"roots":[{"uri":"file:///here"}]}' }],
    });
  });

  test('both eras at once', async () => {
    const server = start();
    server.write(INITIALIZE, line2026('tools/call', { name: 'echo', arguments: { n: 2 } }, 2));
    server.write(message('tools/call', { name: 'echo', arguments: { n: 3 } }, 3));
    expect(await server.answer(2)).toMatchObject({
      result: { resultType: 'complete', content: [{ text: '{"n":2}' }] },
    });
    const { result } = await server.answer(3);
    expect(result).toMatchObject({ content: [{ text: '{"n":3}' }] });
    expect(result).not.toHaveProperty('resultType');
  });
});

describe('a call of 2026-07-28 over stdio', () => {
  test('is answered when stdin has ended, and a subscription does not keep the process', async () => {
    const server = start('--patient');
    server.write(line2026('subscriptions/listen', { notifications: { toolsListChanged: true } }, 1));
    await server.line('stdout', 'acknowledged');
    server.write(line2026('tools/call', { name: 'soon' }, 2));
    server.end();
    expect(await server.answer(2)).toMatchObject({ result: { content: [{}] } });
    expect(await server.answer(1)).toMatchObject({ result: { resultType: 'complete' } });
    expect(await server.ended).toBe(0);
  });

  test('is cancelled by a notification', async () => {
    const server = start();
    server.write(line2026('tools/call', { name: 'hang' }, 1));
    await server.line('stderr', 'hanging');
    server.write(
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
    );
    await server.line('stderr', 'aborted');
  });

  test('with a result that JSON cannot carry is answered with an error', async () => {
    const server = start();
    server.write(line2026('tools/call', { name: 'circular' }, 1));
    expect(await server.answer(1)).toMatchObject({ error: { code: -32603 } });
  });
});
