import { describe, expect, test } from '@jest/globals';
import { connectHttp, client2026, headers2026, message2026, post2026 } from '../../support/client-of-2026.ts';
import { echo, latch } from '../../support/fake-application.ts';
import { JSON_HEADERS } from '../../support/raw-http.ts';
import { finishingTool, modes, serve, waitingTool } from '../../support/http-server.ts';

function callRaw(url: string, name: string, signal: AbortSignal): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { ...JSON_HEADERS, ...headers2026('tools/call', name) },
    body: JSON.stringify(message2026('tools/call', { name, _meta: { ...metaWithProgress } })),
    signal,
  });
}
const metaWithProgress = {
  ...(message2026('x') as { params: { _meta: object } }).params._meta,
  progressToken: 1,
};

describe.each(modes)('a call of 2026-07-28 at a server %s', (_name, options) => {
  test('is cancelled by a client that closes its request', async () => {
    const { wait, started, aborted } = waitingTool();
    const serving = await serve(options, { wait });
    const leave = new AbortController();
    const call = callRaw(serving.url, 'wait', leave.signal).catch(() => 'gone');
    await started;
    leave.abort();
    await aborted;
    expect(await call).toBe('gone');
    await serving.stop();
  });

  test('is cancelled by the client of the SDK', async () => {
    const { wait, started, aborted } = waitingTool();
    const { url } = await serve(options, { wait });
    const client = await connectHttp(client2026(), url);
    const cancel = new AbortController();
    const call = client.callTool({ name: 'wait' }, { signal: cancel.signal }).catch(() => 'cancelled');
    await started;
    cancel.abort();
    await aborted;
    expect(await call).toBe('cancelled');
    await client.close();
  });

  test('is answered before the server has stopped, which refuses what is new', async () => {
    const { wait, started, finish } = finishingTool();
    const serving = await serve(options, { wait, echo });
    const call = post2026(serving.url, 'tools/call', { name: 'wait' });
    await started;
    let isStopped = false;
    const stopped = serving.stop().then(() => (isStopped = true));
    const refused = await post2026(serving.url, 'tools/call', { name: 'echo' });
    expect([refused.status, isStopped]).toEqual([503, false]);
    finish();
    expect((await call).body).toContain('"done"');
    await stopped;
  });

  test('is aborted by closing, and gets an error', async () => {
    const { wait, started, aborted } = waitingTool();
    const serving = await serve(options, { wait });
    const call = post2026(serving.url, 'tools/call', { name: 'wait' });
    await started;
    await serving.close();
    await aborted;
    expect(await call).toMatchObject({ status: 503, error: { message: 'The server is shutting down' } });
  });
});

test('the stream of a cancelled call ends with its client', async () => {
  const aborted = latch();
  const serving = await serve(
    {},
    {
      talk: async (_args, exchange) => {
        exchange.signal.addEventListener('abort', () => aborted.open());
        await exchange.notify('notifications/progress', { progressToken: 1, progress: 1 });
        await aborted.promise;
        return 'late';
      },
    },
  );
  const leave = new AbortController();
  const response = await callRaw(serving.url, 'talk', leave.signal);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  await response.body?.getReader().read();
  leave.abort();
  await aborted.promise;
  await serving.stop();
});

test('a client that reads nothing misses notifications, and gets its answer', async () => {
  const sent = latch();
  const message = 'x'.repeat(100_000);
  const { url } = await serve(
    {},
    {
      talk: async (_args, exchange) => {
        for (let progress = 1; progress <= 300; progress += 1) {
          await exchange.notify('notifications/progress', { progressToken: 1, progress, message });
          await new Promise(setImmediate);
        }
        sent.open();
        return 'the answer';
      },
    },
  );
  const response = await callRaw(url, 'talk', new AbortController().signal);
  await sent.promise;
  const body = await response.text();
  expect(body).toContain('the answer');
  expect(body.split('notifications/progress').length).toBeLessThan(250);
});
