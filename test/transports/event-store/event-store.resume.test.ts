import { describe, expect, test } from '@jest/globals';
import { createFetchHandler } from '../../../src/transports/fetch/create-fetch-handler.ts';
import type { EventStore } from '../../../src/transports/event-store/event-store.ts';
import { InMemoryEventStore } from '../../../src/transports/event-store/in-memory-event-store.ts';
import type { HttpOptions } from '../../../src/transports/http/http-options.ts';
import { EventReader } from '../../support/event-reader.ts';
import { fakeApplication, latch } from '../../support/fake-application.ts';
import { INITIALIZE, JSON_HEADERS, message, send } from '../../support/raw-http.ts';
import { serve } from '../../support/http-server.ts';
import { contents, idOf, resumingSession, say, tickingTool } from '../resuming-session.ts';

describe('a Last-Event-ID', () => {
  test.each(['', 'nonsense', '1-99.9', '99-1.1', '1-', '../1-1.1'])('%j is refused', async (lastEventId) => {
    const { url } = await serve({}, { say });
    const session = await resumingSession(url);
    await (await session.call('say')).rest();
    const response = await session.get(lastEventId === '' ? ' ' : lastEventId);
    // An empty header names no event at all.
    expect(response.status).toBe(lastEventId === '' ? 200 : 400);
    await response.body?.cancel();
  });

  test('of another session is refused, for any client that claims it', async () => {
    const authenticate: HttpOptions['authenticate'] = ({ headers }) => {
      const token = headers['authorization'] ?? '';
      return { token, clientId: token, scopes: [] };
    };
    const { tick, started, turns, end } = tickingTool();
    const { url } = await serve({ authenticate }, { tick, say });
    const ann = await resumingSession(url, { authorization: 'ann' });
    const bob = await resumingSession(url, { authorization: 'bob' });
    const other = await resumingSession(url, { authorization: 'ann' });
    const stream = await ann.call('tick');
    await started;
    const primed = idOf(await stream.next());
    await turns(2);
    for (const stranger of [bob, other]) {
      await (await stranger.call('say', 5)).rest();
      const refused = await stranger.get(primed);
      expect([refused.status, await refused.text()]).toEqual([
        400,
        expect.stringContaining('names no event'),
      ]);
    }
    const stolen = await send(url, {
      method: 'GET',
      headers: { ...ann.headers, authorization: 'bob', 'last-event-id': primed },
    });
    expect(stolen.status).toBe(404);
    end();
    expect(contents(await stream.rest())).toEqual([1, 2, 'answer']);
  });

  test('that is no longer kept attaches to a call that runs, and is refused afterwards', async () => {
    const eventStore = new InMemoryEventStore({ maxBytes: 1 });
    const { tick, started, turns, end } = tickingTool();
    const { url } = await serve({ sessions: { eventStore } }, { tick, say });
    const session = await resumingSession(url);
    const first = await session.call('tick');
    await started;
    const primed = idOf(await first.next());
    await first.leave();
    // Only the newest event is kept, whichever session it belongs to.
    await (await session.call('say', 2)).rest();
    const second = await session.resume(primed);
    await turns(1);
    end();
    expect(contents(await second.rest())).toEqual([1, 'answer']);
    await (await session.call('say', 3)).rest();
    expect((await session.get(primed)).status).toBe(400);
  });

  test('means nothing where nothing is kept', async () => {
    const { url } = await serve({ sessions: { eventStore: false } }, { say });
    const session = await resumingSession(url);
    const [event] = await (await session.call('say')).rest();
    expect(event).not.toHaveProperty('id');
    const standalone = await session.get('1-1.1');
    expect(standalone.status).toBe(200);
    await standalone.body?.cancel();
  });
});

describe('a store of its own', () => {
  /** Answers later the earlier it was asked, as a network may. */
  function reversingStore(): EventStore {
    const inner = new InMemoryEventStore();
    let waiting = 20;
    return {
      storeEvent: async (streamId, stored) => {
        const id = await inner.storeEvent(streamId, stored);
        waiting = Math.max(0, waiting - 4);
        await new Promise((resolve) => setTimeout(resolve, waiting));
        return id;
      },
      replayEventsAfter: (id, target) => inner.replayEventsAfter(id, target),
    };
  }

  test('may be slow and does not change the order', async () => {
    const { url } = await serve(
      { sessions: { eventStore: reversingStore() } },
      {
        burst: async (_args, { log }) => {
          void Promise.all([1, 2, 3, 4, 5, 6].map((n) => log('info', n, undefined)));
          return 'done';
        },
      },
    );
    const session = await resumingSession(url);
    expect(contents(await (await session.call('burst')).rest())).toEqual([1, 2, 3, 4, 5, 6, 'answer']);
  });

  test('gives a client that comes back early what is stored only then', async () => {
    const storing = latch();
    const inner = new InMemoryEventStore();
    const eventStore: EventStore = {
      storeEvent: async (streamId, stored) => {
        if (JSON.stringify(stored).includes('done')) await storing.promise;
        return inner.storeEvent(streamId, stored);
      },
      replayEventsAfter: (id, target) => inner.replayEventsAfter(id, target),
    };
    const { tick, started, end } = tickingTool();
    const { url } = await serve({ sessions: { eventStore } }, { tick });
    const session = await resumingSession(url);
    const first = await session.call('tick');
    await started;
    const primed = idOf(await first.next());
    await first.leave();
    end();
    const resumed = session.resume(primed);
    storing.open();
    expect(contents(await (await resumed).rest())).toEqual(['answer']);
  });

  test('that fails costs the resumption, never an answer', async () => {
    const down = (): Promise<never> => Promise.reject(new Error('down'));
    const { url } = await serve(
      { sessions: { eventStore: { storeEvent: down, replayEventsAfter: down } } },
      { say },
    );
    const session = await resumingSession(url);
    const events = await (await session.call('say')).rest();
    expect([contents(events), events.map(idOf)]).toEqual([
      [0, 'answer'],
      ['no id', 'no id'],
    ]);
    const response = await session.get('1-1');
    expect([response.status, await response.json()]).toMatchObject([500, { error: { code: -32603 } }]);
  });
});

test('keeps no more than it must for a client that does not read, and answers it', async () => {
  const eventStore = new InMemoryEventStore({ maxBytes: 100_000 });
  const sent = latch();
  const application = fakeApplication({
    flood: async (_args, { log }) => {
      for (let n = 0; n < 200; n += 1) await log('info', 'x'.repeat(50_000), undefined);
      sent.open();
      return 'done';
    },
  });
  const handler = createFetchHandler(application, { sessions: { eventStore } });
  const post = (body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    handler.fetch(
      new Request('http://localhost/', { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body }),
    );
  const session = (await post(INITIALIZE)).headers.get('mcp-session-id') ?? '';
  const response = await post(message('tools/call', { name: 'flood' }, 9), { 'mcp-session-id': session });
  await sent.promise;
  const events = contents(await new EventReader(response).rest());
  expect(events.at(-1)).toBe('answer');
  expect(events.length).toBeGreaterThan(5);
  expect(events.length).toBeLessThan(50);
  expect(eventStore.bytes).toBeLessThanOrEqual(100_000);
  expect(application.logger.records.filter(({ message: text }) => text.includes('dropped'))).toHaveLength(1);
  await handler.close();
});

test.each([
  [{ eventStore: true }, 'storeEvent'],
  [{ eventStore: { storeEvent: () => Promise.resolve('') } }, 'replayEventsAfter'],
  [{ retryInterval: -1 }, 'whole number'],
  [{ retryInterval: 0.5 }, 'whole number'],
])('refuses %j', async (sessions, text) => {
  const failure: unknown = await serve({ sessions: sessions as never }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'TW_SERVER_OPTION', message: expect.stringContaining(text) });
});
