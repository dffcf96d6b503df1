import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Browser } from '../support/sign-in/browser.ts';
import { claimsIn, HandClient, isCallback, startDesk, whoAmI, type Desk } from '../support/sign-in/desk.ts';

describe('signing in by hand', () => {
  let desk: Desk;
  beforeEach(async () => {
    desk = await startDesk();
  });
  afterEach(() => desk.close());

  test('a registered client gets tokens of the application, and the tools know the person', async () => {
    const client = await HandClient.register(desk.origin);
    const tokens = await client.tokens();
    const claims = claimsIn(tokens.access_token);
    expect(claims).toMatchObject({
      ...{ iss: desk.origin, aud: `${desk.origin}/mcp`, sub: 'ann', roles: ['editor'], scope: 'desk:read' },
    });
    expect((await whoAmI(desk.url, tokens.access_token)).status).toBe(200);
    const refreshed = await client.refresh(tokens.refresh_token);
    expect(refreshed.status).toBe(200);
  });

  test('a person may refuse', async () => {
    const client = await HandClient.register(desk.origin);
    const browser = new Browser();
    const page = await browser.open(client.authorizationUrl(), isCallback);
    expect(page.text).toContain('tester');
    const { searchParams } = new URL((await browser.press(page, 'deny', isCallback)).url);
    expect(searchParams.get('error')).toBe('access_denied');
    expect(searchParams.get('iss')).toBe(desk.origin);
  });
});

describe('72: a provider that cannot be asked', () => {
  type Fault = (request: IncomingMessage, response: ServerResponse) => void;
  const html = (status: number, text: string): Fault => {
    return (_request, response) => void response.writeHead(status, { 'content-type': 'text/html' }).end(text);
  };
  test.each<readonly [string, Fault]>([
    ['is down', (request) => void request.socket.destroy()],
    ['does not answer', (request) => void request.resume()],
    ['fails', html(500, 'Internal error')],
    ['has an error that is not OAuth', html(404, '<h1>Not here</h1>')],
    ['shows a page', html(200, '<!DOCTYPE html><h1>Maintenance</h1>')],
  ])(
    '%s: a page at first, a refusal at the end, and a refresh that may be repeated',
    async (_name, fault) => {
      const desk = await startDesk({ signIn: { accessTokenTtl: 1 }, provider: { timeout: 200 } });
      try {
        const { upstream, origin } = desk;
        const fail = (request: IncomingMessage, response: ServerResponse): boolean => {
          if (!/^.(token|\.well-known)/.test(request.url ?? '')) return false;
          fault(request, response);
          return true;
        };
        const client = await HandClient.register(origin);
        const browser = new Browser();
        const page = await browser.open(client.authorizationUrl(), isCallback);
        upstream.instead = fail;
        const refused = await browser.press(page, 'allow', isCallback);
        expect([refused.status, refused.response.headers.get('retry-after')]).toEqual([503, '5']);
        upstream.instead = undefined;
        expect((await browser.press(page, 'allow', isCallback)).url).toContain('code=');
        const tokens = await client.tokens();
        upstream.instead = fail;
        expect((await client.signIn()).get('error')).toBe('access_denied');
        const later = await client.refresh(tokens.refresh_token);
        expect([later.status, ((await later.json()) as { error: string }).error]).toEqual([
          503,
          'temporarily_unavailable',
        ]);
        upstream.instead = undefined;
        expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
      } finally {
        await desk.close();
      }
    },
  );
});
