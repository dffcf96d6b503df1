import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inspect } from 'node:util';
import { exportSPKI, importJWK, SignJWT } from 'jose';
import { jwt, type TrustedIssuer } from '../../src/auth/index.ts';
import { protectedApp, RESOURCE, type ProtectedApp } from '../support/protected-app.ts';
import { TokenIssuer } from '../support/token-issuer.ts';

let issuer: TokenIssuer;
let served: ProtectedApp;
const now = (): number => Math.floor(Date.now() / 1000);

beforeAll(async () => {
  issuer = await TokenIssuer.start();
  const claims = { roles: 'realm_access.roles' };
  served = await protectedApp({ verify: jwt({ issuer: issuer.url, tenant: 'acme', claims }) });
});
afterAll(async () => {
  await served.close();
  await issuer.close();
});

const statusOf = async (token: string): Promise<number> => (await served.call(token)).status;

test('a token of the issuer is who calls', async () => {
  const token = await issuer.sign({ realm_access: { roles: ['admin'] } });
  const { authInfo, tenant, token: shown } = await served.seen(token);
  expect(authInfo).toMatchObject({ clientId: 'editor', scopes: ['tasks:read'] });
  expect(authInfo?.expiresAt).toBeGreaterThan(now());
  expect(authInfo?.extra).toMatchObject({ issuer: issuer.url, sub: 'ann', tenant: 'acme', roles: ['admin'] });
  expect(tenant).toBe('acme');
  // Handlers can read it by its name, and nothing copies it along
  expect(shown).toBe(token);
  expect(JSON.stringify(authInfo)).not.toContain(token);
});

describe('a token is refused', () => {
  const forged: readonly (readonly [string, () => Promise<string>])[] = [
    [
      'without a signature',
      async () => `${b64({ alg: 'none', typ: 'at+jwt' })}.${(await issuer.sign()).split('.')[1] ?? ''}.`,
    ],
    [
      'that is signed with the public key as a password',
      async () => {
        const key = await exportSPKI(
          (await importJWK(issuer.keys[0]?.jwk ?? {}, 'ES256', { extractable: true })) as never,
        );
        return signWith({ alg: 'HS256', kid: 'first' }, new TextEncoder().encode(key));
      },
    ],
    [
      'of an algorithm that is not in the list',
      async () => issuer.sign({}, {}, await issuer.addKey('es384', 'ES384')),
    ],
    ['that expired ten seconds ago', () => issuer.sign({ exp: now() - 10 })],
    ['that begins in ten seconds', () => issuer.sign({ nbf: now() + 11 })],
    ['without an end', () => issuer.sign({ exp: undefined })],
    ['that ends at a text', () => issuer.sign({ exp: String(now() + 300) })],
    ['that never ends', () => issuer.sign({ exp: 1e308 })],
    ['of another server', () => issuer.sign({ aud: 'https://other.example/mcp' })],
    ['for its client', () => issuer.sign({ aud: 'editor' })],
    ['for nobody', () => issuer.sign({ aud: undefined })],
    ['for the same path in upper case', () => issuer.sign({ aud: 'https://mcp.example/MCP' })],
    ['for a user at the host', () => issuer.sign({ aud: 'https://user@mcp.example/mcp' })],
    ['of an issuer with a slash more', () => issuer.sign({ iss: `${issuer.url}/` })],
    ['of an unknown issuer', () => issuer.sign({ iss: 'https://elsewhere.example' })],
    ['of no issuer', () => issuer.sign({ iss: undefined })],
    ['of nobody', () => issuer.sign({ sub: undefined })],
    ['of a person without a name', () => issuer.sign({ sub: '' })],
    ['of a person that is a list', () => issuer.sign({ sub: ['ann'] })],
    ['of no client', () => issuer.sign({ client_id: undefined })],
    ['without an id', () => issuer.sign({ jti: undefined })],
    ...['JWT', 'oauth-id-jag+jwt', 'dpop+jwt', 'logout+jwt', 'secevent+jwt', ''].map(
      (typ) => [`of the type ${JSON.stringify(typ)}`, () => issuer.sign({}, { typ })] as const,
    ),
    ['without a type', () => issuer.sign({}, { typ: undefined })],
    ['that is bound to a key', () => issuer.sign({ cnf: { jkt: 'thumb' } })],
    ['that is bound to a certificate', () => issuer.sign({ cnf: { 'x5t#S256': 'thumb' } })],
    [
      'with a critical member that nobody knows',
      () => issuer.sign({}, { crit: ['x-unknown'], 'x-unknown': 1 }),
    ],
    [
      'that was changed',
      async () =>
        (await issuer.sign()).replace(/\.(.)/, (_all, first: string) => `.${first === 'e' ? 'f' : 'e'}`),
    ],
    ['of three parts that are nothing', () => Promise.resolve('a.b.c')],
    ['of one part', () => Promise.resolve('abc')],
    ['of five parts', () => Promise.resolve('a.b.c.d.e')],
  ];

  test.each(forged)('%s', async (_what, make) => {
    const token = await make();
    const response = await served.call(token);
    expect(response.status).toBe(401);
    const challenge = String(response.headers['www-authenticate']);
    expect(challenge).toMatch(
      /^Bearer error="invalid_token", resource_metadata="[^"]+", error_description="[^"\\]+"$/,
    );
    expect(challenge + response.body).not.toContain(token);
  });

  test('and an issuer that nobody trusts is never asked', async () => {
    const before = issuer.asked.length;
    await statusOf(await issuer.sign({ iss: `${issuer.url}/` }));
    await statusOf(await issuer.sign({ iss: `${issuer.url}/other` }));
    expect(issuer.asked.length).toBe(before);
  });

  test('whose header brings its own key or the place of one, and nobody goes there', async () => {
    const other = await TokenIssuer.start();
    const key = { ...(other.keys[0] as (typeof other.keys)[number]), kid: 'first' };
    const jku = `${other.url}/keys`;
    for (const header of [{ jku }, { x5u: jku }, { jwk: key.jwk }, { x5c: ['AAAA'] }]) {
      expect(await statusOf(await issuer.sign({}, header, key))).toBe(401);
      expect(await statusOf(await issuer.sign({}, header))).toBe(200);
    }
    expect(other.asked).toEqual([]);
    await other.close();
  });
});

describe('a token is accepted', () => {
  test.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ['that expired four seconds ago', { exp: 4 }],
    ['for several servers', { aud: ['https://other.example', RESOURCE] }],
    ['for the server with a slash', { aud: `${RESOURCE}/` }],
    ['for the host in upper case', { aud: 'HTTPS://MCP.EXAMPLE/mcp' }],
    ['whose client is the authorized party', { client_id: undefined, azp: 'editor' }],
  ])('%s', async (_what, claims) => {
    const exp = claims['exp'] === 4 ? { exp: now() - 3 } : {};
    expect(await statusOf(await issuer.sign({ ...claims, ...exp }))).toBe(200);
  });

  test.each<readonly [string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ['one text', { scope: 'a b' }, ['a', 'b']],
    ['a list', { scope: undefined, scp: ['a', 'b'] }, ['a', 'b']],
    ['one text of another name', { scope: undefined, scp: 'a b' }, ['a', 'b']],
    ['nothing', { scope: undefined }, []],
    ['something else', { scope: 7 }, []],
  ])('with its scopes as %s', async (_what, claims, scopes) => {
    expect((await served.seen(await issuer.sign(claims))).authInfo?.scopes).toEqual(scopes);
  });

  test('of an issuer with one tenant, which no claim of it changes', async () => {
    const verify = jwt({ issuers: [{ issuer: issuer.url, tenant: 'acme' }], claims: { tenant: 'org' } });
    const pinned = await protectedApp({ verify });
    expect((await pinned.seen(await issuer.sign())).tenant).toBe('acme');
    expect((await pinned.seen(await issuer.sign({ org: 'acme' }))).tenant).toBe('acme');
    expect((await pinned.call(await issuer.sign({ org: 'globex' }))).status).toBe(401);
    await pinned.close();
  });

  test('of several issuers, each with its own tenant and audience', async () => {
    const other = await TokenIssuer.start();
    const verify = jwt({
      issuers: [
        { issuer: issuer.url, tenant: 'acme' },
        { issuer: other.url, jwksUri: `${other.url}/keys`, tenant: 'beta', audiences: ['api://beta'] },
      ],
    });
    const both = await protectedApp({ verify });
    expect((await both.seen(await issuer.sign())).tenant).toBe('acme');
    expect((await both.seen(await other.sign({ aud: 'api://beta' }))).tenant).toBe('beta');
    expect((await both.call(await issuer.sign({ aud: 'api://beta' }))).status).toBe(401);
    // Signed by one, and saying that it is of the other
    expect((await both.call(await other.sign({ iss: issuer.url }))).status).toBe(401);
    await both.close();
    await other.close();
  });

  test('of an issuer that a function finds', async () => {
    const found = await protectedApp({
      verify: jwt({ issuers: async (name) => (name === issuer.url ? { issuer: name } : undefined) }),
      authorizationServers: [issuer.url],
    });
    expect((await found.call(await issuer.sign())).status).toBe(200);
    expect((await found.call(await issuer.sign({ iss: 'https://elsewhere.example' }))).status).toBe(401);
    await found.close();
  });

  test.each([
    ['a function', (settings: TrustedIssuer | undefined) => settings],
    ['a function that waits', (settings: TrustedIssuer | undefined) => Promise.resolve(settings)],
  ])('of an issuer for as long as %s knows it, as it describes it now', async (_what, give) => {
    let settings: TrustedIssuer | undefined = { issuer: issuer.url, tenant: 'acme' };
    const found = await protectedApp({ verify: jwt({ issuers: () => give(settings) }) });
    const token = await issuer.sign();
    expect((await found.seen(token)).tenant).toBe('acme');
    expect((await found.seen(token)).tenant).toBe('acme');
    settings = { issuer: issuer.url, tenant: 'globex' };
    expect((await found.seen(token)).tenant).toBe('globex');
    settings = undefined;
    expect((await found.call(token)).status).toBe(401);
    await found.close();
  });
});

test.each([
  ['realm_access.roles', { realm_access: { roles: ['admin'] } }, ['admin']],
  ['https://x.example/roles', { 'https://x.example/roles': ['admin'] }, ['admin']],
  ['cognito:groups', { 'cognito:groups': 'admin' }, ['admin']],
  ['__proto__.roles', JSON.parse('{"__proto__":{"roles":["admin"]}}') as object, []],
  ['constructor.name', {}, []],
  ['roles', { roles: { admin: true } }, []],
])('roles are found at %s', async (roles, claims, expected) => {
  const app = await protectedApp({ verify: jwt({ issuer: issuer.url, claims: { roles } }) });
  const { authInfo } = await app.seen(await issuer.sign({ ...claims }));
  expect(authInfo?.extra?.['roles']).toEqual(expected);
  await app.close();
});

test('a lenient verifier takes tokens that do not say what they are', async () => {
  const app = await protectedApp({ verify: jwt({ issuer: issuer.url, lenient: true }) });
  for (const header of [{ typ: 'JWT' }, { typ: undefined }, { typ: 'application/at+jwt' }]) {
    expect((await app.call(await issuer.sign({ jti: undefined }, header))).status).toBe(200);
  }
  expect((await app.call(await issuer.sign({}, { typ: 'oauth-id-jag+jwt' }))).status).toBe(401);
  await app.close();
});

test.each([
  [{}, 'has no issuer'],
  [{ issuer: 'http://id.example' }, 'issuer'],
  [{ issuer: 'https://id.example', algorithms: ['none'] }, 'algorithms'],
  [{ issuer: 'https://id.example', algorithms: ['HS256'] }, 'algorithms'],
  [{ issuer: 'https://id.example', clockTolerance: 61_000 }, 'clockTolerance'],
  [{ issuer: 'https://id.example', tokenTtl: 3_600_000 }, 'tokenTtl'],
  [{ issuer: 'https://id.example', jwksUri: 'http://id.example/keys' }, 'jwksUri'],
])('an option that would be unsafe is refused at the start: %j', (options, named) => {
  expect(() => jwt(options as never)).toThrow(named);
});

test('nothing of a token or its claims reaches the log', async () => {
  const records = inspect(served.logger.records, { depth: 9 });
  expect(records).not.toMatch(/eyJ|\bann\b|editor|tasks:read/);
});

function b64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signWith(header: { readonly alg: string; readonly kid: string }, key: Uint8Array): Promise<string> {
  const claims = { iss: issuer.url, sub: 'ann', aud: RESOURCE, client_id: 'editor', jti: '1' };
  return new SignJWT(claims)
    .setProtectedHeader({ ...header, typ: 'at+jwt' })
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(key);
}
