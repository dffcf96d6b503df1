import { describe, expect, test } from '@jest/globals';
import type { HttpOptions } from '../../../../src/transports/http/http-options.ts';
import type { RequestContext } from '../../../../src/call/request-context.ts';
import { headers2026, message2026 } from '../../../support/client-of-2026.ts';
import { initialize, JSON_HEADERS, message, send } from '../../../support/raw-http.ts';
import { serve } from '../../../support/http-server.ts';

/** The person and the seconds from now are in the token. */
const authenticate: HttpOptions['authenticate'] = ({ headers }) => {
  const [, clientId = '', seconds = ''] =
    /^Bearer (\w+) ([\d.]+)$/.exec(headers['authorization'] ?? '') ?? [];
  return { token: clientId, clientId, scopes: [], expiresAt: Date.now() / 1000 + Number(seconds) };
};
const as = (person: string, seconds = 3600): Record<string, string> => ({
  authorization: `Bearer ${person} ${String(seconds)}`,
});

async function listen(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { ...JSON_HEADERS, ...headers2026('subscriptions/listen'), ...headers },
    body: JSON.stringify(message2026('subscriptions/listen', { notifications: { toolsListChanged: true } })),
  });
}

/** True when it ends; a stream that stays open says nothing. */
async function endsWithin(response: Response, milliseconds: number): Promise<boolean> {
  const end = response.text().then(
    () => true,
    () => true,
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, milliseconds, false)));
  return Promise.race([end, late]).finally(() => {
    clearTimeout(timer);
  });
}

describe('a stream ends with the token that opened it', () => {
  test('where it stands by itself', async () => {
    const { url } = await serve({ authenticate });
    const session = { accept: 'text/event-stream', 'mcp-session-id': await initialize(url, as('ann')) };
    const response = await fetch(url, { headers: { ...session, ...as('ann', 0.3) } });
    expect(response.status).toBe(200);
    expect(await endsWithin(response, 5000)).toBe(true);
    const next = await fetch(url, { headers: { ...session, ...as('ann') } });
    expect([next.status, await endsWithin(next, 500)]).toEqual([200, false]);
  });

  test('where it is a subscription', async () => {
    const { url } = await serve({ authenticate });
    const [short, long] = [await listen(url, as('ann', 0.3)), await listen(url, as('ann'))];
    expect([await endsWithin(short, 5000), await endsWithin(long, 300)]).toEqual([true, false]);
  });

  test.each(['2025', '2025 in a session', '2026'])(
    'but not where a call runs, which is answered after the token has expired: %s',
    async (era) => {
      const wait = async (_args: unknown, request: RequestContext) => {
        await request.notify('notifications/progress', { progressToken: 1, progress: 1 });
        await new Promise((resolve) => setTimeout(resolve, 600));
        return { content: [{ type: 'text', text: 'waited' }] };
      };
      const { url } = await serve({ authenticate, sessions: era.includes('session') }, { wait });
      const session: Record<string, string> = era.includes('session')
        ? { 'mcp-session-id': await initialize(url, as('ann')) }
        : {};
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          ...JSON_HEADERS,
          ...(era === '2026' ? { ...headers2026('tools/call'), 'mcp-name': 'wait' } : session),
          ...as('ann', 0.2),
        },
        body:
          era === '2026'
            ? JSON.stringify(message2026('tools/call', { name: 'wait', arguments: {} }))
            : message('tools/call', { name: 'wait' }),
      });
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      expect(await response.text()).toContain('waited');
    },
  );

  test('and no longer keeps its idle session open', async () => {
    const { url } = await serve({ authenticate, sessions: { idleTimeout: 100 } });
    const session = { accept: 'text/event-stream', 'mcp-session-id': await initialize(url, as('ann')) };
    const response = await fetch(url, { headers: { ...session, ...as('ann', 0.3) } });
    expect(await endsWithin(response, 5000)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(
      (await send(url, { body: message('ping'), headers: { ...session, ...as('ann') } })).status,
    ).not.toBe(200);
  });
});

describe('sessions and subscriptions of one person', () => {
  test('leave room for those of another, whatever streams are open', async () => {
    const { url } = await serve({ authenticate, sessions: { maxSessions: 8 } });
    const alice = await initialize(url, as('alice'));
    const opened = [];
    for (let count = 0; count < 8; count += 1) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...JSON_HEADERS, ...as('bob') },
        body: message('initialize', {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'bob', version: '0' },
        }),
      });
      opened.push(response.status);
      const id = response.headers.get('mcp-session-id');
      await response.text();
      if (id === null) continue;
      await fetch(url, { headers: { accept: 'text/event-stream', 'mcp-session-id': id, ...as('bob') } });
    }
    expect(opened).toEqual([200, 200, 200, 200, 503, 503, 503, 503]);
    const ping = { body: message('ping'), headers: { 'mcp-session-id': alice, ...as('alice') } };
    expect((await send(url, ping)).status).toBe(200);
    await initialize(url, as('alice'));
  });

  test('are bounded for each and for all, and who has more gives way', async () => {
    const { url } = await serve({ authenticate, maxSubscriptions: 4 });
    const bob = [await listen(url, as('bob')), await listen(url, as('bob'))];
    const refused = await listen(url, as('bob'));
    expect([refused.status, await refused.json()]).toMatchObject([503, { id: 1, error: { code: -32000 } }]);
    const others = [await listen(url, as('ann')), await listen(url, as('eve'))];
    expect((await listen(url, as('dan'))).status).toBe(200);
    expect(await endsWithin(bob[0] as Response, 5000)).toBe(true);
    for (const open of [bob[1] as Response, ...others]) expect(await endsWithin(open, 50)).toBe(false);
    expect((await listen(url, as('bob'))).status).toBe(503);
  });
});
