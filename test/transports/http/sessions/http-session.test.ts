import { describe, expect, test } from '@jest/globals';
import type { RequestContext } from '../../../../src/call/request-context.ts';
import type { HttpOptions } from '../../../../src/transports/http/http-options.ts';
import { echo, latch } from '../../../support/fake-application.ts';
import { INITIALIZE, initialize, message, send } from '../../../support/raw-http.ts';
import { clientOf, modes, serve } from '../../../support/http-server.ts';

describe('authentication', () => {
  const authenticate: HttpOptions['authenticate'] = ({ headers }) => {
    const [, token = ''] = /^Bearer (.+)$/.exec(headers['authorization'] ?? '') ?? [];
    if (token === 'broken') throw new Error('secret database down');
    if (token === 'old') return { token, clientId: 'old', scopes: [], expiresAt: 1 };
    return token === '' ? undefined : { token, clientId: token, scopes: ['read'] };
  };
  const as = (token: string) => ({ authorization: `Bearer ${token}` });

  test('refuses a client that is unknown or late, and says how to come back', async () => {
    const { url } = await serve({ authenticate });
    const nobody = await send(url, { body: INITIALIZE });
    expect([nobody.status, nobody.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    const late = await send(url, { body: INITIALIZE, headers: as('old') });
    expect([late.status, late.headers['www-authenticate']]).toEqual([
      401,
      'Bearer error="invalid_token", error_description="The token has expired"',
    ]);
  });

  test('keeps its own failure to itself', async () => {
    const { url } = await serve({ authenticate });
    const response = await send(url, { body: INITIALIZE, headers: as('broken') });
    expect(response.status).toBe(503);
    expect(response.body).not.toContain('secret');
    expect((await send(url, { body: INITIALIZE, headers: as('ann') })).status).toBe(200);
  });

  test.each(modes)('hands over who calls %s', async (_name, options) => {
    const tools = { who: (_args: unknown, exchange: RequestContext) => exchange.authInfo?.clientId };
    const { url } = await serve({ ...options, authenticate }, tools);
    const { client } = await clientOf(url, as('ann'));
    expect(await client.callTool({ name: 'who' })).toMatchObject({ content: [{ text: 'ann' }] });
  });

  test('does not know the session of another client', async () => {
    const { url } = await serve({ authenticate });
    const session = { 'mcp-session-id': await initialize(url, as('ann')) };
    const list = { body: message('tools/list') };
    expect((await send(url, { ...list, headers: { ...session, ...as('bob') } })).status).toBe(404);
    expect((await send(url, { ...list, headers: { ...session, ...as('ann') } })).status).toBe(200);
  });
});

describe('sessions', () => {
  test('end by DELETE', async () => {
    const { url } = await serve();
    const headers = { 'mcp-session-id': await initialize(url) };
    expect((await send(url, { method: 'DELETE', headers })).status).toBe(200);
    expect((await send(url, { body: message('tools/list'), headers })).status).toBe(404);
    await initialize(url);
  });

  test('are limited, and the refusal names the limit', async () => {
    const { url } = await serve({ sessions: { maxSessions: 2 } });
    const leave = new AbortController();
    for (let n = 0; n < 2; n += 1) {
      const headers = { 'mcp-session-id': await initialize(url), accept: 'text/event-stream' };
      expect((await fetch(url, { headers, signal: leave.signal })).status).toBe(200);
    }
    const refused = await send(url, { body: INITIALIZE });
    expect([refused.status, refused.error?.message]).toEqual([503, expect.stringContaining('2 sessions')]);
    leave.abort();
  });

  test('that are not used make room for new ones', async () => {
    const { url } = await serve({ sessions: { maxSessions: 2 } });
    const { client } = await clientOf(url);
    for (let n = 0; n < 5; n += 1) await initialize(url);
    expect((await client.listTools()).tools).toHaveLength(1);
  });

  test('cost nothing when initialize is refused', async () => {
    const { url } = await serve({ sessions: { maxSessions: 1 } });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await send(url, { body: INITIALIZE, headers: { accept: 'text/html' } })).status).toBe(406);
    }
    await initialize(url);
  });

  test.each([
    { capabilities: { experimental: { much: { text: 'x'.repeat(65_536) } } } },
    { clientInfo: { name: 'x'.repeat(65_536), version: '1' } },
  ])('are not opened for a client that says too much of itself', async (more) => {
    const { url } = await serve({ sessions: { maxSessions: 1 } });
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const refused = await send(url, { body: message('initialize', { ...params, ...more }) });
    expect([refused.status, refused.error?.code]).toEqual([400, -32602]);
    expect(refused.error?.message).toContain('65536 characters together at most');
    expect(refused.headers['mcp-session-id']).toBeUndefined();
    await initialize(url);
  });

  test('keep a call running whose client went away', async () => {
    const started = latch<RequestContext>();
    const finish = latch();
    const ended = latch<boolean>();
    const { url } = await serve(
      {},
      {
        wait: async (_args, exchange) => {
          started.open(exchange);
          await finish.promise;
          ended.open(exchange.signal.aborted);
          return 'done';
        },
        echo,
      },
    );
    const headers = { 'mcp-session-id': await initialize(url) };
    const leave = new AbortController();
    const call = fetch(url, {
      method: 'POST',
      body: message('tools/call', { name: 'wait' }),
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      signal: leave.signal,
    });
    await started.promise;
    await call;
    leave.abort();
    expect((await send(url, { body: message('tools/list', {}, 2), headers })).status).toBe(200);
    finish.open();
    expect(await ended.promise).toBe(false);
    expect((await send(url, { body: message('tools/list', {}, 3), headers })).status).toBe(200);
  });

  test('stop a call that the client cancels', async () => {
    const started = latch();
    const aborted = latch();
    const { url } = await serve(
      {},
      {
        wait: (_args, { signal }) => {
          signal.addEventListener('abort', () => {
            aborted.open();
          });
          started.open();
          return aborted.promise;
        },
      },
    );
    const { client } = await clientOf(url);
    const cancel = new AbortController();
    const call = client.callTool({ name: 'wait' }, undefined, { signal: cancel.signal });
    await started.promise;
    cancel.abort();
    await expect(call).rejects.toThrow();
    await aborted.promise;
  });

  test.each([
    ['a stream', false],
    ['plain JSON', true],
  ])('leave no call without a response when they end, with %s', async (_name, json) => {
    const started = latch();
    const aborted = latch();
    const { url } = await serve(
      { json },
      {
        wait: async (_args, { signal, log }) => {
          signal.addEventListener('abort', () => {
            aborted.open();
          });
          await log('info', 'makes it a stream', undefined);
          started.open();
          return aborted.promise;
        },
      },
    );
    const headers = { 'mcp-session-id': await initialize(url) };
    const call = send(url, { body: message('tools/call', { name: 'wait' }), headers });
    await started.promise;
    expect((await send(url, { method: 'DELETE', headers })).status).toBe(200);
    await aborted.promise;
    expect((await call).status).toBe(json ? 404 : 200);
  });

  test('are notified that the list changed', async () => {
    const serving = await serve();
    const headers = { 'mcp-session-id': await initialize(serving.url), accept: 'text/event-stream' };
    const { body } = await fetch(serving.url, { headers });
    serving.notify({ kind: 'tools' });
    const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = body?.getReader();
    const chunk = await reader?.read();
    expect(new TextDecoder().decode(chunk?.value)).toContain('notifications/tools/list_changed');
  });

  test('have one standalone stream each', async () => {
    const { url } = await serve();
    const headers = { 'mcp-session-id': await initialize(url), accept: 'text/event-stream' };
    const leave = new AbortController();
    const first = await fetch(url, { headers, signal: leave.signal });
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect((await send(url, { method: 'GET', headers })).status).toBe(409);
    leave.abort();
  });
});
