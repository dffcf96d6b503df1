import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { importJWK, SignJWT, type JWK } from 'jose';
import { SigningKeys } from '../../src/sign-in/signing-keys.ts';
import { claimsIn, HandClient, SECRET, startDesk, whoAmI, type Desk } from '../support/sign-in/desk.ts';

let desk: Desk;
let client: HandClient;
beforeAll(async () => {
  desk = await startDesk();
  client = await HandClient.register(desk.origin);
});
afterAll(() => desk.close());

async function errorOf(response: Response): Promise<string> {
  return `${String(response.status)} ${((await response.json()) as { error: string }).error}`;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test('41: nothing else is a token here', async () => {
  const answer = await client.signIn();
  const { refresh_token: refresh } = await client.tokens();
  for (const token of [answer.get('code') ?? '', refresh, 'x'])
    expect((await whoAmI(desk.url, token)).status).toBe(401);
});

test('41: a token of ours for another resource, of another issuer, or of no sign-in', async () => {
  const { access_token: token } = await client.tokens();
  const sign = async (changes: object, issuer = desk.origin): Promise<string> => {
    const { kid, algorithm, jwks } = new SigningKeys([SECRET], issuer);
    return new SignJWT({ ...claimsIn(token), ...changes })
      .setProtectedHeader({ alg: algorithm, typ: 'at+jwt', kid })
      .sign(await importJWK(jwks[0] as JWK, algorithm));
  };
  expect((await whoAmI(desk.url, await sign({}))).status).toBe(200);
  const wrong: readonly (readonly [object, string?])[] = [
    [{ aud: 'https://other.example/mcp' }],
    [{ iss: 'https://other.example' }, 'https://other.example'],
    [{ iss: 'https://other.example' }],
    [{}, 'https://other.example'],
    [{ grant: undefined }],
    [{ grant: 'of-nobody' }],
    [{ exp: 1 }],
    [{ cnf: { jkt: 'x' } }],
  ];
  for (const each of wrong) expect((await whoAmI(desk.url, await sign(...each))).status).toBe(401);
});

test('41: nor is anything that the provider gives', async () => {
  const typ = (kind: string): string =>
    [encode({ alg: 'RS256', typ: kind }), encode({ iss: desk.upstream.url, sub: 'ann' }), 'x'].join('.');
  for (const token of ['an-opaque-token', typ('at+jwt'), typ('JWT'), typ('oauth-id-jag+jwt')])
    expect((await whoAmI(desk.url, token)).status).toBe(401);
  const jag = await client.token({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: typ('oauth-id-jag+jwt'),
  });
  expect(await errorOf(jag)).toBe('400 unsupported_grant_type');
});

test('50: no token is bound to a key, since it would not count here', async () => {
  const response = await fetch(`${desk.origin}/.well-known/oauth-authorization-server`);
  expect(await response.json()).not.toHaveProperty('dpop_signing_alg_values_supported');
});

test('42: other algorithms, keys and types', async () => {
  const { access_token: token } = await client.tokens();
  const [header = '', claims = '', signature = ''] = token.split('.');
  const read = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
  const hmac = (head: string): string =>
    createHmac('sha256', SECRET).update(`${head}.${claims}`).digest('base64url');
  const hs = encode({ ...read, alg: 'HS256' });
  const forged = [
    `${encode({ ...read, alg: 'none' })}.${claims}.`,
    `${hs}.${claims}.${hmac(hs)}`,
    `${encode({ ...read, kid: 'other' })}.${claims}.${signature}`,
    `${encode({ ...read, typ: 'JWT' })}.${claims}.${signature}`,
    `${header}.${encode({ ...claimsIn(token), sub: 'eve' })}.${signature}`,
  ];
  for (const each of forged) expect((await whoAmI(desk.url, each)).status).toBe(401);
  expect((await whoAmI(desk.url, token)).status).toBe(200);
});

test("45: another client's token is not revoked; one's own is", async () => {
  const { access_token: access, refresh_token: refresh } = await client.tokens();
  const other = await HandClient.register(desk.origin);
  const revoke = (id: string, token: string): Promise<Response> =>
    fetch(`${desk.origin}/revoke`, { method: 'POST', body: new URLSearchParams({ token, client_id: id }) });
  expect((await revoke(other.id, access)).status).toBe(200);
  expect((await revoke(other.id, refresh)).status).toBe(200);
  expect((await client.refresh(refresh)).status).toBe(200);
  expect((await revoke(client.id, access)).status).toBe(200);
  expect((await client.refresh(refresh)).status).toBe(400);
  expect((await whoAmI(desk.url, access)).status).toBe(401);
});
