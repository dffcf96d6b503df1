import { describe, expect, test } from '@jest/globals';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { Client as Version1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as Version1Transport } from '@modelcontextprotocol/sdk/inMemory.js';
import { connectInMemory, envelope, client2025, client2026, message2026 } from '../support/client-of-2026.ts';
import { INITIALIZE, connectionOf2026, rawConnection, serveOn } from '../support/connections-2026.ts';
import { tooLarge } from './http/streams/large-subscriptions.ts';

describe('app.connect() serves', () => {
  test('a client of 2026-07-28', async () => {
    const { client } = await connectionOf2026();
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect(client.getServerVersion()).toMatchObject({ name: 'fake' });
    expect(client.getInstructions()).toBe('Try it.');
    expect(await client.callTool({ name: 'echo', arguments: { a: 1 } })).toMatchObject({
      content: [{ text: '{"a":1}' }],
    });
    expect((await client.listTools()).tools).toHaveLength(1);
    expect((await client.readResource({ uri: 'memo:one' })).contents).toMatchObject([{ text: 'first' }]);
  });

  test('a client that asks for the era first', async () => {
    const client = await connectInMemory(client2026({ versionNegotiation: { mode: 'auto' } }), (far) =>
      serveOn(far),
    );
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  });

  test('a client of the same line that speaks 2025-11-25', async () => {
    const client = await connectInMemory(client2025(), (far) => serveOn(far));
    expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
    expect(await client.callTool({ name: 'echo' })).toMatchObject({ content: [{ text: '{}' }] });
  });

  test('a client of the earlier line', async () => {
    const [near, far] = Version1Transport.createLinkedPair();
    await serveOn(far);
    const client = new Version1Client({ name: 'tester', version: '1' });
    await client.connect(near);
    expect(await client.callTool({ name: 'echo' })).toMatchObject({ content: [{ text: '{}' }] });
  });

  test('both eras on one connection, each message in its own', async () => {
    const { send, next } = await rawConnection();
    await send(message2026('tools/list', {}, 1));
    expect(await next()).toMatchObject({ id: 1, result: { resultType: 'complete' } });
    await send(INITIALIZE);
    expect(await next()).toMatchObject({ id: 'init', result: { protocolVersion: '2025-06-18' } });
    await send({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    expect(await next()).not.toMatchObject({ result: { resultType: 'complete' } });
    await send(message2026('tools/call', { name: 'echo' }, 3));
    expect(await next()).toMatchObject({ id: 3, result: { resultType: 'complete' } });
    await send({ jsonrpc: '2.0', id: 4, method: 'ping' });
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 4, result: {} });
  });
});

describe('a message of 2026-07-28 is refused', () => {
  const meta = (others: object): object => ({ _meta: { ...envelope(), ...others } });

  test.each<[string, number, object]>([
    ['in an unknown revision', -32022, meta({ 'io.modelcontextprotocol/protocolVersion': '2099-01-01' })],
    [
      'in a revision of the other era',
      -32022,
      meta({ 'io.modelcontextprotocol/protocolVersion': '2025-11-25' }),
    ],
    ['whose revision is not a text', -32602, meta({ 'io.modelcontextprotocol/protocolVersion': 7 })],
    ['without capabilities', -32602, meta({ 'io.modelcontextprotocol/clientCapabilities': undefined })],
  ])('%s, as the first and as a later one', async (_name, code, params) => {
    const { send, next } = await rawConnection();
    await send(message2026('tools/list', params, 1));
    expect(await next()).toMatchObject({ id: 1, error: { code } });
    await send(message2026('tools/list', {}, 2));
    expect(await next()).toMatchObject({ id: 2, result: {} });
    await send(message2026('tools/list', params, 3));
    expect(await next()).toMatchObject({ id: 3, error: { code } });
  });

  test.each(['ping', 'initialize', 'resources/subscribe', 'no/such'])('for %s', async (method) => {
    const { send, next } = await rawConnection();
    await send(message2026(method));
    expect(await next()).toMatchObject({ id: 1, error: { code: -32601 } });
  });
});

test('the creator of the transport is notified of it, too', async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const events: string[] = [];
  far.onmessage = () => void events.push('message');
  far.onclose = () => void events.push('close');
  await serveOn(far);
  await near.start();
  await near.send(message2026('tools/list') as never);
  await near.close();
  expect(events).toEqual(['message', 'close']);
});

test.each(tooLarge)('a subscription to %s is refused', async (_name, resourceSubscriptions, reason) => {
  const { send, next } = await rawConnection();
  await send(message2026('subscriptions/listen', { notifications: { resourceSubscriptions } }, 7));
  const error = { code: -32602, message: `Invalid params: ${reason}` };
  expect(await next()).toEqual({ jsonrpc: '2.0', id: 7, error });
});
