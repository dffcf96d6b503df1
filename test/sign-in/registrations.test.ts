import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { fetchGuarded } from '../../src/sign-in/guarded-fetch.ts';
import { CALLBACK, HandClient, startDesk, type Desk } from '../support/sign-in/desk.ts';

async function errorOf(response: Response): Promise<string> {
  return `${String(response.status)} ${((await response.json()) as { error: string }).error}`;
}

const ID = 'https://client.example/doc.json';
const KEYS = 'https://client.example/keys';
let signing: Desk;
let key: CryptoKey;
let jwk: JWK;
/** What is found at the address of the keys. */
let keys: () => Response;
let asked: string[] = [];

beforeAll(async () => {
  const pair = await generateKeyPair('ES256');
  key = pair.privateKey;
  jwk = await exportJWK(pair.publicKey);
  const document = {
    ...{ client_id: ID, redirect_uris: [CALLBACK], client_name: 'signer', jwks_uri: KEYS },
    token_endpoint_auth_method: 'private_key_jwt',
  };
  const found = async (url: string): Promise<Response> => {
    asked.push(url);
    return Promise.resolve(url === KEYS ? keys() : Response.json(document));
  };
  signing = await startDesk({
    signIn: { clients: { metadata: { fetch: found } }, limits: { token: 100, authorize: 1000 } },
  });
});
afterAll(() => signing.close());
beforeEach(() => {
  asked = [];
  keys = () => Response.json({ keys: [jwk] });
});

async function assertion(
  changes: object = {},
  by: CryptoKey | Uint8Array = key,
  alg = 'ES256',
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: ID, sub: ID, aud: signing.origin, jti: String(Math.random()), iat: now };
  return new SignJWT({ ...claims, exp: now + 60, ...changes }).setProtectedHeader({ alg }).sign(by);
}

/** The error for a refresh token that nobody has. */
async function refreshed(client_assertion: string): Promise<string> {
  const form = {
    ...{ grant_type: 'refresh_token', refresh_token: 'x', client_assertion },
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  };
  return errorOf(await new HandClient(signing.origin, ID).token(form));
}

test('34: keys that are too many or none', async () => {
  for (const answer of [
    () => new Response('x'.repeat(10 * 1024 * 1024)),
    () => new Response('<html>'),
    () => new Response(null, { status: 302, headers: { location: 'https://10.0.0.1/' } }),
  ]) {
    keys = answer;
    expect(await refreshed(await assertion())).toMatch(/^40[01] invalid_client/);
  }
  expect(asked).toContain(KEYS);
});

test('34: keys at a private address', async () => {
  await expect(fetchGuarded('https://192.168.0.1/keys')).rejects.toThrow('public');
});

test('35: an assertion that comes again, is for another server, lasts a year, or has a shared key', async () => {
  const good = await assertion();
  expect(await refreshed(good)).toBe('400 invalid_grant');
  const year = Math.floor(Date.now() / 1000) + 365 * 86_400;
  const shared = new TextEncoder().encode(JSON.stringify(jwk));
  const wrong = [
    good,
    await assertion({ aud: 'https://other.example' }),
    await assertion({ exp: year }),
    await assertion({}, shared, 'HS256'),
    await assertion({ iss: 'https://other.example/doc.json' }),
  ];
  for (const each of wrong) expect(await refreshed(each)).toBe('401 invalid_client');
});

test('40: revocation is counted with the tokens, since it may make this server fetch keys', async () => {
  const desk = await startDesk({ signIn: { limits: { token: 3, authorize: 1000 } } });
  const statuses: number[] = [];
  for (let n = 0; n < 4; n += 1) {
    const body = new URLSearchParams({ token: 'x', client_id: 'nobody' });
    statuses.push((await fetch(`${desk.origin}/revoke`, { method: 'POST', body })).status);
  }
  await desk.close();
  expect(statuses.map((status) => status === 429)).toEqual([false, false, false, true]);
});
