import { expect, test } from '@jest/globals';
import type { HttpHandlerOptions } from '../../../../src/transports/http/http-options.ts';
import { fullService } from '../../../support/fake-service.ts';
import { EventReader } from '../../../support/event-reader.ts';
import { echo, type FakeTool } from '../../../support/fake-application.ts';
import { message } from '../../../support/raw-http.ts';
import { contents, idOf, tickingTool } from '../../resuming-session.ts';
import { call, cluster, initialize, post, resume } from './linked-instances.ts';

test('a session that one instance opened goes on at another, and ends on both', async () => {
  const { one, two } = await cluster({ echo });
  const headers = await initialize(one);
  for (const [id, at] of [one, two, two, one].entries()) {
    expect(await (await call(at, headers, 'echo', id)).text()).toContain('"result"');
  }
  expect((await two.fetch({ method: 'DELETE', headers })).status).toBe(200);
  expect((await call(one, headers, 'echo', 5)).status).toBe(404);
  expect((await call(two, headers, 'echo', 6)).status).toBe(404);
});

test('what a client asks of one instance counts on the other', async () => {
  const shout: FakeTool = async (_args, { log }) => {
    await log('info', 'quiet', undefined);
    await log('error', 'loud', undefined);
    return 'done';
  };
  const { one, two } = await cluster({ shout });
  const headers = await initialize(one);
  expect(contents(await new EventReader(await call(one, headers, 'shout', 1)).rest())).toContain('quiet');
  const level = await post(two, headers, message('logging/setLevel', { level: 'error' }, 2));
  expect(await level.json()).toMatchObject({ id: 2, result: {} });
  const events = await new EventReader(await call(one, headers, 'shout', 3)).rest();
  expect(contents(events)).toEqual(['loud', 'answer']);
});

test('a record that was loaded before a change of the session does not undo it', async () => {
  const { one, recordOf, slow } = await cluster({}, {}, fullService());
  const headers = await initialize(one);
  const subscribe = (uri: string, id: number): Promise<Response> =>
    post(one, headers, message('resources/subscribe', { uri }, id));
  let goOn = (): void => undefined;
  slow.loading = new Promise<void>((resolve) => (goOn = resolve));
  const late = subscribe('memo:one', 1);
  await new Promise(setImmediate);
  delete slow.loading;
  expect(await (await subscribe('memo:two', 2)).json()).toMatchObject({ result: {} });
  goOn();
  expect(await (await late).json()).toMatchObject({ result: {} });
  const { subscriptions } = (await recordOf(headers)) ?? {};
  expect([...(subscriptions ?? [])].sort()).toEqual(['memo:one', 'memo:two']);
});

test('a session of another owner is as unknown on every instance as one that never existed', async () => {
  const authenticate: HttpHandlerOptions['authenticate'] = ({ headers }) => ({
    token: 'x',
    clientId: headers['authorization'] ?? '',
    scopes: [],
  });
  const { one, two } = await cluster({ echo }, { authenticate });
  const headers = await initialize(one, { authorization: 'ann' });
  expect((await call(two, { ...headers, authorization: 'bob' }, 'echo', 1)).status).toBe(404);
  expect((await call(two, headers, 'echo', 1)).status).toBe(200);
  expect((await call(two, { ...headers, authorization: 'bob' }, 'echo', 2)).status).toBe(404);
});

test('a reply that comes to another instance finds the call that asked', async () => {
  const ask: FakeTool = (_args, exchange) =>
    exchange.request('elicitation/create', { message: 'Who?', requestedSchema: { type: 'object' } });
  const { one, two } = await cluster({
    ask: async (args, exchange) => JSON.stringify(await ask(args, exchange)),
  });
  const headers = await initialize(one);
  const stream = new EventReader(await call(one, headers, 'ask', 1));
  await stream.next();
  const question = await stream.next();
  const result = { action: 'accept', content: { name: 'Ann' } };
  const reply = JSON.stringify({ jsonrpc: '2.0', id: question?.message?.['id'], result });
  expect((await post(two, headers, reply)).status).toBe(202);
  const [answer] = await stream.rest();
  expect(JSON.stringify(answer?.message)).toContain('Ann');
});

test('a stream that breaks off is resumed at another instance, with every stored event once and in order', async () => {
  const { tick, started, turns, end } = tickingTool();
  const { one, two } = await cluster({ tick });
  const headers = await initialize(one);
  const first = new EventReader(await call(one, headers, 'tick', 1));
  await started;
  await first.next();
  await turns(2);
  const seen = [await first.next(), await first.next()];
  expect(contents(seen)).toEqual([1, 2]);
  await first.leave();
  await turns(2);

  // While it runs: what is there, and when to come back
  const second = await new EventReader(await resume(two, headers, idOf(seen[1]))).rest();
  expect(contents(second)).toEqual([3, 4]);
  expect(second.at(-1)).toEqual({ retry: '7', message: undefined });
  const nothing = await new EventReader(await resume(two, headers, idOf(second[1]))).rest();
  // With its place again, which the official clients would forget
  expect(nothing).toEqual([{ id: idOf(second[1]), retry: '7', data: '', message: undefined }]);

  await turns(1);
  end();
  // Where it runs it is followed to its answer, which is stored then
  const live = await new EventReader(await resume(one, headers, idOf(second[1]))).rest();
  expect(contents(live)).toEqual([5, 'answer']);
  const third = await new EventReader(await resume(two, headers, idOf(second[1]))).rest();
  expect(contents(third)).toEqual([5, 'answer']);
  expect(third.at(-1)).not.toHaveProperty('retry');
  // From its beginning, and where it ran, it is the same
  for (const at of [one, two]) {
    const all = await new EventReader(await resume(at, headers, idOf(seen[0]))).rest();
    expect(contents(all)).toEqual([2, 3, 4, 5, 'answer']);
    expect(new Set(all.map(idOf)).size).toBe(5);
  }
});

test('the streams of two instances are never taken for one another', async () => {
  const say =
    (word: string): FakeTool =>
    async (_args, { log }) => {
      await log('info', word, undefined);
      return word;
    };
  const { one, two } = await cluster({ left: say('left'), right: say('right') });
  const headers = await initialize(one);
  const left = await new EventReader(await call(one, headers, 'left', 1)).rest();
  const right = await new EventReader(await call(two, headers, 'right', 2)).rest();
  for (const [events, word] of [
    [left, 'left'],
    [right, 'right'],
  ] as const) {
    for (const at of [one, two]) {
      const again = await new EventReader(await resume(at, headers, idOf(events[0]))).rest();
      expect(contents(again)).toEqual([word, 'answer']);
    }
  }
});

test('what one instance says of a session comes to those with a part in it, and to no others', async () => {
  const { one, two, three } = await cluster({ echo }, {}, fullService());
  const headers = await initialize(one);
  const stream = new EventReader(await two.fetch({ headers }));
  await stream.next();
  const counts = (): readonly number[] => [one, two, three].map(({ heard }) => heard.count);
  await (await post(three, headers, message('ping', {}, 1))).text();
  const before = counts();
  await (await post(three, headers, message('resources/subscribe', { uri: 'memo:one' }, 2))).text();
  await new Promise(setImmediate);
  // The one that opened it is not told of changes; the sender gets nothing
  expect(counts().map((count, index) => count - (before[index] ?? 0))).toEqual([0, 1, 0]);
  expect((await three.fetch({ method: 'DELETE', headers })).status).toBe(200);
  await stream.rest();
  await new Promise(setImmediate);
  expect(counts().map((count, index) => count - (before[index] ?? 0))).toEqual([1, 2, 0]);
});

test('a lost stream gets what its client subscribed to elsewhere in the meantime', async () => {
  const { one, two, three } = await cluster({ echo }, {}, fullService());
  const headers = await initialize(one);
  const stream = new EventReader(await one.fetch({ headers }));
  const place = idOf(await stream.next());
  await stream.leave();
  await (await post(two, headers, message('resources/subscribe', { uri: 'memo:one' }, 1))).text();
  await new Promise(setImmediate);
  for (const each of [one, two]) each.notify({ kind: 'resource', uri: 'memo:one' });
  await new Promise(setImmediate);
  const again = new EventReader(await resume(one, headers, place));
  expect((await again.next())?.message).toMatchObject({ params: { uri: 'memo:one' } });
  await again.leave();
  // Once the client has its stream elsewhere, the first instance gets no more messages
  await (await resume(two, headers, place)).body?.cancel();
  await new Promise(setImmediate);
  const before = one.heard.count;
  await (await post(three, headers, message('resources/subscribe', { uri: 'memo:two' }, 2))).text();
  await new Promise(setImmediate);
  expect(one.heard.count).toBe(before);
});

test('a call that goes on is stopped from another instance, also when it has just begun', async () => {
  const stopped: unknown[] = [];
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const wait: FakeTool = (_args, { signal }) => {
    begin();
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        stopped.push(signal.reason);
        resolve('stopped');
      });
    });
  };
  const { one, two } = await cluster({ wait });
  const headers = await initialize(one);
  const calling = call(one, headers, 'wait', 7);
  await begun;
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
  expect((await post(two, headers, JSON.stringify(cancelled))).status).toBe(202);
  await (await calling).text();
  expect(stopped).toHaveLength(1);
});

test('an instance that runs a call stops it when its session ends elsewhere', async () => {
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const wait: FakeTool = async (_args, { log, signal }) => {
    await log('info', 'begun', undefined);
    begin();
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve);
    });
    return 'stopped';
  };
  const { one, two, three } = await cluster({ wait });
  const headers = await initialize(one);
  const stream = new EventReader(await call(two, headers, 'wait', 1));
  await begun;
  while (two.heard.count === 0) {
    await (await post(three, headers, message('logging/setLevel', { level: 'info' }, 2))).text();
    await (await post(three, headers, message('logging/setLevel', { level: 'error' }, 3))).text();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await three.fetch({ method: 'DELETE', headers });
  expect(JSON.stringify(await stream.rest())).toContain('session');
});

test('a standalone stream goes on at another instance, after what it missed', async () => {
  const { one, two } = await cluster({ echo });
  const headers = await initialize(one);
  const first = new EventReader(await one.fetch({ headers }));
  const place = idOf(await first.next());
  await first.leave();
  const second = await resume(two, headers, place);
  expect(second.status).toBe(200);
  await second.body?.cancel();
});

test('an instance that stops takes neither its sessions nor their events from the others', async () => {
  const { tick, started, turns, end } = tickingTool();
  const { one, two, store } = await cluster({ tick, echo });
  const headers = await initialize(one);
  const stream = new EventReader(await call(one, headers, 'tick', 1));
  await started;
  await stream.next();
  await turns(1);
  const seen = idOf(await stream.next());
  await turns(1);
  const closing = one.close();
  end();
  await closing;
  expect(store.size).toBe(1);
  const rest = await new EventReader(await resume(two, headers, seen)).rest();
  expect(contents(rest)).toEqual([2, 'answer']);
  expect(rest.at(-1)?.message).toMatchObject({ id: 1, error: { data: { code: 'OUTCOME_UNKNOWN' } } });
  // The official clients come back for more after an error
  expect((await resume(two, headers, idOf(rest.at(-1)))).status).toBe(204);
  expect((await call(two, headers, 'echo', 2)).status).toBe(200);
});

test('events of a session that its client has ended are kept nowhere', async () => {
  const { one, two, eventStore } = await cluster({ echo });
  const headers = await initialize(one);
  await (await one.fetch({ headers })).body?.cancel();
  expect(eventStore.size).toBeGreaterThan(0);
  await two.fetch({ method: 'DELETE', headers });
  expect(eventStore.size).toBe(0);
});

test('a store is not asked about what no session is called', async () => {
  const { one, asked } = await cluster({ echo });
  const headers = await initialize(one);
  for (const id of ['__proto__', '../../x', 'x'.repeat(4000)]) {
    expect((await call(one, { ...headers, 'mcp-session-id': id }, 'echo', 1)).status).toBe(404);
  }
  expect(asked).toEqual([]);
});
