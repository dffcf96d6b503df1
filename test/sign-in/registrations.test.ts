import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import type { SignInOptions } from 'toolwright/sign-in';
import { fetchGuarded } from '../../src/sign-in/guarded-fetch.ts';
import {
  callTool,
  CALLBACK,
  claimsIn,
  HandClient,
  startDesk,
  startReplicas,
  whoAmI,
  type Desk,
  type Tokens,
} from '../support/sign-in/desk.ts';
import { startUpstream } from '../support/sign-in/upstream.ts';

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
/** The issuer of the provider there. */
let issuer: string;
/** The same with clients of its own, and a provider that says who people are. */
let own: Desk;

beforeAll(async () => {
  const pair = await generateKeyPair('ES256');
  key = pair.privateKey;
  jwk = await exportJWK(pair.publicKey);
  const document = {
    ...{ client_id: ID, redirect_uris: [CALLBACK], client_name: 'signer', jwks_uri: KEYS },
    token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'],
    token_endpoint_auth_signing_alg: 'ES256',
  };
  const found = async (url: string): Promise<Response> => {
    asked.push(url);
    return Promise.resolve(url === KEYS ? keys() : Response.json(document));
  };
  signing = await startDesk({
    signIn: { clients: { metadata: { fetch: found } }, limits: { token: 100, authorize: 1000 } },
  });
  const upstream = await startUpstream([]);
  own = await startDesk({
    provider: {
      issuer: upstream.url,
      tenants: ['acme'],
      claims: { tenant: 'tid' },
      fetch: (url, init) => (url === KEYS ? Promise.resolve(keys()) : fetch(url, init)),
    },
    signIn: {
      assertions: [
        { issuer: upstream.url, jwksUri: KEYS, clients: ['agent', 'signer'], scopes: ['desk:read'] },
      ],
      clients: {
        static: [
          { id: 'agent', name: 'Agent', secret: 'of-agent' },
          { id: 'signer', name: 'Signer', jwks: { keys: [jwk] }, grants: ['client_credentials'] },
          { id: 'nightly', name: 'Nightly', secret: 'of-nightly', grants: ['client_credentials'] },
          { id: 'other', name: 'Other', secret: 'of-other', redirects: [CALLBACK] },
        ],
      },
    },
  });
  issuer = upstream.url;
  upstream.close();
});
afterAll(() => Promise.all([signing.close(), own.close()]));
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

test.each<readonly [string, Partial<SignInOptions>]>([
  [
    'may register no more, and no page is shown',
    {
      consent: 'provider',
      clients: {
        ...{ register: false, metadata: false },
        static: [{ id: 'portal', name: 'Portal', redirects: [CALLBACK] }],
      },
    },
  ],
  ['may be led back to other places only', { redirects: { only: ['https://chat.acme.example/callback'] } }],
])('38: an id counts no more once clients %s', async (_case, signIn) => {
  const before = await startReplicas(1, () => ({}));
  const { id } = await HandClient.register(before.origin, {}, before.ask);
  await before.close();
  const after = await startReplicas(1, () => ({}), signIn);
  const { status } = await after.ask(new HandClient(after.origin, id).authorizationUrl());
  await after.close();
  expect(status).toBe(400);
});

test("61: ChatGPT's document names several methods; it signs who it is, and connects again without a scope", async () => {
  const client = new HandClient(signing.origin, ID);
  const prove = async () => ({
    client_assertion: await assertion(),
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  });
  for (const scope of ['desk:read', undefined]) {
    const code = (await client.signIn(undefined, { scope })).get('code') ?? '';
    expect(await errorOf(await client.redeem(code))).toBe('401 invalid_client');
    const answer = await client.redeem(code, await prove());
    const tokens = (await answer.json()) as Tokens;
    expect([answer.status, tokens.scope]).toEqual([200, 'desk:read']);
    expect(await errorOf(await client.refresh(tokens.refresh_token))).toBe('401 invalid_client');
    expect((await client.refresh(tokens.refresh_token, await prove())).status).toBe(200);
  }
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

function basic(id: string): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(`${id}:of-${id}`).toString('base64')}` };
}

function ask(id: string, form: Readonly<Record<string, string>>): Promise<Response> {
  return new HandClient(own.origin, id).token(form, basic(id));
}

describe('92: a client that acts for itself', () => {
  const form = { grant_type: 'client_credentials' };

  test('has a token of its own subject, by a secret or by what it signs', async () => {
    const answer = await ask('nightly', form);
    const tokens = (await answer.json()) as Tokens & { refresh_token?: string };
    expect([answer.status, tokens.scope, tokens.refresh_token]).toEqual([200, 'desk:read', undefined]);
    expect(claimsIn(tokens.access_token)).toMatchObject({
      ...{ sub: 'client:nightly', client_id: 'nightly', iss: own.origin, aud: own.url },
    });
    expect((await whoAmI(own.url, tokens.access_token)).status).toBe(200);
    const client_assertion = await assertion({ iss: 'signer', sub: 'signer', aud: own.origin });
    const signed = await new HandClient(own.origin, 'signer').token({
      ...{ ...form, client_assertion },
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    });
    expect(signed.status).toBe(200);
  });

  test('has no other scope, no wrong secret, and no grant that is not its own', async () => {
    expect(await errorOf(await ask('nightly', { ...form, scope: 'desk:write' }))).toBe('400 invalid_scope');
    expect(await errorOf(await ask('nightly', { ...form, resource: 'https://other.example/mcp' }))).toBe(
      '400 invalid_target',
    );
    const wrong = new HandClient(own.origin, 'nightly').token(form, basic('other'));
    expect(await errorOf(await wrong)).toMatch(/^40[01] invalid_(client|request)$/);
    for (const id of ['agent', 'other']) expect((await ask(id, form)).status).toBe(400);
    const registered = await HandClient.register(own.origin, { grant_types: ['client_credentials'] });
    expect((await registered.token(form)).status).toBe(400);
  });

  test('cannot sign in for more: a call that it may not make is a tool error', async () => {
    const { access_token: token } = (await (await ask('nightly', form)).json()) as Tokens;
    const answer = await callTool(own.url, token, 'close');
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('INSUFFICIENT_SCOPE');
  });

  test('is never a person, whatever a provider says', async () => {
    expect(await errorOf(await ask('agent', await brought({ sub: 'client:nightly' })))).toBe(
      '400 invalid_grant',
    );
  });
});

/** An assertion that the provider has signed for `agent`. */
async function brought(
  changes: object = {},
  typ = 'oauth-id-jag+jwt',
): Promise<{ readonly grant_type: string; readonly assertion: string }> {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    ...{ iss: issuer, sub: 'ann', tid: 'acme', aud: own.origin, client_id: 'agent', roles: ['editor'] },
    ...{ jti: String(Math.random()), iat: now, exp: now + 120, resource: own.url },
  };
  const signed = new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'ES256', typ });
  return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: await signed.sign(key) };
}

describe('49: a person whom the provider names, without a browser', () => {
  test('has a short token, which ends as all of theirs do', async () => {
    const metadata = (await (
      await fetch(`${own.origin}/.well-known/oauth-authorization-server`)
    ).json()) as Readonly<Record<string, unknown>>;
    expect(metadata['authorization_grant_profiles_supported']).toEqual([
      'urn:ietf:params:oauth:grant-profile:id-jag',
    ]);
    const answer = await ask('agent', await brought());
    const tokens = (await answer.json()) as Tokens & { refresh_token?: string };
    expect([tokens.expires_in, tokens.scope, tokens.refresh_token]).toEqual([300, 'desk:read', undefined]);
    expect(claimsIn(tokens.access_token)).toMatchObject({ sub: 'ann', tenant: 'acme', client_id: 'agent' });
    expect((await whoAmI(own.url, tokens.access_token)).status).toBe(200);
    expect(await own.app.signIn.list({ sub: 'ann', tenant: 'acme' })).toMatchObject([{ client: 'agent' }]);
    expect(await own.app.signIn.end({ sub: 'ann', tenant: 'acme' })).toBe(1);
    expect((await whoAmI(own.url, tokens.access_token)).status).toBe(401);
  });

  test.each<readonly [string, object]>([
    ['another audience', { aud: 'https://other.example' }],
    ['several audiences', { aud: ['https://other.example', 'own'] }],
    ['another client', { client_id: 'signer' }],
    ['another type', { typ: 'JWT' }],
    ['the type of a token', { typ: 'at+jwt' }],
    ['another issuer', { iss: 'https://other.example' }],
    ['an hour', { exp: Math.floor(Date.now() / 1000) + 3600 }],
    ['a time that is over', { iat: 1, exp: 2 }],
    ['a key that it is bound to', { cnf: { jkt: 'x' } }],
    ['authorization details', { authorization_details: [] }],
    ['another resource', { resource: 'https://other.example/mcp' }],
    ['several resources', { resource: ['https://other.example/mcp'] }],
    ['no id', { jti: undefined }],
    ['a person who may not sign in', { tid: 'evil' }],
    ['nothing that is allowed', { scope: 'desk:write' }],
    ['a scope that is a list', { scope: ['desk:read'] }],
  ])('is refused with %s', async (_name, { typ, ...changes }: { typ?: string }) => {
    const audiences = 'aud' in changes && Array.isArray(changes.aud) ? { aud: ['x', own.origin] } : {};
    const form = await brought({ ...changes, ...audiences }, typ);
    expect(await errorOf(await ask('agent', form))).toBe('400 invalid_grant');
  });

  test('is refused when it comes again, by another client, and with another key', async () => {
    const form = await brought();
    expect((await ask('agent', form)).status).toBe(200);
    expect(await errorOf(await ask('agent', form))).toBe('400 invalid_grant');
    const forged = `${form.assertion.slice(0, form.assertion.lastIndexOf('.'))}.${'A'.repeat(86)}`;
    expect(await errorOf(await ask('agent', { ...form, assertion: forged }))).toBe('400 invalid_grant');
    for (const id of ['nightly', 'other'])
      expect((await ask(id, await brought({ client_id: id }))).status).toBe(400);
    expect((await new HandClient(own.origin, 'agent').token(await brought())).status).toBeGreaterThan(399);
    const dcr = await HandClient.register(own.origin, { grant_types: [form.grant_type] });
    expect((await dcr.token(form)).status).toBe(400);
  });

  test('gets no more than it asks for, and nothing that was not listed', async () => {
    const answer = await ask('agent', { ...(await brought()), scope: 'desk:read desk:write' });
    expect(((await answer.json()) as Tokens).scope).toBe('desk:read');
  });
});
