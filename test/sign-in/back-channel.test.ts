import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey } from 'jose';
import { InMemoryStore } from 'toolwright';
import { HandClient, startDesk, whoAmI, type Desk } from '../support/sign-in/desk.ts';
import { CLIENT_ID } from '../support/sign-in/upstream.ts';

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };

let desk: Desk;
let key: CryptoKey;
let other: CryptoKey;
let access: string;

beforeEach(async () => {
  desk = await startDesk();
  const pair = await generateKeyPair('ES256', { extractable: true });
  key = pair.privateKey;
  other = (await generateKeyPair('ES256')).privateKey;
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'ES256', use: 'sig' };
  access = (await (await HandClient.register(desk.origin)).tokens()).access_token;
  desk.upstream.instead = (request, response) => {
    if (request.url !== '/jwks') return false;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
    return true;
  };
});
afterEach(() => desk.close());

function signed(claims: object = {}, by = key, header: object = {}): Promise<string> {
  const all = {
    sub: 'ann',
    events: EVENTS,
    jti: randomUUID(),
    iss: desk.upstream.url,
    aud: CLIENT_ID,
    ...claims,
  };
  return new SignJWT({ iat: Math.floor(Date.now() / 1000), ...all })
    .setProtectedHeader({ alg: 'ES256', kid: 'k', typ: 'logout+jwt', ...header })
    .sign(by);
}

const post = async (token: string): Promise<number> =>
  (
    await fetch(`${desk.origin}/sign-in/backchannel`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    })
  ).status;
const count = async (): Promise<number> => (await desk.app.signIn.list({ sub: 'ann' })).length;

describe('81: a provider says that somebody has signed out', () => {
  test('the sign-ins of the person end, and the tokens with them', async () => {
    expect(await post(await signed())).toBe(200);
    expect(await count()).toBe(0);
    expect((await whoAmI(desk.url, access)).status).toBe(401);
  });

  test('a token that comes again is refused, and ends nothing that began since', async () => {
    const token = await signed();
    await post(token);
    await (await HandClient.register(desk.origin)).tokens();
    expect(await post(token)).toBe(400);
    expect(await count()).toBe(1);
  });

  test('what a failing store has kept is ended when the provider reports it again', async () => {
    await desk.close();
    const store = new InMemoryStore();
    const { instead } = desk.upstream;
    desk = await startDesk({ application: { backplane: { store } } });
    desk.upstream.instead = instead;
    await (await HandClient.register(desk.origin)).tokens();
    const token = await signed();
    const { delete: remove } = store;
    store.delete = () => Promise.reject(new Error('gone'));
    expect([await post(token), await count()]).toEqual([503, 1]);
    store.delete = remove;
    expect([await post(token), await count(), await post(token)]).toEqual([200, 0, 400]);
  });

  test('one of another person ends nothing', async () => {
    expect(await post(await signed({ sub: 'bob' }))).toBe(200);
    expect(await count()).toBe(1);
  });

  test('too many reports are refused until later, and end nothing', async () => {
    await desk.close();
    desk = await startDesk({ signIn: { limits: { backChannel: 2 } } });
    const url = `${desk.origin}/sign-in/backchannel`;
    const report = () => fetch(url, { method: 'POST', body: new URLSearchParams({ logout_token: 'x' }) });
    expect([(await report()).status, (await report()).status]).toEqual([400, 400]);
    const refused = await report();
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
    expect((await fetch(url)).status).toBe(405);
    // What people and clients need is counted apart
    expect((await HandClient.register(desk.origin)).id).not.toBe('');
  });

  test('a sign-in that ends while its client refreshes leaves no token that counts', async () => {
    await desk.close();
    desk = await startDesk({ signIn: { accessTokenTtl: 1 } });
    const client = await HandClient.register(desk.origin);
    const { refresh_token: refresh } = await client.tokens();
    const [{ grant } = { grant: '' }] = await desk.app.signIn.list({ sub: 'ann' });
    let ended: Promise<number> | undefined;
    desk.upstream.instead = (request) => {
      if (request.url?.startsWith('/token') === true) ended ??= desk.app.signIn.end({ grant });
      return false;
    };
    const answer = await client.refresh(refresh);
    expect([await ended, answer.status]).toEqual([1, 400]);
    expect(await answer.json()).toMatchObject({ error: 'invalid_grant' });
    expect([await count(), (await client.refresh(refresh)).status]).toEqual([0, 400]);
  });

  test.each<[string, () => Promise<string> | string]>([
    ['another key', () => signed({}, other)],
    ['no signature', () => new UnsecuredJWT({ sub: 'ann', iss: desk.upstream.url, events: EVENTS }).encode()],
    ['another issuer', () => signed({ iss: 'https://evil.example' })],
    ['another application', () => signed({ aud: 'somebody-else' })],
    ['an old one', () => signed({ iat: Math.floor(Date.now() / 1000) - 3600 })],
    ['no event', () => signed({ events: {} })],
    ['an ID token', () => signed({ nonce: 'n' })],
    ['an access token', () => signed({}, key, { typ: 'at+jwt' })],
    ['nobody', () => signed({ sub: undefined })],
    ['no name of its own', () => signed({ jti: undefined })],
    ['no token', () => 'nonsense'],
  ])('forged: %s', async (_, make) => {
    expect(await post(await make())).toBe(400);
    expect(await count()).toBe(1);
  });
});
