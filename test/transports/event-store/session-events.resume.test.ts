import { describe, expect, test } from '@jest/globals';
import { InMemoryEventStore } from '../../../src/transports/event-store/in-memory-event-store.ts';
import type { HttpOptions } from '../../../src/transports/http/http-options.ts';
import { echo } from '../../support/fake-application.ts';
import { serve } from '../../support/http-server.ts';
import { contents, idOf, resumingSession, say, tickingTool } from '../resuming-session.ts';

describe('a call whose stream was cut', () => {
  test('goes on where it was, with everything once and in order', async () => {
    const { tick, started, turns, end } = tickingTool();
    const { url } = await serve({}, { tick });
    const session = await resumingSession(url);
    const first = await session.call('tick');
    await started;
    const primed = await first.next();
    await turns(3);
    const got = [await first.next(), await first.next()];
    await first.leave();
    await turns(3);
    const second = await session.resume(idOf(got.at(-1)));
    const missed = [await second.next(), await second.next()];
    await second.leave();
    await turns(2);
    end();
    const third = await session.resume(idOf(missed.at(-1)));
    const rest = await third.rest();
    expect(primed).toMatchObject({ data: '', retry: '1000' });
    expect(contents([...got, ...missed, ...rest])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 'answer']);
    const ids = [primed, ...got, ...missed, ...rest].map(idOf);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has its answer waiting, and nothing more than that', async () => {
    const { tick, started, turns, end } = tickingTool();
    const { url } = await serve({}, { tick, echo });
    const session = await resumingSession(url);
    const first = await session.call('tick');
    await started;
    const primed = await first.next();
    await first.leave();
    await turns(2);
    end();
    await (await session.call('echo', 2)).rest();
    const again = await (await session.resume(idOf(primed))).rest();
    expect(contents(again)).toEqual([1, 2, 'answer']);
    const rest = await (await session.resume(idOf(again[1]))).rest();
    expect(contents(rest)).toEqual(['answer']);
    // A client that has the answer is asked not to come back.
    const finished = await session.get(idOf(rest[0]));
    expect([finished.status, await finished.text()]).toEqual([204, '']);
  });

  test('moves to the client that came last, though the stream before still looks alive', async () => {
    const { tick, started, turns, end } = tickingTool();
    const { url } = await serve({}, { tick });
    const session = await resumingSession(url);
    const first = await session.call('tick');
    await started;
    const primed = await first.next();
    const second = await session.resume(idOf(primed));
    expect(await first.next()).toBeUndefined();
    await turns(1);
    end();
    expect(contents(await second.rest())).toEqual([1, 'answer']);
  });

  test('can be cancelled while no stream is open', async () => {
    const { tick, started } = tickingTool();
    const { url } = await serve({}, { tick });
    const session = await resumingSession(url);
    const first = await session.call('tick', 7);
    await started;
    const primed = await first.next();
    await first.leave();
    expect((await session.cancel(7)).status).toBe(202);
    expect((await session.get(idOf(primed))).status).toBe(204);
  });

  test('has ids for older clients, too, from the first message on', async () => {
    const { tick, started, turns, end } = tickingTool();
    const { url } = await serve({}, { tick });
    const session = await resumingSession(url, { 'mcp-protocol-version': '2025-06-18' });
    const first = await session.call('tick');
    await started;
    await turns(1);
    const one = await first.next();
    expect(contents([one])).toEqual([1]);
    await first.leave();
    await turns(1);
    end();
    expect(contents(await (await session.resume(idOf(one))).rest())).toEqual([2, 'answer']);
  });
});

describe('a handler that releases its stream', () => {
  test('ends the response, and its client comes back for the rest', async () => {
    const { tick, started, turns, release, end } = tickingTool();
    const { url } = await serve({ sessions: { retryInterval: 25 } }, { tick });
    const session = await resumingSession(url);
    const first = await session.call('tick');
    await started;
    await turns(1);
    release();
    const events = await first.rest();
    expect(contents(events)).toEqual([1]);
    expect(events.map(({ retry }) => retry)).toEqual(['25', undefined, '25']);
    await turns(1);
    const second = await session.resume(idOf(events[1]));
    release();
    expect(contents(await second.rest())).toEqual([2]);
    end();
    const third = await session.resume(idOf(events[0]));
    expect(contents(await third.rest())).toEqual([1, 2, 'answer']);
  });

  test.each([
    ['of an older revision', {}, { 'mcp-protocol-version': '2025-06-18' }],
    ['of a server that keeps nothing', { sessions: { eventStore: false } }, {}],
  ] as [string, Partial<HttpOptions>, Record<string, string>][])(
    'does nothing to a client %s',
    async (_name, options, headers) => {
      const { tick, started, turns, release, end } = tickingTool();
      const { url } = await serve(options, { tick });
      const session = await resumingSession(url, headers);
      const first = await session.call('tick');
      await started;
      release();
      await turns(1);
      end();
      expect(contents(await first.rest())).toEqual([1, 'answer']);
    },
  );

  test('does nothing where the store gave no event to come back to', async () => {
    const { tick, started, release, end } = tickingTool();
    const down = (): Promise<never> => Promise.reject(new Error('down'));
    const { url } = await serve(
      { sessions: { eventStore: { storeEvent: down, replayEventsAfter: down } } },
      { tick },
    );
    const session = await resumingSession(url);
    const first = await session.call('tick');
    await started;
    release();
    end();
    expect(contents(await first.rest())).toEqual(['answer']);
  });
});

test('the events of an answer that its client has read go early, and those of one that was cut stay', async () => {
  let now = 0;
  const eventStore = new InMemoryEventStore({}, () => now);
  const { tick, started, turns, end } = tickingTool();
  const { url } = await serve({ sessions: { eventStore } }, { tick, say });
  const session = await resumingSession(url);
  const cut = await session.call('tick', 1);
  await started;
  const primed = await cut.next();
  await turns(1);
  await cut.leave();
  await (await session.call('say', 2)).rest();
  end();
  const before = eventStore.size;
  // The last bytes may still be lost on their way
  now += 29_000;
  await eventStore.getStreamIdForEventId('');
  expect(eventStore.size).toBe(before);
  now += 2_000;
  await eventStore.getStreamIdForEventId('');
  expect(eventStore.size).toBeLessThan(before);
  expect(contents(await (await session.resume(idOf(primed))).rest())).toEqual([1, 'answer']);
});
