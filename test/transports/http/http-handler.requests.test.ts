import { describe, expect, test } from '@jest/globals';
import { createFetchHandler } from '../../../src/transports/fetch/create-fetch-handler.ts';
import { echo, fakeApplication, latch, type FakeTool } from '../../support/fake-application.ts';
import { JSON_HEADERS, message } from '../../support/raw-http.ts';
import { rawSession, serve, waitingTool } from '../../support/http-server.ts';

const circular: FakeTool = () => {
  const block: Record<string, unknown> = { type: 'text', text: 'round' };
  block['_meta'] = { block };
  return { content: [block] };
};

/** The messages of an answer, which may be plain JSON or a stream. */
const answersOf = (text: string): Record<string, unknown>[] =>
  (text.startsWith('{') ? [text] : text.split('\n').filter((line) => line.startsWith('data: '))).map(
    (line) => JSON.parse(line.replace('data: ', '')) as Record<string, unknown>,
  );

describe('a request that its client cancels', () => {
  test('ends its stream without an answer', async () => {
    const { wait, started, aborted } = waitingTool();
    const serving = await serve({}, { wait });
    const session = await rawSession(serving.url);
    const call = await session.call('wait', 7);
    await started;
    expect((await session.cancel(7)).status).toBe(202);
    await aborted;
    expect(answersOf(await call.text())).toEqual([]);
  });

  test('ends its response with plain JSON', async () => {
    const { wait, started } = waitingTool();
    const serving = await serve({ json: true }, { wait });
    const session = await rawSession(serving.url);
    const call = session.call('wait', 7);
    await started;
    await session.cancel(7);
    const response = await call;
    expect([response.status, await response.text()]).toEqual([202, '']);
  });

  test.each([
    ['a stream', false],
    ['plain JSON', true],
  ])('does not swallow the other answers of its batch, with %s', async (_name, json) => {
    const { wait, started } = waitingTool();
    const serving = await serve({ json }, { wait, echo });
    const session = await rawSession(serving.url);
    const batch = session.post(
      `[${message('tools/call', { name: 'wait' }, 'w')},${message('tools/list', {}, 'a')},${message('ping', undefined, 'b')}]`,
    );
    await started;
    await session.cancel('w');
    const text = await (await batch).text();
    const answers = json ? (JSON.parse(text) as Record<string, unknown>[]) : answersOf(text);
    expect(answers.map(({ id }) => id).sort()).toEqual(['a', 'b']);
    expect((await session.call('echo', 'w')).status).toBe(200);
  });

  test('does not hold the end of serving, though its handler goes on', async () => {
    const started = latch();
    const never = latch();
    const serving = await serve(
      {},
      {
        deaf: () => {
          started.open();
          return never.promise;
        },
      },
    );
    const session = await rawSession(serving.url);
    const call = await session.call('deaf', 1);
    await started.promise;
    await session.cancel(1);
    await call.text();
    await serving.stop();
  });

  test('does not keep its session busy', async () => {
    const { wait, started } = waitingTool();
    const { url } = await serve({ sessions: { maxSessions: 1 } }, { wait });
    const session = await rawSession(url);
    const call = await session.call('wait', 1);
    await started;
    await session.cancel(1);
    await call.text();
    await rawSession(url);
  });

  test('is left alone by an id that never was, and by the second time', async () => {
    const { wait, started } = waitingTool();
    const { url } = await serve({}, { wait, echo });
    const session = await rawSession(url);
    const call = await session.call('wait', 1);
    await started;
    for (const id of [2, 1, 1]) expect((await session.cancel(id)).status).toBe(202);
    await call.text();
    expect(answersOf(await (await session.call('echo', 1)).text())).toMatchObject([{ id: 1 }]);
  });
});

describe('an id', () => {
  test.each([
    ['a stream', false],
    ['plain JSON', true],
  ])('that still runs is refused, and free again afterwards, with %s', async (_name, json) => {
    const { wait, started } = waitingTool();
    const { url } = await serve({ json }, { wait, echo });
    const session = await rawSession(url);
    const call = session.call('wait', 1);
    await started;
    const repeated = await session.call('echo', 1);
    expect([repeated.status, await repeated.json()]).toEqual([
      400,
      { jsonrpc: '2.0', id: 1, error: { code: -32600, message: expect.stringContaining('still running') } },
    ]);
    await session.cancel(1);
    await (await call).text();
    expect((await session.call('echo', 1)).status).toBe(200);
  });

  test('stands once in a batch', async () => {
    const { url } = await serve();
    const session = await rawSession(url);
    const ping = message('ping', undefined, 1);
    expect((await session.post(`[${ping},${ping}]`)).status).toBe(400);
    expect((await session.post(ping)).status).toBe(200);
  });

  test('is free again when its request was refused', async () => {
    const { url } = await serve();
    const session = await rawSession(url);
    const refused = await fetch(url, {
      method: 'POST',
      body: message('ping'),
      headers: { ...JSON_HEADERS, ...session.headers, 'mcp-protocol-version': '1999-01-01' },
    });
    expect(refused.status).toBe(400);
    expect((await session.post(message('ping'))).status).toBe(200);
  });
});

describe('a result that JSON cannot carry', () => {
  test.each([
    ['a stream', false],
    ['plain JSON', true],
  ])('is answered by an error, with %s', async (_name, json) => {
    const { url } = await serve({ json }, { circular });
    const session = await rawSession(url);
    const text = await (await session.call('circular', 3)).text();
    expect(json ? JSON.parse(text) : answersOf(text)[0]).toMatchObject({ id: 3, error: { code: -32603 } });
  });
});

describe('while the server stops', () => {
  test('a client can cancel, answer and leave, but ask nothing new', async () => {
    const { wait, started, aborted } = waitingTool();
    const serving = await serve({}, { wait });
    const session = await rawSession(serving.url);
    const call = await session.call('wait', 1);
    await started;
    const stopped = serving.stop();
    expect((await session.post(message('ping', undefined, 2))).status).toBe(503);
    expect((await fetch(serving.url, { headers: { ...JSON_HEADERS, ...session.headers } })).status).toBe(503);
    expect((await session.post('{"jsonrpc":"2.0","id":5,"result":{}}')).status).toBe(202);
    expect((await session.cancel(1)).status).toBe(202);
    await aborted;
    await call.text();
    await stopped;
    const left = await fetch(serving.url, { method: 'DELETE', headers: session.headers });
    expect(left.status).toBe(200);
  });
});

test('keeps no more than it must for a client that does not read', async () => {
  const sent = latch();
  const finish = latch();
  const handler = createFetchHandler(
    fakeApplication({
      flood: async (_args, { log }) => {
        const send = () => log('info', 'x'.repeat(50_000), undefined);
        // Some at once, the others one after the other.
        await Promise.all(Array.from({ length: 100 }, send));
        for (let n = 0; n < 100; n += 1) await send();
        sent.open();
        await finish.promise;
        return 'done';
      },
    }),
    { sessions: false },
  );
  const response = await handler.fetch(
    new Request('http://localhost/', {
      method: 'POST',
      headers: JSON_HEADERS,
      body: message('tools/call', { name: 'flood' }, 9),
    }),
  );
  await sent.promise;
  finish.open();
  const messages = answersOf(await response.text());
  expect(messages.at(-1)).toMatchObject({ id: 9, result: { content: [{ text: 'done' }] } });
  expect(messages.length).toBeGreaterThan(5);
  expect(messages.length).toBeLessThan(50);
  await handler.close();
});

test('loses nothing for a client that reads', async () => {
  const { url } = await serve(
    {},
    {
      chatty: async (_args, { log }) => {
        for (let n = 0; n < 300; n += 1) {
          await log('info', 'x'.repeat(10_000), undefined);
          if (n % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        }
        return 'done';
      },
    },
  );
  const session = await rawSession(url);
  expect(answersOf(await (await session.call('chatty', 1)).text())).toHaveLength(301);
});
