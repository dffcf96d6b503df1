import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { Provider } from 'oidc-provider';
import { jwt } from '../../src/auth/index.ts';
import { InMemoryStore } from '../../src/runtime/store/memory-store.ts';
import { protectedApp, RESOURCE, type ProtectedApp } from '../support/protected-app.ts';
import { message, send, type RawResponse } from '../support/raw-http.ts';

const CLIENT = { client_id: 'robot', client_secret: 'a-secret-of-the-robot' };

/** An unmodified provider, which binds tokens to keys where a client brings a proof. */
async function startProvider() {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const configuration = {
    clients: [{ ...CLIENT, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        getResourceServerInfo: () => ({
          scope: 'tasks:read',
          audience: RESOURCE,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  };
  // The package has no types of its own
  const provider = new Provider(url, configuration as never);
  const serve = provider.callback();
  server.on('request', (request, response) => void serve(request, response));
  return { url, close: () => (server.closeAllConnections(), server.close()) };
}

interface Holder {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
  readonly alg: string;
}

async function holder(alg = 'ES256'): Promise<Holder> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, jwk: await exportJWK(publicKey), alg };
}

const now = (): number => Math.floor(Date.now() / 1000);
const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

type Members = Readonly<Record<string, unknown>>;

/** A proof that is right, but for what a test says; undefined leaves a member out. */
function prove(
  { privateKey, jwk, alg }: Holder,
  token: string | undefined,
  claims: Members = {},
  header: Members = {},
): Promise<string> {
  const ath = token === undefined ? {} : { ath: hash(token) };
  const all = { jti: randomUUID(), htm: 'POST', htu: RESOURCE, iat: now(), ...ath, ...claims };
  const given = JSON.parse(JSON.stringify(all)) as Record<string, unknown>;
  return new SignJWT(given).setProtectedHeader({ alg, typ: 'dpop+jwt', jwk, ...header }).sign(privateKey);
}

let provider: Awaited<ReturnType<typeof startProvider>>;
let mine: Holder;
let other: Holder;
let bound: string;
let bearer: string;
let served: ProtectedApp;
const store = new InMemoryStore();

/** A token of the provider: bound to the key of the holder, if there is one. */
async function tokenFor(of?: Holder): Promise<string> {
  const url = `${provider.url}/token`;
  const proof = of && (await prove(of, undefined, { htu: url }));
  const credentials = Buffer.from(`${CLIENT.client_id}:${CLIENT.client_secret}`).toString('base64');
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}`, ...(proof === undefined ? {} : { dpop: proof }) },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'tasks:read', resource: RESOURCE }),
  });
  const { access_token: token, token_type: type } = (await response.json()) as Readonly<
    Record<string, string>
  >;
  expect(type).toBe(of === undefined ? 'Bearer' : 'DPoP');
  return token ?? '';
}

const open = (dpop?: 'accept' | 'require', more = {}): Promise<ProtectedApp> =>
  protectedApp({ verify: jwt({ issuer: provider.url, ...(dpop === undefined ? {} : { dpop }) }) }, more);

beforeAll(async () => {
  provider = await startProvider();
  [mine, other] = [await holder(), await holder()];
  [bound, bearer] = [await tokenFor(mine), await tokenFor()];
  served = await open('accept');
});
afterAll(async () => {
  await served.close();
  provider.close();
});

/** Calls the tool with a token and a proof. */
function call(token: string, proof: string | readonly string[] | undefined, scheme = 'DPoP', app = served) {
  const headers = { authorization: `${scheme} ${token}`, ...(proof === undefined ? {} : { dpop: proof }) };
  const body = message('tools/call', { name: 'who', arguments: { action: 'ami' } });
  return send(app.url, { body, headers: headers as Record<string, string> });
}

const refusal = ({ status, headers }: RawResponse) => [status, String(headers['www-authenticate'])] as const;

describe('jwt({ dpop: accept })', () => {
  test.each(['ES256', 'Ed25519', 'EdDSA'])('takes a bound token with a proof by %s', async (alg) => {
    const key = await holder(alg);
    const token = await tokenFor(key);
    for (let n = 0; n < 2; n += 1) expect((await call(token, await prove(key, token))).status).toBe(200);
  });

  test('takes a bearer token that is bound to no key, as before', async () => {
    expect((await call(bearer, undefined, 'Bearer')).status).toBe(200);
  });

  test.each(['DPoP', 'dpop', 'DPOP'])('takes the scheme %s', async (scheme) => {
    expect((await call(bound, await prove(mine, bound), scheme)).status).toBe(200);
  });

  test.each([
    ['with a query and a fragment', `${RESOURCE}?a=1#b`],
    ['with a slash', `${RESOURCE}/`],
    ['in upper case and with its port', 'HTTPS://MCP.EXAMPLE:443/mcp'],
  ])('takes the URL of the server %s', async (_how, htu) => {
    expect((await call(bound, await prove(mine, bound, { htu }))).status).toBe(200);
  });

  test('challenges with both schemes, and says so in its metadata', async () => {
    const [status, challenge] = refusal(await served.call());
    expect(status).toBe(401);
    expect(challenge).toMatch(/^Bearer resource_metadata="[^"]+", DPoP algs="ES256 Ed25519 EdDSA"$/);
    const metadata = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', served.url));
    expect(await metadata.json()).toMatchObject({
      dpop_signing_alg_values_supported: ['ES256', 'Ed25519', 'EdDSA'],
    });
  });
});

test('a page of this machine may send a proof', async () => {
  const asked = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,dpop',
  };
  const headers = { origin: 'http://localhost:6274', ...asked };
  const { headers: allowed } = await send(served.url, { method: 'OPTIONS', headers });
  expect(String(allowed['access-control-allow-headers']).toLowerCase().split(', ')).toContain('dpop');
});

/** Row 50 of the attacks, and what else RFC 9449, 4.3 asks for. */
describe('refuses', () => {
  const rows: readonly (readonly [string, () => Promise<string | readonly string[] | undefined>, string])[] =
    [
      ['a token without a proof', () => Promise.resolve(undefined), 'The DPoP proof is missing'],
      [
        'a proof for another URL',
        () => prove(mine, bound, { htu: 'https://other.example/mcp' }),
        'for another URL',
      ],
      ['a proof for another path', () => prove(mine, bound, { htu: `${RESOURCE}/other` }), 'for another URL'],
      [
        'a proof for the address that was called',
        () => prove(mine, bound, { htu: served.url }),
        'for another URL',
      ],
      ['a proof for another method', () => prove(mine, bound, { htm: 'GET' }), 'for another method'],
      [
        'a proof for the method in small letters',
        () => prove(mine, bound, { htm: 'post' }),
        'for another method',
      ],
      ['an old proof', () => prove(mine, bound, { iat: now() - 62 }), 'is not of now'],
      ['a proof of later', () => prove(mine, bound, { iat: now() + 62 }), 'is not of now'],
      ['a proof of a time that is a text', () => prove(mine, bound, { iat: String(now()) }), 'is not valid'],
      ['a proof that has expired', () => prove(mine, bound, { exp: now() - 1 }), 'is not valid'],
      ['a proof of another key', () => prove(other, bound), 'bound to another key'],
      ['a proof for another token', () => prove(mine, bearer), 'for another token'],
      ['a proof without a token', () => prove(mine, undefined), 'is not valid'],
      ['a proof without an id', () => prove(mine, bound, { jti: undefined }), 'is not valid'],
      ['a proof with an empty id', () => prove(mine, bound, { jti: '' }), 'has no id'],
      ['a proof with an id without an end', () => prove(mine, bound, { jti: 'x'.repeat(257) }), 'has no id'],
      ['a proof of another type', () => prove(mine, bound, {}, { typ: 'JWT' }), 'is not valid'],
      ['a proof without its key', () => prove(mine, bound, {}, { jwk: undefined }), 'is not valid'],
      [
        'a proof that shows the private key',
        async () => prove(mine, bound, {}, { jwk: await exportJWK(mine.privateKey) }),
        'is not valid',
      ],
      [
        'a proof that another key has signed',
        () => prove({ ...other, jwk: mine.jwk }, bound),
        'is not valid',
      ],
      [
        'a proof by a password',
        () => {
          const secret = new TextEncoder().encode('x'.repeat(32));
          const jwk = { kty: 'oct', k: Buffer.from(secret).toString('base64url') };
          return prove({ privateKey: secret as never, jwk, alg: 'HS256' }, bound);
        },
        'is not valid',
      ],
      [
        'a proof without a signature',
        async () =>
          `${part({ alg: 'none', typ: 'dpop+jwt', jwk: mine.jwk })}.${(await prove(mine, bound)).split('.')[1] ?? ''}.`,
        'has to be one JWT',
      ],
      ['the token as its proof', () => Promise.resolve(bound), 'is not valid'],
      ['two proofs', async () => [await prove(mine, bound), await prove(mine, bound)], 'has to be one JWT'],
      ['a proof of 9 kB', () => prove(mine, bound, { more: 'x'.repeat(9000) }), 'has to be one JWT'],
    ];

  test.each(rows)('%s', async (_what, make, words) => {
    const proof = await make();
    const response = await call(bound, proof);
    const [status, challenge] = refusal(response);
    expect(status).toBe(401);
    expect(challenge).toContain(words);
    expect(challenge).toMatch(/^Bearer error="invalid_(dpop_proof|token)", .*, DPoP algs="/);
    expect(challenge + response.body).not.toContain(bound);
  });

  test('a proof that was used before', async () => {
    const proof = await prove(mine, bound);
    expect((await call(bound, proof)).status).toBe(200);
    expect(refusal(await call(bound, proof))[1]).toContain('was used before');
  });

  test('a proof that comes ten times at once, but for one', async () => {
    const proof = await prove(mine, bound);
    const answers = await Promise.all(Array.from({ length: 10 }, () => call(bound, proof)));
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
  });

  test('another proof with the same id', async () => {
    const jti = randomUUID();
    expect((await call(bound, await prove(mine, bound, { jti }))).status).toBe(200);
    expect((await call(bound, await prove(mine, bound, { jti, iat: now() - 1 }))).status).toBe(401);
  });

  test('a bound token as a bearer, with and without its proof', async () => {
    for (const proof of [undefined, await prove(mine, bound)]) {
      const [status, challenge] = refusal(await call(bound, proof, 'Bearer'));
      expect([status, challenge]).toEqual([401, expect.stringContaining('which a bearer cannot show')]);
    }
  });

  test('a token that is bound to no key, with a proof', async () => {
    const [status, challenge] = refusal(await call(bearer, await prove(mine, bearer)));
    expect([status, challenge]).toEqual([401, expect.stringContaining('not bound to a key')]);
  });

  test('a known token as well: each request needs a proof', async () => {
    expect((await call(bound, await prove(mine, bound))).status).toBe(200);
    expect((await call(bound, undefined)).status).toBe(401);
  });
});

describe('another setting', () => {
  test('require takes no bearer token, and says so in its metadata', async () => {
    const app = await open('require');
    expect((await call(bound, await prove(mine, bound), 'DPoP', app)).status).toBe(200);
    const [status, challenge] = refusal(await call(bearer, undefined, 'Bearer', app));
    expect([status, challenge]).toEqual([401, expect.stringContaining('bound to a key (DPoP)')]);
    const metadata = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', app.url));
    expect(await metadata.json()).toMatchObject({ dpop_bound_access_tokens_required: true });
    await app.close();
  });

  test('by default a bound token is refused however it comes, and no scheme is offered', async () => {
    const app = await open();
    expect(refusal(await app.call())[1]).not.toContain('DPoP');
    for (const scheme of ['DPoP', 'Bearer'])
      expect((await call(bound, await prove(mine, bound), scheme, app)).status).toBe(401);
    await app.close();
  });

  test('a value that it does not have is a problem of the start', () => {
    expect(() => jwt({ issuer: provider.url, dpop: 'always' as never })).toThrow(/TW_APPLICATION_OPTION/);
  });
});

describe('with a store that instances share', () => {
  const start = () =>
    protectedApp(
      { verify: jwt({ issuer: provider.url, dpop: 'accept' }) },
      {},
      { backplane: { store }, secrets: ['a secret of 32 bytes and some more'] },
    );

  test('a proof that one instance has seen is refused by the other', async () => {
    const [first, second] = [await start(), await start()];
    const proof = await prove(mine, bound);
    expect((await call(bound, proof, 'DPoP', first)).status).toBe(200);
    expect((await call(bound, proof, 'DPoP', second)).status).toBe(401);
    await Promise.all([first.close(), second.close()]);
  });

  test('a store that is down is 503, so that the client keeps its token', async () => {
    const app = await start();
    const put = store.put.bind(store);
    store.put = () => Promise.reject(new Error('The store is down'));
    const response = await call(bound, await prove(mine, bound), 'DPoP', app);
    store.put = put;
    expect(response.status).toBe(503);
    expect(response.headers['retry-after']).toBeDefined();
    await app.close();
  });
});

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
