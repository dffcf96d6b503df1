import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { jwt, type JwtOptions } from '../../src/auth/index.ts';
import { protectedApp, type ProtectedApp } from '../support/protected-app.ts';
import { eventually } from '../support/eventually.ts';
import { TokenIssuer } from '../support/token-issuer.ts';

const MINUTE = 60_000;
const REAL = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
] as const;

let issuer: TokenIssuer;
let served: ProtectedApp;

beforeEach(async () => {
  // Only the clock stands still
  jest.useFakeTimers({
    now: Date.now(),
    doNotFake: [...REAL, 'nextTick', 'queueMicrotask', 'performance', 'hrtime'],
  });
  issuer = await TokenIssuer.start();
  served = await serve({});
});
afterEach(async () => {
  await served.close();
  await issuer.close();
  jest.useRealTimers();
});

const serve = (options: JwtOptions) => protectedApp({ verify: jwt({ issuer: issuer.url, ...options }) });
const pass = (milliseconds: number): void => {
  jest.setSystemTime(Date.now() + milliseconds);
};
const statusOf = async (token: string): Promise<number> => (await served.call(token)).status;
const refuseAll = (): void => {
  issuer.answer = (_request, response) => response.writeHead(500).end('no');
};

test('a token of a new key is accepted after one request, without a restart', async () => {
  expect(await statusOf(await issuer.sign())).toBe(200);
  const key = await issuer.addKey('second');
  pass(31_000);
  expect(await statusOf(await issuer.sign({}, {}, key))).toBe(200);
  expect(issuer.keySets).toBe(2);
});

test('tokens of keys that nobody knows cause one request for each cooldown, and disturb no other', async () => {
  const good = await issuer.sign();
  expect(await statusOf(good)).toBe(200);
  pass(31_000);
  const forged = await Promise.all(
    Array.from({ length: 100 }, (_, n) => issuer.sign({}, { kid: `k${String(n)}` })),
  );
  for (let turn = 0; turn < 10; turn += 1) {
    // The same ones would be verified once for all that come at the same time
    const others = forged.map((token) => token.replace(/(?=.{8}$)/, String(turn)));
    const statuses = await Promise.all([...others.map(statusOf), statusOf(good)]);
    expect(statuses).toEqual([...Array<number>(100).fill(401), 200]);
  }
  expect(await statusOf(await issuer.sign())).toBe(200);
  expect(issuer.keySets).toBe(2);
});

test.each<readonly [string, { readonly exp?: number; readonly nbf?: number }, number]>([
  ['expired 4 seconds ago', { exp: -4 }, 200],
  ['expired 10 seconds ago', { exp: -10 }, 401],
  ['counts in 4 seconds', { nbf: 4 }, 200],
  ['counts in 10 seconds', { nbf: 10 }, 401],
])('clocks may differ by 5 seconds: a token that %s', async (_what, { exp = 300, nbf = 0 }, status) => {
  const seconds = Math.floor(Date.now() / 1000);
  expect(await statusOf(await issuer.sign({ exp: seconds + exp, nbf: seconds + nbf }))).toBe(status);
});

test('keys that are known count on for a day while their issuer cannot be reached', async () => {
  expect(await statusOf(await issuer.sign())).toBe(200);
  refuseAll();
  pass(11 * MINUTE);
  expect(await statusOf(await issuer.sign())).toBe(200);
  pass(23 * 60 * MINUTE);
  expect(await statusOf(await issuer.sign())).toBe(200);
  // A key that is not known may be a new one
  expect((await served.call(await issuer.sign({}, { kid: 'other' }))).status).toBe(503);
  pass(2 * 60 * MINUTE);
  expect(await statusOf(await issuer.sign())).toBe(503);
});

test('an issuer that cannot be reached at the start is 503, with one request for each cooldown', async () => {
  refuseAll();
  for (let n = 0; n < 5; n += 1) {
    const response = await served.call(await issuer.sign());
    expect(response.status).toBe(503);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(response.headers['www-authenticate']).toBeUndefined();
  }
  const asked = issuer.asked.length;
  // The two places of its metadata
  expect(asked).toBe(2);
  issuer.answer = undefined;
  pass(31_000);
  expect(await statusOf(await issuer.sign())).toBe(200);
});

test('a key that left the set counts no more, in remembered tokens either', async () => {
  const token = await issuer.sign({ exp: Math.floor(Date.now() / 1000) + 3600 });
  expect(await statusOf(token)).toBe(200);
  await issuer.addKey('second');
  issuer.keys.shift();
  // Within the time of the set, and before the token would be forgotten
  expect(await statusOf(token)).toBe(200);
  pass(8 * MINUTE + 1000);
  // This asks for the set again, beside the call
  await statusOf(token);
  pass(MINUTE);
  await eventually(async () => (await statusOf(token)) === 401);
});

test.each<readonly [string, NonNullable<TokenIssuer['answer']>]>([
  [
    'is too large',
    (_request, response) => response.writeHead(200).end(`{"keys":[],"x":"${'x'.repeat(10_000_000)}"}`),
  ],
  [
    'is a redirect',
    (_request, response) => response.writeHead(302, { location: `${issuer.url}/elsewhere` }).end(),
  ],
  ['is not JSON', (_request, response) => response.writeHead(200).end('<html>')],
  ['is not a set of keys', (_request, response) => response.writeHead(200).end('{"keys":{}}')],
  [
    'has too many keys',
    (_request, response) =>
      response.writeHead(200).end(JSON.stringify({ keys: Array(65).fill({ kty: 'EC' }) })),
  ],
  [
    'has two keys of one name',
    (_request, response) =>
      response.writeHead(200).end(JSON.stringify({ keys: [issuer.keys[0]?.jwk, issuer.keys[0]?.jwk] })),
  ],
  [
    'breaks off',
    (_request, response) => {
      response.writeHead(200, { 'content-length': '999' });
      response.write('{');
      response.destroy();
    },
  ],
])('a set of keys that %s is refused and logged, and nobody follows it', async (_what, answer) => {
  await served.close();
  served = await serve({ jwksUri: `${issuer.url}/keys` });
  issuer.answer = answer;
  expect(await statusOf(await issuer.sign())).toBe(503);
  expect(issuer.asked).toEqual(['/keys']);
  expect(served.logger.records).toMatchObject([
    { level: 'warning', event: 'auth.keys', issuer: issuer.url },
    {},
  ]);
  issuer.answer = undefined;
  pass(31_000);
  expect(await statusOf(await issuer.sign())).toBe(200);
});

test('a set of keys that never comes is given up', async () => {
  await served.close();
  served = await serve({ jwksUri: `${issuer.url}/keys`, keys: { timeout: 50 } });
  issuer.answer = () => undefined;
  expect(await statusOf(await issuer.sign())).toBe(503);
});

test('metadata that names another issuer leads nowhere', async () => {
  issuer.answer = (_request, response) =>
    response
      .writeHead(200)
      .end(JSON.stringify({ issuer: 'https://x.example', jwks_uri: `${issuer.url}/keys` }));
  expect(await statusOf(await issuer.sign())).toBe(503);
  expect(issuer.keySets).toBe(0);
});

test('a key that both sides know verifies nothing', async () => {
  const secret = Buffer.from('0123456789abcdef0123456789abcdef').toString('base64url');
  issuer.keys.push({
    kid: 'shared',
    alg: 'HS256',
    jwk: { kty: 'oct', k: secret, kid: 'shared', alg: 'HS256' },
  } as never);
  expect(await statusOf(await issuer.sign())).toBe(200);
  const header = Buffer.from('{"alg":"HS256","kid":"shared","typ":"at+jwt"}').toString('base64url');
  expect(await statusOf(`${header}.e30.AAAA`)).toBe(401);
});
