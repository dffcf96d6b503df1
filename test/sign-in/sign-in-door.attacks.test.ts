import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Browser } from '../support/sign-in/browser.ts';
import {
  CALLBACK,
  claimsIn,
  HandClient,
  isCallback,
  register,
  startDesk,
  whoAmI,
  type Desk,
} from '../support/sign-in/desk.ts';
import { send } from '../support/raw-http.ts';

let desk: Desk;
let client: HandClient;
beforeAll(async () => {
  desk = await startDesk();
  client = await HandClient.register(desk.origin);
});
afterAll(() => desk.close());

const never = (): boolean => false;

async function errorOf(response: Response): Promise<string> {
  return `${String(response.status)} ${((await response.json()) as { error: string }).error}`;
}

/** The clock, so many milliseconds later. */
function later(milliseconds: number): { mockRestore(): void } {
  const { now } = Date;
  return jest.spyOn(Date, 'now').mockImplementation(() => now() + milliseconds);
}

/** A page of ours that leads nowhere. */
async function expectPage(url: string, browser = new Browser(), status = 400): Promise<void> {
  const page = await browser.open(url, never);
  expect(page.status).toBe(status);
  expect(page.text).toContain('This sign-in cannot continue');
  expect(page.response.headers.get('location')).toBeNull();
}

describe('where an authorization leads back to', () => {
  test.each([
    ['1: one that is not registered', 'https://evil.example/cb'],
    ['2: another path', 'http://127.0.0.1:9/other'],
    ['2: two slashes', 'http://127.0.0.1:9//callback'],
    ['2: dots', 'http://127.0.0.1:9/a/../callback'],
    ['2: dots in another spelling', 'http://127.0.0.1:9/%2e/callback'],
    ['2: another case', 'http://127.0.0.1:9/Callback'],
    ['2: a query', 'http://127.0.0.1:9/callback?a=b'],
    ['7: another path of this computer', 'http://127.0.0.1:7777/elsewhere'],
    ['7: another name of this computer', 'http://localhost:9/callback'],
  ])('is refused on a page, attack %s', async (_attack, uri) => {
    await expectPage(client.authorizationUrl({ redirect_uri: uri }));
  });

  test.each([
    ['3', 'https://claude.ai@evil.example/api/mcp/auth_callback'],
    ['3', 'https://claude.ai.evil.example/api/mcp/auth_callback'],
    ['3', 'https://xn--clude-3ve.ai/api/mcp/auth_callback'],
    ['4', 'http://evil.example/cb'],
    ['5', 'javascript:alert(1)'],
    ['5', 'JavaScript:alert(1)'],
    ['5', 'data:text/html,x'],
    ['5', 'file:///etc/passwd'],
    ['5', 'vbscript:x'],
    ['5', 'blob:https://claude.ai/x'],
    ['5', ' javascript:alert(1)'],
    ['5', 'java\nscript:alert(1)'],
    ['5', 'http://127.0.0.1:9/callback#fragment'],
    ['6', 'http://127.0.0.1.evil.example/cb'],
    ['6', 'http://localhost.evil.example/cb'],
    ['6', 'http://0.0.0.0/cb'],
    ['6', 'http://2130706433/cb'],
    ['6', 'http://[::ffff:7f00:1]/cb'],
  ])('is not registered, attack %s: %j', async (_attack, uri) => {
    expect(await errorOf(await register(desk.origin, { redirect_uris: [uri] }))).toBe(
      '400 invalid_redirect_uri',
    );
  });

  test('is named by the option where none is known', async () => {
    const response = await register(desk.origin, { redirect_uris: ['https://unknown.example/cb'] });
    expect(((await response.json()) as { error_description: string }).error_description).toContain(
      'auth.signIn.redirects',
    );
  });

  test('is registered without the unknown ones among known ones', async () => {
    const response = await register(desk.origin, { redirect_uris: ['https://unknown.example/cb', CALLBACK] });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ redirect_uris: [CALLBACK] });
  });
});

describe('PKCE and codes', () => {
  test.each([
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['a plain one', { code_challenge_method: 'plain' }],
    ['no method', { code_challenge_method: undefined }],
  ])('8: %s is refused', async (_case, changes) => {
    const page = await new Browser().open(client.authorizationUrl(changes), isCallback);
    expect(new URL(page.url).searchParams.get('error')).toBe('invalid_request');
  });

  test('8: confidential clients need it, too', async () => {
    const other = await HandClient.register(desk.origin, {
      token_endpoint_auth_method: 'client_secret_post',
    });
    const url = other.authorizationUrl({ code_challenge: undefined, code_challenge_method: undefined });
    const page = await new Browser().open(url, isCallback);
    expect(new URL(page.url).searchParams.get('error')).toBe('invalid_request');
  });

  test('9: a wrong verifier, or none, does not use the code up', async () => {
    const code = (await client.signIn()).get('code') ?? '';
    expect(await errorOf(await client.redeem(code, { code_verifier: 'a'.repeat(43) }))).toBe(
      '400 invalid_grant',
    );
    expect((await client.redeem(code, { code_verifier: '' })).status).toBe(400);
    expect((await client.redeem(code)).status).toBe(200);
  });

  test('10: a code that comes twice ends what it gave', async () => {
    const code = (await client.signIn()).get('code') ?? '';
    const first = (await (await client.redeem(code)).json()) as {
      refresh_token: string;
      access_token: string;
    };
    expect(await errorOf(await client.redeem(code))).toBe('400 invalid_grant');
    expect(await errorOf(await client.refresh(first.refresh_token))).toBe('400 invalid_grant');
    expect((await whoAmI(desk.url, first.access_token)).status).toBe(401);
  });

  test('11: of many who redeem a code at once, one gets tokens', async () => {
    const code = (await client.signIn()).get('code') ?? '';
    const all = await Promise.all(Array.from({ length: 10 }, () => client.redeem(code)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(all.filter(({ status }) => status !== 200 && status !== 400)).toEqual([]);
  });

  test("12: another client's code stays good", async () => {
    const other = await HandClient.register(desk.origin);
    const code = (await client.signIn()).get('code') ?? '';
    expect(await errorOf(await other.redeem(code, { code_verifier: client.verifier }))).toBe(
      '400 invalid_grant',
    );
    expect((await client.redeem(code)).status).toBe(200);
  });

  test('13: a code after 60 seconds', async () => {
    const code = (await client.signIn()).get('code') ?? '';
    const clock = later(61_000);
    expect(await errorOf(await client.redeem(code))).toBe('400 invalid_grant');
    clock.mockRestore();
    const other = (await client.signIn()).get('code') ?? '';
    const early = later(58_000);
    expect((await client.redeem(other)).status).toBe(200);
    early.mockRestore();
  });

  test('13: another redirect, another resource', async () => {
    const code = (await client.signIn()).get('code') ?? '';
    expect(await errorOf(await client.redeem(code, { redirect_uri: 'http://127.0.0.1:8/callback' }))).toBe(
      '400 invalid_grant',
    );
    const again = (await client.signIn()).get('code') ?? '';
    expect(await errorOf(await client.redeem(again, { resource: 'https://evil.example/mcp' }))).toBe(
      '400 invalid_target',
    );
    expect((await client.redeem(again, { resource: `${desk.url}/` })).status).toBe(200);
  });
});

describe('refresh tokens', () => {
  test("14: another client's", async () => {
    const other = await HandClient.register(desk.origin);
    const { refresh_token: token } = await client.tokens();
    expect(await errorOf(await other.refresh(token))).toBe('400 invalid_grant');
    expect((await client.refresh(token)).status).toBe(200);
  });

  test('68: a refresh is repeated at 119 seconds, and at 121 ends the sign-in', async () => {
    const { refresh_token: token } = await client.tokens();
    const next = (await (await client.refresh(token)).json()) as { refresh_token: string };
    const early = later(118_500);
    expect((await client.refresh(token)).status).toBe(200);
    early.mockRestore();
    const late = later(121_000);
    expect(await errorOf(await client.refresh(token))).toBe('400 invalid_grant');
    expect(await errorOf(await client.refresh(next.refresh_token))).toBe('400 invalid_grant');
    late.mockRestore();
  });

  test('16: more scopes, another resource: nothing is used up', async () => {
    const { refresh_token: token } = await client.tokens();
    expect(await errorOf(await client.refresh(token, { scope: 'desk:read desk:write' }))).toBe(
      '400 invalid_scope',
    );
    expect(await errorOf(await client.refresh(token, { resource: 'https://evil.example' }))).toBe(
      '400 invalid_target',
    );
    expect((await client.refresh(token)).status).toBe(200);
  });

  test('15: one that was rotated, after the grace', async () => {
    const strict = await startDesk({ signIn: { refreshGrace: 0 } });
    const other = await HandClient.register(strict.origin);
    const { refresh_token: token } = await other.tokens();
    const next = (await (await other.refresh(token)).json()) as { refresh_token: string };
    expect(await errorOf(await other.refresh(token))).toBe('400 invalid_grant');
    expect(await errorOf(await other.refresh(next.refresh_token))).toBe('400 invalid_grant');
    await strict.close();
  });

  test('69: the same one twice at once, and five times more; then later', async () => {
    const { refresh_token: token } = await client.tokens();
    const both = await Promise.all([client.refresh(token), client.refresh(token)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    for (let n = 0; n < 4; n += 1) expect((await client.refresh(token)).status).toBe(200);
    const late = await client.refresh(token);
    expect(late.headers.get('retry-after')).not.toBeNull();
    expect(await errorOf(late)).toBe('503 temporarily_unavailable');
  });
});

describe('the page and the browser', () => {
  test('17: straight to the end', async () => {
    await expectPage(`${desk.origin}/authorize/${'a'.repeat(43)}`);
  });

  test('18: another page agrees', async () => {
    const browser = new Browser();
    const page = await browser.open(client.authorizationUrl(), never);
    const action = `${page.url}/allow`;
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const withoutCookie = await fetch(action, { method: 'POST', headers: type, redirect: 'manual' });
    expect(withoutCookie.status).toBe(403);
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await browser.request(action, { method: 'POST', headers: { ...type, origin } });
      expect([answer.status, answer.headers.get('location')]).toEqual([403, null]);
    }
    const site = { ...type, 'sec-fetch-site': 'cross-site' };
    expect((await browser.request(action, { method: 'POST', headers: site })).status).toBe(403);
  });

  test('19: in a frame, and with its headers', async () => {
    const { headers } = (await new Browser().open(client.authorizationUrl(), never)).response;
    expect(headers.get('x-frame-options')).toBe('DENY');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('form-action');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  test('20: the address of the provider, sent to another one (CVE-2026-27124)', async () => {
    const attacker = new Browser();
    const page = await attacker.open(client.authorizationUrl(), never);
    const sent = await attacker.press(page, 'allow', (url) => url.startsWith(desk.upstream.url));
    const before = desk.upstream.asked.filter((each) => each === 'POST /token').length;
    await expectPage(sent.url, new Browser());
    expect(desk.upstream.asked.filter((each) => each === 'POST /token')).toHaveLength(before);
    // The first sign-in stands
    const victim = await attacker.open(sent.url, isCallback);
    expect(new URL(victim.url).searchParams.get('code')).not.toBeNull();
  });

  test('21: the page names this server every time, and each answer its issuer', async () => {
    const browser = new Browser();
    for (let n = 0; n < 2; n += 1) {
      const page = await browser.open(client.authorizationUrl(), isCallback);
      expect(page.text).toContain('The desk');
      const { searchParams } = new URL((await browser.press(page, 'allow', isCallback)).url);
      expect(searchParams.get('iss')).toBe(desk.origin);
    }
  });

  test('22: prompt=none', async () => {
    const page = await new Browser().open(client.authorizationUrl({ prompt: 'none' }), isCallback);
    expect(new URL(page.url).searchParams.get('error')).toBe('login_required');
    await expectPage(client.authorizationUrl({ prompt: 'none', redirect_uri: 'https://evil.example/' }));
  });

  test.each([
    ['missing', ''],
    ['forged', `state=${'a'.repeat(43)}.b&code=c`],
    ['47: an address', 'state=//evil.example&code=c'],
    ['48: line ends', `state=${'a'.repeat(43)}%0d%0aSet-Cookie:%20a=b&code=c`],
  ])('23: a state at the callback that is %s', async (_case, query) => {
    await expectPage(`${desk.origin}/sign-in/callback?${query}`);
  });

  test('23: a state that comes twice; the first sign-in stands', async () => {
    const browser = new Browser();
    const page = await browser.open(client.authorizationUrl(), never);
    const back = await browser.press(page, 'allow', (url) =>
      url.startsWith(`${desk.origin}/sign-in/callback`),
    );
    const forged = back.url.replace(/state=([^.&]+)\.[^&]+/, 'state=$1.forged');
    await expectPage(forged, browser);
    const done = await browser.open(back.url, isCallback);
    expect(new URL(done.url).searchParams.get('code')).not.toBeNull();
    await expectPage(back.url, browser);
  });

  test('25: what the provider says is not shown', async () => {
    const { person } = desk.upstream;
    desk.upstream.person = undefined;
    const answer = await client.signIn();
    desk.upstream.person = person;
    expect(answer.get('error')).toBe('access_denied');
    expect(answer.get('error_description')).toBe('The identity provider has refused');
  });

  test('26, 27: what a client says of itself is escaped, cleaned and cut, and nothing of it is loaded', async () => {
    const name = `<b>\u202eGoogle Security\u200b</b>${'x'.repeat(10_000)}`;
    const other = await HandClient.register(desk.origin, {
      client_name: name,
      ...{
        logo_uri: 'https://evil.example/logo.png',
        client_uri: 'https://evil.example/',
        policy_uri: 'https://evil.example/p',
      },
    });
    const { text } = await new Browser().open(other.authorizationUrl(), never);
    expect(text).not.toContain('<b>');
    expect(text).not.toMatch(/[\u202e\u200b]/);
    expect(text).not.toContain('evil.example');
    expect(text).not.toContain('x'.repeat(61));
    expect(text).toContain('nobody has checked this');
    expect(text).toContain('a program on this computer');
  });

  test('26: nor do marks of direction and of terminals get into the log', async () => {
    await register(desk.origin, { redirect_uris: ['https://a.example/\u202e\u009b2J\u001b[2J'] });
    const logged = desk.logger.records
      .map(({ message }) => message)
      .filter((each) => each.includes('a.example'));
    expect(logged).not.toEqual([]);
    expect(logged.join('')).not.toMatch(/[\u202e\u009b\u001b]/);
  });

  test('82: closed and begun again; 83: two at once in one browser', async () => {
    const browser = new Browser();
    await browser.open(client.authorizationUrl(), never);
    const [first, second] = [
      await browser.open(client.authorizationUrl({ state: 'one' }), never),
      await browser.open(client.authorizationUrl({ state: 'two' }), never),
    ];
    const two = new URL((await browser.press(second, 'allow', isCallback)).url).searchParams;
    const one = new URL((await browser.press(first, 'allow', isCallback)).url).searchParams;
    expect([one.get('state'), two.get('state')]).toEqual(['one', 'two']);
    expect((await client.redeem(one.get('code') ?? '')).status).toBe(200);
    expect((await client.redeem(two.get('code') ?? '')).status).toBe(200);
  });

  test('83: two people in turn in one browser are each themselves', async () => {
    const browser = new Browser();
    const first = await client.tokens(browser);
    const { person } = desk.upstream;
    desk.upstream.person = { sub: 'ben', roles: [] };
    // The session of the provider ends, and ours never was one
    browser.forget(new URL(desk.upstream.url).host);
    const second = await client.tokens(browser);
    desk.upstream.person = person;
    expect([claimsIn(first.access_token)['sub'], claimsIn(second.access_token)['sub']]).toEqual([
      'ann',
      'ben',
    ]);
  });
});

describe('what requests say of themselves', () => {
  test.each(['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'])(
    '28: %s has the configured endpoints under any host',
    async (path) => {
      const headers = {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        forwarded: 'host=evil.example',
      };
      const { body, status } = await send(desk.origin, { method: 'GET', path, headers });
      expect(status).toBe(200);
      expect(body).not.toContain('evil.example');
      expect(JSON.parse(body)).toMatchObject({ issuer: desk.origin, token_endpoint: `${desk.origin}/token` });
    },
  );

  test('28: so do redirects', async () => {
    const url = new URL(client.authorizationUrl());
    const { headers } = await send(desk.origin, {
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', accept: 'text/html' },
    });
    expect(String(headers['location'])).not.toContain('evil.example');
  });

  test('46: scripts of other origins reach the token endpoint, and without cookies', async () => {
    const response = await fetch(`${desk.origin}/token`, {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example' },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('52: other response modes, and requests as objects', async () => {
    for (const mode of ['form_post', 'fragment', 'web_message']) {
      const page = await new Browser().open(
        client.authorizationUrl({ response_mode: mode, prompt: 'none' }),
        isCallback,
      );
      expect(new URL(page.url).searchParams.get('error')).toBe('login_required');
    }
    for (const changes of [{ request: 'a.b.c' }, { request_uri: 'https://evil.example/r' }]) {
      const page = await new Browser().open(client.authorizationUrl(changes), isCallback);
      expect(new URL(page.url).searchParams.get('error')).toMatch(/^request_(uri_)?not_supported$/);
    }
  });
});

describe('registrations', () => {
  test.each([
    ['a list in place of an object', '[]', 400],
    ['no JSON', '{', 400],
    ['a text in place of the list', '{"redirect_uris":"x"}', 400],
    ['10,000 URIs', JSON.stringify({ redirect_uris: Array.from({ length: 10_000 }, () => 'x') }), 413],
    ['1 MB', JSON.stringify({ client_name: 'x'.repeat(1024 * 1024), redirect_uris: [CALLBACK] }), 413],
    ['a prototype', '{"__proto__":{"redirect_uris":["http://127.0.0.1:9/callback"]}}', 400],
    ['depth', `{"redirect_uris":["${CALLBACK}"],"a":${'['.repeat(200)}${']'.repeat(200)}}`, 400],
  ])('37: %s', async (_case, body, status) => {
    expect((await register(desk.origin, body)).status).toBe(status);
  });

  test('38: ids that are forged, cut, or of another server with the same secrets', async () => {
    const other = await startDesk();
    const foreign = await HandClient.register(other.origin);
    await other.close();
    for (const id of [client.id.slice(0, -1), `${client.id}A`, 'dcr', foreign.id]) {
      await expectPage(new HandClient(desk.origin, id).authorizationUrl());
      const asked = await new HandClient(desk.origin, id).token({
        grant_type: 'refresh_token',
        refresh_token: 'x',
      });
      expect(await errorOf(asked)).toBe('401 invalid_client');
    }
  });

  test('39: grants that are not for programs of people are left out', async () => {
    const response = await register(desk.origin, {
      ...{ redirect_uris: [CALLBACK], token_endpoint_auth_method: 'client_secret_post' },
      grant_types: [
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
        'authorization_code',
        'refresh_token',
      ],
    });
    expect(await response.json()).toMatchObject({ grant_types: ['authorization_code', 'refresh_token'] });
  });

  test('36, 40: too many', async () => {
    const strict = await startDesk({ signIn: { limits: { register: 2, authorize: 2, token: 2 } } });
    const metadata = { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await register(strict.origin, metadata)).status);
    expect(statuses).toEqual([201, 201, 429]);
    const refused = await register(strict.origin, metadata);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    const pages = [];
    for (let n = 0; n < 3; n += 1)
      pages.push((await new Browser().request(`${strict.origin}/authorize?client_id=x`)).status);
    expect(pages).toEqual([400, 400, 429]);
    await strict.close();
  });
});
