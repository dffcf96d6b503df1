import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  apiKeys,
  InMemoryRevocationList,
  introspection,
  jwt,
  type IntrospectionOptions,
} from '../../src/auth/index.ts';
import type { AuthOptions } from '../../src/index.ts';
import { protectedApp, RESOURCE, type ProtectedApp } from '../support/protected-app.ts';
import { TokenIssuer } from '../support/token-issuer.ts';

const ISSUER = 'https://id.example';
const now = (): number => Math.floor(Date.now() / 1000);

/** The clock stands still, and goes on as the test says: otherwise it would go on by what a busy machine takes. */
function stopTheClock(): number {
  const timers = ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval'] as const;
  const others = ['clearImmediate', 'nextTick', 'queueMicrotask', 'performance', 'hrtime'] as const;
  const start = Date.now();
  jest.useFakeTimers({ now: start, doNotFake: [...timers, ...others] });
  return start;
}

let server: Server;
let endpoint: string;
let answer: { readonly status: number; readonly body: string } | undefined;
const asked: { readonly authorization: string | undefined; readonly form: URLSearchParams }[] = [];
const opened: ProtectedApp[] = [];

beforeEach(async () => {
  asked.length = 0;
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked.push({
        authorization: request.headers.authorization,
        form: new URLSearchParams(Buffer.concat(chunks).toString()),
      });
      if (answer !== undefined) response.writeHead(answer.status).end(answer.body);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  endpoint = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/introspect`;
});
afterEach(async () => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  await Promise.all(opened.splice(0).map((app) => app.close()));
  server.closeAllConnections();
  server.close();
});

async function serve(verify: AuthOptions['verify'], more: Partial<AuthOptions> = {}): Promise<ProtectedApp> {
  const app = await protectedApp({ verify, ...more });
  opened.push(app);
  return app;
}

const asking = (options: Partial<IntrospectionOptions> = {}) =>
  introspection({ issuer: ISSUER, endpoint, clientId: 'tasks:1', clientSecret: 'pass word', ...options });

const says = (claims: Readonly<Record<string, unknown>>): void => {
  const all = {
    active: true,
    aud: RESOURCE,
    client_id: 'editor',
    sub: 'ann',
    exp: now() + 60,
    scope: 'a b',
    ...claims,
  };
  answer = { status: 200, body: JSON.stringify(all) };
};

describe('a token that the issuer is asked about', () => {
  test('is who calls, as the issuer says', async () => {
    says({ iss: ISSUER });
    const app = await serve(asking({ tenant: 'acme' }));
    const { authInfo, tenant } = await app.seen('opaque');
    expect(authInfo).toMatchObject({
      clientId: 'editor',
      scopes: ['a', 'b'],
      extra: { sub: 'ann', issuer: ISSUER },
    });
    expect(tenant).toBe('acme');
    expect(asked[0]?.form.get('token')).toBe('opaque');
    expect(asked[0]?.form.get('token_type_hint')).toBe('access_token');
    expect(asked[0]?.authorization).toBe(`Basic ${btoa('tasks%3A1:pass+word')}`);
  });

  test.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ['does not know it', { active: false }],
    ['names another server', { aud: 'https://other.example' }],
    ['names no server', { aud: undefined }],
    ['names another issuer', { iss: 'https://x.example' }],
    ['says that it has expired', { exp: now() - 1 }],
    ['says no end', { exp: undefined }],
    ['binds it to a key', { cnf: { jkt: 'x' } }],
    ['names no client', { client_id: undefined }],
    ['names a person that is an object', { sub: {} }],
  ])('is refused where the issuer %s', async (_what, claims) => {
    says(claims);
    const app = await serve(asking());
    expect((await app.call('opaque')).status).toBe(401);
  });

  test.each<readonly [string, typeof answer]>([
    ['an error', { status: 500, body: 'no' }],
    ['a redirect', { status: 302, body: '' }],
    ['a page', { status: 200, body: '<html>' }],
    ['something else', { status: 200, body: '[]' }],
    ['a text for active', { status: 200, body: '{"active":"true"}' }],
    ['nothing in time', undefined],
  ])('is 503 where the issuer answers with %s, and is asked about again', async (_what, given) => {
    answer = given;
    // The first question alone has little time: on a busy machine the second may need more
    const limit = AbortSignal.timeout.bind(AbortSignal);
    const limits = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => limit(60_000));
    if (given === undefined) limits.mockImplementationOnce(limit);
    const app = await serve(asking({ timeout: 50 }));
    const response = await app.call('opaque');
    expect(limits.mock.calls).toEqual([[50]]);
    expect(response.status).toBe(503);
    expect(response.headers['retry-after']).toBe('5');
    says({});
    expect((await app.call('opaque')).status).toBe(200);
    expect(inspect(app.logger.records, { depth: 9 })).not.toMatch(/opaque|pass word/);
  });

  test('is asked about once, however often a bad one comes', async () => {
    says({ active: false });
    stopTheClock();
    const app = await serve(asking());
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => (await app.call('bad')).status),
    );
    for (let n = 0; n < 50; n += 1) statuses.push((await app.call('bad')).status);
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(asked).toHaveLength(1);
  });

  test('is asked about each time unless a time is set, and never believed beyond its end', async () => {
    says({});
    const app = await serve(asking());
    await app.call('good');
    says({ active: false });
    expect((await app.call('good')).status).toBe(401);
    const start = stopTheClock();
    says({ exp: start / 1000 + 30 });
    const kept = await serve(asking({ ttl: 60_000 }));
    expect((await kept.call('good')).status).toBe(200);
    expect((await kept.call('good')).status).toBe(200);
    const before = asked.length;
    jest.setSystemTime(start + 29_000);
    expect((await kept.call('good')).status).toBe(200);
    expect(asked.length).toBe(before);
    jest.setSystemTime(start + 31_000);
    expect((await kept.call('good')).status).toBe(401);
    expect(asked.length).toBe(before + 1);
  });

  test('is not asked about where it has the form of a JWT, which has a verifier of its own', async () => {
    says({});
    const issuer = await TokenIssuer.start();
    const app = await serve([jwt({ issuer: issuer.url }), asking()]);
    expect((await app.call(await issuer.sign({ aud: 'https://other.example' }))).status).toBe(401);
    expect(asked).toEqual([]);
    expect((await app.call('opaque')).status).toBe(200);
    await issuer.close();
  });
});

test('a verifier that is never asked is refused at the start', async () => {
  const all = apiKeys({ find: () => undefined });
  await expect(serve([all, asking()])).rejects.toThrow('takes every token');
  await expect(serve([])).rejects.toThrow('has no verifier');
});

test('what is revoked counts no more from the next request on', async () => {
  const issuer = await TokenIssuer.start();
  const revocation = new InMemoryRevocationList();
  const app = await serve(jwt({ issuer: issuer.url }), { revocation });
  const [byId, byGrant, bySession, byPerson, other] = await Promise.all([
    issuer.sign({ jti: 'one' }),
    issuer.sign({ sid: 'grant' }),
    issuer.sign({ sid: 'session', grant_id: 'another' }),
    issuer.sign({ sub: 'bob' }),
    issuer.sign(),
  ]);
  const statuses = async () =>
    Promise.all(
      [byId, byGrant, bySession, byPerson, other].map(async (each) => (await app.call(each)).status),
    );
  expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
  revocation.revoke({ issuer: issuer.url, jti: 'one' });
  revocation.revoke({ issuer: issuer.url, grant: 'grant' });
  revocation.revoke({ issuer: issuer.url, grant: 'session' });
  revocation.revoke({ issuer: issuer.url, sub: 'bob' });
  revocation.revoke({ issuer: 'https://x.example', sub: 'ann' });
  expect(await statuses()).toEqual([401, 401, 401, 401, 200]);
  expect((await app.call(await issuer.sign({ sub: 'bob', iat: now() + 2 }))).status).toBe(200);
  await issuer.close();
});

test.each<readonly [string, () => Promise<boolean>]>([
  ['does not answer', () => new Promise(() => undefined)],
  ['fails', () => Promise.reject(new Error('down'))],
])('nobody passes while the revocation list %s, and no token is thrown away', async (_what, isRevoked) => {
  says({});
  const app = await serve(asking(), { revocation: { isRevoked }, revocationTimeout: 20 });
  expect(await app.call('opaque')).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
  });
});
