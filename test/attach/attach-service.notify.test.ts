import { describe, expect, test } from '@jest/globals';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ChangeNotice } from '../../src/call/notifier.ts';
import { attachService } from '../../src/attach/attach-service.ts';
import { attachedClient, connectedClient, refusalOf } from '../support/attached-client.ts';
import { fakePrompts, fakeResources, fullService } from '../support/fake-service.ts';
import { serviceOf } from '../support/fake-application.ts';

/** What the client heard, without the prefix that all notifications have. */
function hearing(client: Client): string[] {
  const heard: string[] = [];
  client.fallbackNotificationHandler = async ({ method, params }) => {
    const { uri } = (params ?? {}) as { readonly uri?: string };
    heard.push([method.replace('notifications/', ''), ...(uri === undefined ? [] : [uri])].join(' '));
  };
  return heard;
}

const kinds: ChangeNotice[] = [{ kind: 'tools' }, { kind: 'prompts' }, { kind: 'resources' }];
const updated = (uri: string): ChangeNotice => ({ kind: 'resource', uri });

describe('changes of lists', () => {
  test('get notifications for the parts that are declared', async () => {
    const { client, attachment } = await attachedClient(serviceOf({ prompts: fakePrompts({}) }));
    const heard = hearing(client);
    kinds.forEach(attachment.notify);
    await client.ping();
    expect(heard).toEqual(['prompts/list_changed']);
  });

  test('get a notification when it detaches, and none afterwards', async () => {
    const { client, attachment } = await attachedClient(fullService());
    const heard = hearing(client);
    kinds.forEach(attachment.notify);
    attachment();
    kinds.forEach(attachment.notify);
    await client.ping();
    const once = ['tools/list_changed', 'prompts/list_changed', 'resources/list_changed'];
    expect(heard).toEqual([...once, ...once]);
  });

  test('get notifications from the attachment that serves the part', async () => {
    const { client, server, attachment } = await attachedClient(
      fullService({ tools: undefined, completions: undefined }),
    );
    attachService(server, serviceOf({ prompts: fakePrompts({}) }));
    const heard = hearing(client);
    kinds.forEach(attachment.notify);
    await client.ping();
    expect(heard).toEqual(['resources/list_changed']);
  });
});

describe('a subscription', () => {
  test('is notified of its URI alone, until it is ended', async () => {
    const { client, attachment } = await attachedClient(fullService());
    const heard = hearing(client);
    await client.subscribeResource({ uri: 'memo:one' });
    await client.subscribeResource({ uri: 'memo:one' });
    await client.subscribeResource({ uri: 'item:7' });
    for (const uri of ['memo:one', 'memo:two', 'item:7', 'item:8']) attachment.notify(updated(uri));
    await client.unsubscribeResource({ uri: 'memo:one' });
    await client.unsubscribeResource({ uri: 'memo:two' });
    attachment.notify(updated('memo:one'));
    await client.ping();
    expect(heard).toEqual(['resources/updated memo:one', 'resources/updated item:7']);
  });

  test('to what does not exist is refused', async () => {
    const { client } = await attachedClient(fullService());
    expect(await refusalOf(client, 'resources/subscribe', { uri: 'memo:none' })).toEqual({
      code: -32602,
      message: 'Resource not found: memo:none',
      data: { uri: 'memo:none' },
    });
  });

  test('is one of 1,000 at most, each of bounded length', async () => {
    const { client } = await attachedClient(fullService());
    for (let id = 0; id < 1000; id += 1) await client.subscribeResource({ uri: `item:${String(id)}` });
    await client.subscribeResource({ uri: 'item:0' });
    expect(await refusalOf(client, 'resources/subscribe', { uri: 'item:1000' })).toEqual({
      code: -32602,
      message: expect.stringContaining('1000 subscriptions'),
      data: { uri: 'item:1000' },
    });
    await client.unsubscribeResource({ uri: 'item:0' });
    await client.subscribeResource({ uri: 'item:1000' });
    const long = `item:${'x'.repeat(10_000)}`;
    const { message } = await refusalOf(client, 'resources/subscribe', { uri: long });
    expect(message).toContain('longer than 8192 characters');
  });

  test('takes no more of the memory than 64 KiB together with the others', async () => {
    const { client } = await attachedClient(fullService());
    const uriOf = (id: number): string => `item:${String(id)}`.padEnd(8192, 'x');
    for (let id = 0; id < 8; id += 1) await client.subscribeResource({ uri: uriOf(id) });
    await client.subscribeResource({ uri: uriOf(0) });
    const { message } = await refusalOf(client, 'resources/subscribe', { uri: 'item:8' });
    expect(message).toContain('65536 characters together');
    await client.unsubscribeResource({ uri: uriOf(0) });
    await client.subscribeResource({ uri: 'item:8' });
  });

  test('ends with the connection, so the next client of the server receives nothing', async () => {
    const { client, server, attachment } = await attachedClient(fullService());
    await client.subscribeResource({ uri: 'memo:one' });
    await client.close();
    attachment.notify(updated('memo:one'));
    const next = await connectedClient(server);
    const heard = hearing(next);
    attachment.notify(updated('memo:one'));
    await next.ping();
    expect(heard).toEqual([]);
  });

  test('ends with the attachment', async () => {
    const { client, server, attachment } = await attachedClient(
      serviceOf({ resources: fakeResources({ 'memo:one': () => 1 }) }),
    );
    await client.subscribeResource({ uri: 'memo:one' });
    attachment();
    const heard = hearing(client);
    attachment.notify(updated('memo:one'));
    await client.ping();
    expect(heard).toEqual([]);
    expect(server.isConnected()).toBe(true);
  });
});

test('a server that is not connected, or cannot notify, makes no trouble', async () => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): unknown => unhandled.push(reason);
  process.on('unhandledRejection', listen);
  const notifyAll = ({ notify }: ReturnType<typeof attachService>): void => {
    for (const change of [...kinds, updated('memo:one')]) notify(change);
  };
  const unconnected = attachService(new McpServer({ name: 'x', version: '1' }), fullService());
  expect(() => notifyAll(unconnected)).not.toThrow();
  const setRequestHandler = () => undefined;
  const silent = attachService({ transport: {}, setRequestHandler }, fullService());
  expect(() => notifyAll(silent)).not.toThrow();
  let calls = 0;
  const notification = () => {
    calls += 1;
    throw new Error('the client went away');
  };
  const gone = attachService({ transport: {}, setRequestHandler, notification }, fullService());
  expect(() => notifyAll(gone)).not.toThrow();
  await new Promise(setImmediate);
  process.off('unhandledRejection', listen);
  expect(calls).toBeGreaterThan(0);
  expect(unhandled).toEqual([]);
});
