import { afterEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import type { HttpOptions } from '../../../../src/transports/http/http-options.ts';
import { fakeResources, fullService } from '../../../support/fake-service.ts';
import { fakeApplication } from '../../../support/fake-application.ts';
import { connectHttp, client2026, headers2026, message2026 } from '../../../support/client-of-2026.ts';
import { hearingChanges } from '../../../support/hearing-2026.ts';
import { JSON_HEADERS } from '../../../support/raw-http.ts';
import { modes, serve } from '../../../support/http-server.ts';
import { tooLarge } from './large-subscriptions.ts';

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

const full = { ...fakeApplication({}), service: fullService() };

async function listening(url: string) {
  const client = await connectHttp(client2026(), url);
  clients.push(client);
  return { client, ...hearingChanges(client) };
}

function listenRaw(
  url: string,
  notifications: object,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { ...JSON_HEADERS, ...headers2026('subscriptions/listen'), ...headers },
    body: JSON.stringify(message2026('subscriptions/listen', { notifications })),
    ...(signal === undefined ? {} : { signal }),
  });
}

describe.each(modes)('a subscription at a server %s', (_name, options) => {
  test('brings what was asked for, and nothing else', async () => {
    const serving = await serve(options, {}, full);
    const { client, heard, count } = await listening(serving.url);
    const subscription = await client.listen({ toolsListChanged: true, resourceSubscriptions: ['memo:one'] });
    expect(subscription.honoredFilter).toEqual({
      toolsListChanged: true,
      resourceSubscriptions: ['memo:one'],
    });
    serving.notify({ kind: 'prompts' });
    serving.notify({ kind: 'resource', uri: 'memo:two' });
    serving.notify({ kind: 'resource', uri: 'memo:one' });
    serving.notify({ kind: 'resources' });
    serving.notify({ kind: 'tools' });
    await count(2);
    expect(heard).toEqual(['resources/updated memo:one', 'tools/list_changed']);
    await subscription.close();
    serving.notify({ kind: 'tools' });
    await client.listTools();
    expect(heard).toHaveLength(2);
  });

  test('of what the server does not have is not promised', async () => {
    const { url } = await serve(options);
    const { client } = await listening(url);
    const subscription = await client.listen({ toolsListChanged: true, promptsListChanged: true });
    expect(subscription.honoredFilter).toEqual({ toolsListChanged: true });
  });

  test('does not keep a server from stopping, and ends when it closes', async () => {
    const serving = await serve(options, {}, full);
    const { client } = await listening(serving.url);
    const subscription = await client.listen({ toolsListChanged: true });
    await serving.stop();
    await serving.close();
    expect(await subscription.closed).toBe('graceful');
  });
});

test.each(tooLarge)('a subscription to %s is refused', async (_name, resourceSubscriptions, reason) => {
  const { url } = await serve({}, {}, full);
  const response = await listenRaw(url, { resourceSubscriptions });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    id: 1,
    error: { code: -32602, message: `Invalid params: ${reason}` },
  });
});

test('a subscription that is as large as allowed is not refused', async () => {
  const { url } = await serve({}, {}, full);
  const leave = new AbortController();
  for (const uris of [
    Array<string>(1000).fill('memo:one'),
    ['x'.repeat(8192)],
    Array<string>(8).fill('x'.repeat(8192)),
  ]) {
    expect((await listenRaw(url, { resourceSubscriptions: uris }, leave.signal)).status).toBe(200);
  }
  leave.abort();
});

test('a wrong request ends no subscription', async () => {
  const authenticate: HttpOptions['authenticate'] = ({ headers }) => {
    const clientId = headers['authorization'] ?? 'nobody';
    return { token: clientId, clientId, scopes: [] };
  };
  const { url } = await serve({ authenticate, maxSubscriptions: 3 }, {}, full);
  const leave = new AbortController();
  const listen = (who: string, notifications: object): Promise<Response> =>
    listenRaw(url, notifications, leave.signal, { authorization: who });
  const open: ReadableStreamDefaultReader<Uint8Array>[] = [];
  for (const who of ['bob', 'bob', 'ann']) {
    const response = await listen(who, { toolsListChanged: true });
    const reader: ReadableStreamDefaultReader<Uint8Array> = response.body!.getReader();
    await reader.read();
    open.push(reader);
  }
  const wrong = await listen('eve', { resourceSubscriptions: [1] });
  expect(await wrong.json()).toMatchObject({ error: { code: -32602 } });
  const next = open[0]?.read();
  const isOpen = (): Promise<unknown> =>
    Promise.race([next, new Promise((resolve) => setTimeout(resolve, 50, 'open'))]);
  expect(await isOpen()).toBe('open');
  expect((await listen('eve', { toolsListChanged: true })).status).toBe(200);
  expect(await next).toMatchObject({ done: true });
  expect((await listen('ann', { toolsListChanged: true })).status).toBe(503);
  leave.abort();
});

describe('a subscription', () => {
  test('says nothing of a resource that was switched off', async () => {
    const resources = fakeResources({ 'memo:one': () => 'first', 'memo:two': () => 'second' });
    let isOff = false;
    const service = fullService({
      resources: { ...resources, knows: (uri) => !(isOff && uri === 'memo:one') },
    });
    const serving = await serve({}, {}, { ...full, service });
    const { client, heard, count } = await listening(serving.url);
    await client.listen({ resourceSubscriptions: ['memo:one', 'memo:two'] });
    isOff = true;
    serving.notify({ kind: 'resource', uri: 'memo:one' });
    serving.notify({ kind: 'resource', uri: 'memo:two' });
    await count(1);
    expect(heard).toEqual(['resources/updated memo:two']);
  });

  test('of a client that went away costs nothing any more', async () => {
    const serving = await serve({}, {}, full);
    const leave = new AbortController();
    const response = await listenRaw(serving.url, { toolsListChanged: true }, leave.signal);
    await response.body?.getReader().read();
    leave.abort();
    serving.notify({ kind: 'tools' });
    await serving.stop();
  });

  test('ends when its client reads nothing, instead of keeping everything', async () => {
    const uri = `memo:${'x'.repeat(2000)}`;
    const service = fullService({ resources: fakeResources({ [uri]: () => 'long' }) });
    const serving = await serve({}, {}, { ...full, service });
    const response = await listenRaw(serving.url, { resourceSubscriptions: [uri] });
    const reader: ReadableStreamDefaultReader<Uint8Array> = response.body!.getReader();
    await reader.read();
    // Sockets take a few megabytes before anything is left unread.
    for (let n = 0; n < 10_000; n += 1) {
      serving.notify({ kind: 'resource', uri });
      if (n % 100 === 0) await new Promise(setImmediate);
    }
    let events = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      events += value.length / uri.length;
    }
    expect(events).toBeLessThan(9_900);
  });
});
