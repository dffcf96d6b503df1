import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
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
