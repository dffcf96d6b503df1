import { describe, expect, test } from '@jest/globals';
import type { Backplane } from 'toolwright';
import { takeNews } from '../support/connections/news.ts';
import { EventReader } from '../support/event-reader.ts';
import { initialize, JSON_HEADERS, message } from '../support/raw-http.ts';
import { call, notifierOf, openDesk, PERSON, untilItListens, version1 } from '../support/replicated-desk.ts';
import { SharedMemory } from '../support/shared-memory.ts';

const VERSION = { 'mcp-protocol-version': '2025-11-25' };

describe('a session', () => {
  const raw = (url: string, headers: Readonly<Record<string, string>>, init: RequestInit = {}) =>
    fetch(url, { ...init, headers: { ...JSON_HEADERS, ...VERSION, ...headers } });
  const ping = (url: string, session: string): Promise<Response> =>
    raw(url, { 'mcp-session-id': session }, { method: 'POST', body: message('ping', {}, 1) });

  test('that its client ended at one instance has ended on all, with its streams', async () => {
    const { replicas, proxy } = await openDesk();
    const session = await initialize(proxy.url);
    for (const { url } of replicas) expect((await ping(url, session)).status).toBe(200);
    const [one, two, three] = replicas.map(({ url }) => url);
    const stream = await raw(one ?? '', { 'mcp-session-id': session });
    expect(stream.status).toBe(200);
    expect((await raw(two ?? '', { 'mcp-session-id': session }, { method: 'DELETE' })).status).toBe(200);
    await stream.text();
    for (const url of [one, two, three]) expect((await ping(url ?? '', session)).status).toBe(404);
  });

  test('has one standalone stream on all instances, which another one gets when it is lost', async () => {
    const { replicas, proxy } = await openDesk();
    const session = await initialize(proxy.url);
    const [one = '', two = ''] = replicas.map(({ url }) => url);
    const first = new EventReader(await raw(one, { 'mcp-session-id': session }));
    const { id = '' } = (await first.next()) ?? {};
    expect((await raw(two, { 'mcp-session-id': session })).status).toBe(409);
    const second = new EventReader(await raw(two, { 'mcp-session-id': session, 'last-event-id': id }));
    expect(await first.rest()).toEqual([]);
    expect(await second.next()).toMatchObject({ id, message: undefined });
    notifierOf({ replicas }, 0).toolsChanged();
    expect((await second.next())?.message).toMatchObject({ method: 'notifications/tools/list_changed' });
    await second.leave();
  });

  test('gets what belongs to no request from any instance, and what it missed', async () => {
    const { replicas, proxy } = await openDesk();
    const session = await initialize(proxy.url);
    const [one = '', two = '', three = ''] = replicas.map(({ url }) => url);
    const stream = new EventReader(await raw(two, { 'mcp-session-id': session }));
    const { id = '' } = (await stream.next()) ?? {};
    const begin = (url: string): Promise<Response> =>
      raw(
        url,
        { 'mcp-session-id': session },
        {
          method: 'POST',
          body: message(
            'tools/call',
            { name: 'desk', arguments: { action: 'later', name: 'x' }, task: {} },
            7,
          ),
        },
      );
    expect((await begin(one)).status).toBe(200);
    const nextLog = async (reader: EventReader): Promise<unknown> => {
      for (;;) {
        const event = await reader.next();
        if (event === undefined || event.message?.['method'] === 'notifications/message')
          return event?.message;
      }
    };
    expect(await nextLog(stream)).toMatchObject({ params: { data: 'x later' } });
    replicas[1]?.kill();
    await stream.leave();
    expect((await begin(one)).status).toBe(200);
    const next = new EventReader(await raw(three, { 'mcp-session-id': session, 'last-event-id': id }));
    expect(await nextLog(next)).toMatchObject({ params: { data: 'x later' } });
    await next.leave();
  });

  test('goes on after the instance with its object made room for others', async () => {
    const { proxy, replicas } = await openDesk({ maxSessions: 2 });
    const sessions: string[] = [];
    for (let count = 0; count < 7; count += 1) sessions.push(await initialize(proxy.url));
    for (const session of sessions) {
      for (const { url } of replicas) expect((await ping(url, session)).status).toBe(200);
    }
  });

  test('of one application is unknown to another one on the same backplane', async () => {
    const backplane = new SharedMemory();
    const [one, other] = [await openDesk({ backplane }), await openDesk({ backplane, name: 'other' })];
    const session = await initialize(one.proxy.url);
    expect((await ping(other.proxy.url, session)).status).toBe(404);
    const client = await version1(other.proxy.url);
    notifierOf(one, 0).toolsChanged();
    await call(client, 'echo', { name: 'x' });
    expect(takeNews(client)).toEqual([]);
  });
});

describe('while the store of sessions fails', () => {
  test('sessions that an instance knows go on, others are refused for now, and all return with it', async () => {
    const backplane = new SharedMemory();
    const { store } = backplane.ports;
    const state = { isDown: false };
    const ask = <Answer>(run: () => Promise<Answer>): Promise<Answer> =>
      state.isDown ? Promise.reject(new Error('down')) : run();
    const failing: Backplane = {
      open: async (application) => ({
        ...(await backplane.open(application)),
        store: {
          get: (...given) => ask(() => store.get(...given)),
          put: (...given) => ask(() => store.put(...given)),
          delete: (...given) => ask(() => store.delete(...given)),
        },
      }),
    };
    const { replicas } = await openDesk({ backplane: failing, count: 2 });
    const [one = '', two = ''] = replicas.map(({ url }) => url);
    const session = await initialize(one);
    const ping = (url: string): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: { ...JSON_HEADERS, ...VERSION, 'mcp-session-id': session },
        body: message('ping', {}, 1),
      });
    state.isDown = true;
    expect((await ping(one)).status).toBe(200);
    const refused = await ping(two);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    await ping(two);
    state.isDown = false;
    for (const url of [one, two]) expect((await ping(url)).status).toBe(200);
    const logged = replicas[1]?.logger.records.filter(({ event }) => event === 'session.store-failed');
    expect(logged?.map(({ level }) => level)).toEqual(['error', 'notice']);
  });
});

test('after a gap of the bus, each client learns once that lists may have changed', async () => {
  const backplane = new SharedMemory();
  const gaps: (() => void)[] = [];
  const gapped: Backplane = {
    open: async (application) => {
      const ports = await backplane.open(application);
      const onGap = (listener: () => void) => {
        gaps.push(listener);
        return () => undefined;
      };
      const { bus } = backplane.ports;
      return {
        ...ports,
        bus: {
          publish: (channel, text) => bus.publish(channel, text),
          subscribe: (channel, listener) => bus.subscribe(channel, listener),
          onGap,
        },
      };
    },
  };
  const desk = await openDesk({ backplane: gapped });
  const client = await version1(desk.proxy.url);
  await untilItListens(client, desk);
  for (const gap of [...gaps, ...gaps]) gap();
  const all = ['prompts/list_changed', 'resources/list_changed', 'tools/list_changed'];
  while (client.heard.length < all.length) await new Promise((resolve) => setTimeout(resolve, 20));
  await call(client, 'echo', { name: 'x' });
  expect([...takeNews(client)].sort()).toEqual(all);
});

test('nothing that clients say is readable on the bus and in the stores', async () => {
  const backplane = new SharedMemory();
  const { bus, store, events } = backplane.ports;
  const texts: string[] = [];
  const spy =
    <Args extends unknown[], Result>(run: (...args: Args) => Result) =>
    (...args: Args): Result => {
      texts.push(JSON.stringify(args));
      return run(...args);
    };
  bus.publish = spy(bus.publish.bind(bus));
  store.put = spy(store.put.bind(store));
  events.storeEvent = spy(events.storeEvent.bind(events));
  const { proxy } = await openDesk({ backplane });
  const client = await version1(proxy.url, {
    ...PERSON,
    onElicitation: () => ({ action: 'accept', content: { name: 'a person of secrets' } }),
  });
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await call(client, 'interview')).toContain('a person of secrets');
  }
  expect(texts.length).toBeGreaterThan(10);
  expect(texts.join('\n')).not.toMatch(/secrets|tester|elicitation|Who\?/);
});
