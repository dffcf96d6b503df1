import { describe, expect, test } from '@jest/globals';
import { ToolwrightError } from '../../../src/errors/toolwright-error.ts';
import type { HttpOptions } from '../../../src/transports/http/http-options.ts';
import { echo, latch } from '../../support/fake-application.ts';
import { INITIALIZE, initialize, message, send } from '../../support/raw-http.ts';
import { clientOf, finishingTool, modes, serve } from '../../support/http-server.ts';

describe('without sessions', () => {
  test('only POST is known', async () => {
    const { url } = await serve({ sessions: false });
    for (const method of ['GET', 'DELETE']) {
      const response = await send(url, { method });
      expect([response.status, response.headers['allow']]).toEqual([405, 'POST']);
    }
  });

  test('a tool can be called without initialize', async () => {
    const { url } = await serve({ sessions: false, json: true });
    const response = await send(url, { body: message('tools/call', { name: 'echo' }) });
    expect(JSON.parse(response.body)).toMatchObject({ result: { content: [{ text: '{}' }] } });
    expect(response.headers['mcp-session-id']).toBeUndefined();
  });

  test.each([
    ['a stream', false],
    ['plain JSON', true],
  ])('a client that goes away aborts its call, with %s', async (_name, json) => {
    const started = latch();
    const aborted = latch();
    const serving = await serve(
      { sessions: false, json },
      {
        wait: (_args, { signal }) => {
          signal.addEventListener('abort', () => {
            aborted.open();
          });
          started.open();
          return aborted.promise;
        },
        echo,
      },
    );
    const leave = new AbortController();
    const call = fetch(serving.url, {
      method: 'POST',
      body: message('tools/call', { name: 'wait' }),
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      signal: leave.signal,
    }).catch(() => 'gone');
    await started.promise;
    leave.abort();
    await aborted.promise;
    await call;
    await serving.stop();
  });
});

describe('ending', () => {
  test.each(modes)('stop() answers what runs and refuses what is new, %s', async (_name, options) => {
    const { wait, started, finish } = finishingTool();
    const serving = await serve(options, { wait });
    const { client } = await clientOf(serving.url);
    const call = client.callTool({ name: 'wait' });
    await started;
    let isStopped = false;
    const stopped = serving.stop().then(() => (isStopped = true));
    const refused = await send(serving.url, { body: INITIALIZE });
    expect([refused.status, refused.error?.message]).toEqual([503, 'The server is shutting down']);
    expect(isStopped).toBe(false);
    finish();
    expect(await call).toMatchObject({ content: [{ text: 'done' }] });
    await stopped;
    await serving.close();
    await serving.closed;
    await expect(send(serving.url, { body: INITIALIZE })).rejects.toThrow();
  });

  test.each(modes)('close() aborts what runs, %s', async (_name, options) => {
    const started = latch();
    const aborted = latch();
    const serving = await serve(options, {
      wait: (_args, { signal }) => {
        signal.addEventListener('abort', () => {
          aborted.open();
        });
        started.open();
        return aborted.promise;
      },
    });
    const { client } = await clientOf(serving.url);
    const call = client.callTool({ name: 'wait' }).catch(() => 'ended');
    await started.promise;
    await Promise.all([serving.close(), serving.close(), aborted.promise]);
    await client.close();
    expect(await call).toBe('ended');
  });
});

describe('listening', () => {
  test('refuses a port that is taken and says what to do', async () => {
    const { port } = await serve();
    const failure: unknown = await serve({ port }).catch((error: unknown) => error);
    if (!ToolwrightError.is(failure)) throw failure;
    expect([failure.code, failure.message]).toEqual([
      'TW_SERVER_LISTEN',
      expect.stringContaining('EADDRINUSE'),
    ]);
    expect(failure.fix).toContain('port 0');
  });

  test.each([
    [{ host: '192.0.2.1' }, 'TW_SERVER_LISTEN'],
    [{ path: 'mcp' }, 'TW_SERVER_OPTION'],
    [{ maxBodyBytes: 0 }, 'TW_SERVER_OPTION'],
    [{ sessions: { maxSessions: NaN } }, 'TW_SERVER_OPTION'],
  ] as [Partial<HttpOptions>, string][])('refuses %j', async (options, code) => {
    await expect(serve(options)).rejects.toMatchObject({ code });
  });

  test('returns a URL that works for every way of binding', async () => {
    const { url, port } = await serve({ path: '/api/tools', host: '0.0.0.0' });
    expect(url).toBe(`http://127.0.0.1:${String(port)}/api/tools`);
    await initialize(url);
  });
});
