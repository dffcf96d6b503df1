import { describe, expect, test } from '@jest/globals';
import { inspect } from 'node:util';
import { AuthenticationError } from '../../../../src/errors/authentication-error.ts';
import type { HttpOptions } from '../../../../src/transports/http/http-options.ts';
import { echo, fakeApplication } from '../../../support/fake-application.ts';
import { INITIALIZE, initialize, message, send } from '../../../support/raw-http.ts';
import { serve } from '../../../support/http-server.ts';

describe('what authenticate gives', () => {
  const { token, clientId } = { token: 't', clientId: 'c' };
  const late = Date.now() / 1000 + 1000;

  test.each([
    undefined,
    null,
    false,
    true,
    '',
    'ann',
    0,
    {},
    [],
    { token },
    { clientId },
    { token, clientId: 7 },
    { token, clientId, expiresAt: NaN },
    { token, clientId, expiresAt: Infinity },
    { token, clientId, expiresAt: '2020-01-01' },
    { token, clientId, expiresAt: '9999999999' },
    { token, clientId, expiresAt: null },
  ])('is refused with 401 unless it says who calls: %j', async (given) => {
    const { url } = await serve({ authenticate: () => given as never });
    expect((await send(url, { body: INITIALIZE })).status).toBe(401);
  });

  test('is reported when it was meant and is incomplete', async () => {
    const application = fakeApplication({ echo });
    const { url } = await serve({ authenticate: () => ({ token }) as never }, {}, application);
    expect((await send(url, { body: INITIALIZE })).status).toBe(401);
    expect(application.logger.records).toMatchObject([{ level: 'warning', event: 'http.authenticate' }]);
  });

  test.each([
    { token, clientId },
    { token, clientId, scopes: [], expiresAt: late },
    { token, clientId, scopes: [], expiresAt: undefined },
  ])('is who calls: %j', async (given) => {
    const { url } = await serve({ authenticate: () => given as never });
    await initialize(url);
  });
});

describe('what authenticate throws', () => {
  const challenge = async (error: AuthenticationError, headers = {}) => {
    const { url } = await serve({ authenticate: () => Promise.reject(error) });
    const response = await send(url, { body: INITIALIZE, headers });
    return [response.status, response.headers['www-authenticate'], response.error?.message];
  };

  test('shows a client where to get a token', async () => {
    const resourceMetadata = 'https://mcp.example/.well-known/oauth-protected-resource';
    expect(await challenge(new AuthenticationError(401, { resourceMetadata, scope: 'read write' }))).toEqual([
      401,
      `Bearer scope="read write", resource_metadata="${resourceMetadata}"`,
      'The request is not authorized',
    ]);
  });

  test('shows a client that its token is not valid', async () => {
    const authorization = 'Bearer old';
    expect(await challenge(new AuthenticationError(401), { authorization })).toEqual([
      401,
      'Bearer error="invalid_token"',
      'The request is not authorized',
    ]);
  });

  test('shows a client which scope it lacks', async () => {
    const error = new AuthenticationError(403, {
      scope: 'write',
      description: 'A "write" needs\r\nmore: ä\\',
    });
    expect(await challenge(error)).toEqual([
      403,
      `Bearer error="insufficient_scope", scope="write", error_description="A 'write' needs more: "`,
      'A "write" needs\r\nmore: ä\\',
    ]);
  });

  test('is known from every copy of the package', () => {
    expect(AuthenticationError.is(new AuthenticationError(401))).toBe(true);
    expect(AuthenticationError.is(new Error('no'))).toBe(false);
    expect(AuthenticationError.is(undefined)).toBe(false);
  });

  test('goes into the log with its reason, which no client sees, and without the credential', async () => {
    const application = fakeApplication({ echo });
    const authenticate: HttpOptions['authenticate'] = ({ headers }) => {
      throw new AuthenticationError(401, { reason: `unknown: ${String(headers['authorization'])}` });
    };
    const { url } = await serve({ authenticate }, {}, application);
    const authorization = 'Bearer abcdefgh.12345678';
    const refused = await send(url, { body: INITIALIZE, headers: { authorization } });
    expect([refused.status, refused.error?.message]).toEqual([401, 'The request is not authorized']);
    expect(JSON.stringify(refused.headers)).not.toContain('unknown');
    expect((await send(url, { body: INITIALIZE })).status).toBe(401);
    expect(application.logger.records).toEqual([
      {
        level: 'warning',
        event: 'auth.credential-refused',
        message: 'The credential of a request was refused with 401.',
        reason: 'unknown: [credential]',
      },
    ]);
  });

  test('fills no log', async () => {
    const application = fakeApplication({ echo });
    let count = 0;
    const authenticate = () => {
      count += 1;
      throw new Error(count > 3 ? `distinct ${String(count)}` : 'the database is down');
    };
    const { url } = await serve({ authenticate }, {}, application);
    for (let n = 0; n < 40; n += 1) expect((await send(url, { body: INITIALIZE })).status).toBe(503);
    const levels = application.logger.records.map(({ level }) => level);
    expect(levels).toEqual(['warning', ...Array<string>(39).fill('debug')]);
  });

  test.each([
    ['whole', 'Bearer abcdefgh.12345678.ijklmnop', (given: string) => given],
    ['without its scheme', 'Bearer abcdefgh.12345678.ijklmnop', (given: string) => given.slice(7)],
    ['in part', 'Bearer abcdefgh.12345678.ijklmnop', (given: string) => given.slice(16, 24)],
    ['decoded', `Basic ${btoa('ann:open-sesame')}`, () => 'open-sesame'],
  ])('shows no log the credentials that its error repeats %s', async (_how, authorization, repeated) => {
    const application = fakeApplication({ echo });
    const authenticate: HttpOptions['authenticate'] = ({ headers }) => {
      throw new TypeError(`cannot read ${repeated(headers['authorization'] ?? '')}`);
    };
    const { url } = await serve({ authenticate }, {}, application);
    expect((await send(url, { body: INITIALIZE, headers: { authorization } })).status).toBe(503);
    const [record] = application.logger.records;
    expect(record?.message).toBe('authenticate failed: cannot read [credential]');
    expect(inspect(record)).not.toContain(repeated(authorization));
    expect(inspect(record)).toContain('authenticate-request.test');
  });

  test('shows nothing of the message where a request has more credentials than are looked for', async () => {
    const application = fakeApplication({ echo });
    const authenticate: HttpOptions['authenticate'] = ({ headers }) => {
      throw new TypeError(`cannot read ${headers['cookie'] ?? ''}\n    at ${headers['cookie'] ?? ''}`);
    };
    const { url } = await serve({ authenticate }, {}, application);
    const cookie = Array.from({ length: 900 }, (_, index) => `c${index}=secret${index}!`).join('; ');
    expect((await send(url, { body: INITIALIZE, headers: { cookie } })).status).toBe(503);
    const [record] = application.logger.records;
    expect(record?.message).toMatch(/^authenticate failed: its message is not shown/);
    expect(inspect(record)).not.toContain('secret');
    expect(inspect(record)).toContain('TypeError');
    expect(inspect(record)).toContain('authenticate-request.test');
  });
});

describe('a session', () => {
  const authenticate: HttpOptions['authenticate'] = ({ headers }) => {
    const [clientId = '', sub, tenant] = (headers['authorization'] ?? '').split(' ');
    return { token: 't', clientId, scopes: [], extra: { sub, tenant } };
  };
  const as = (authorization: string) => ({ authorization });
  const list = async (url: string, session: string, who: string) =>
    (
      await send(url, {
        body: message('tools/list'),
        headers: { 'mcp-session-id': session, ...as(who) },
      })
    ).status;

  test('belongs to the person, not to the program that all persons use', async () => {
    const { url } = await serve({ authenticate });
    const session = await initialize(url, as('app ann'));
    expect(await list(url, session, 'app bob')).toBe(404);
    expect(await list(url, session, 'app')).toBe(404);
    expect(await list(url, session, 'app ann')).toBe(200);
  });

  test('belongs to whom the option says', async () => {
    const { url } = await serve({
      authenticate,
      sessionOwner: ({ extra }) => String(extra?.['tenant']),
    });
    const session = await initialize(url, as('app ann acme'));
    expect(await list(url, session, 'app bob acme')).toBe(200);
    expect(await list(url, session, 'app ann other')).toBe(404);
  });

  test('that is unknown is replaced when the client initializes', async () => {
    const { url } = await serve({ authenticate });
    const foreign = await initialize(url, as('app ann'));
    for (const stale of ['gone', foreign]) {
      const headers = { 'mcp-session-id': stale, ...as('app bob') };
      const fresh = await send(url, { body: INITIALIZE, headers });
      expect(fresh.status).toBe(200);
      expect([undefined, stale]).not.toContain(fresh.headers['mcp-session-id']);
    }
    const again = { 'mcp-session-id': foreign, ...as('app ann') };
    expect((await send(url, { body: INITIALIZE, headers: again })).status).toBe(400);
  });
});

describe('an Origin', () => {
  const APP = 'https://app.example';
  const preflight = { 'access-control-request-method': 'POST' };

  test.each([APP, 'http://localhost:5173', 'https://127.0.0.1', 'http://[::1]:1'])(
    'that is allowed may ask first: %s',
    async (origin) => {
      const { url } = await serve({ allowedOrigins: [`${APP}/`], authenticate: () => undefined });
      const { status, headers } = await send(url, { method: 'OPTIONS', headers: { origin, ...preflight } });
      expect([status, headers['access-control-allow-origin'], headers['vary']]).toEqual([
        204,
        origin,
        'Origin',
      ]);
      expect(headers['access-control-allow-methods']).toBe('GET, POST, DELETE');
      const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(', ');
      expect(allowed).toEqual(
        expect.arrayContaining([
          'accept',
          'authorization',
          'content-type',
          'last-event-id',
          'mcp-protocol-version',
          'mcp-session-id',
        ]),
      );
    },
  );

  test('that is allowed may read what it gets, refusals included', async () => {
    const { url } = await serve({ allowedOrigins: [APP] });
    const headers = { origin: APP };
    const responses = [
      await send(url, { body: INITIALIZE, headers }),
      await send(url, { body: '{', headers }),
      await send(url, { body: '{}', headers, path: '/other' }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 400, 404]);
    for (const response of responses) {
      expect(response.headers['access-control-allow-origin']).toBe(APP);
      expect(response.headers['access-control-expose-headers']).toBe(
        'Mcp-Session-Id, WWW-Authenticate, Retry-After',
      );
      expect(response.headers['vary']).toBe('Origin');
    }
  });

  test.each([
    'https://evil.example',
    'null',
    'localhost',
    'ftp://localhost',
    'http://localhost:1/path',
    'http://user@localhost',
    'http://localhost:80',
    'http://localhost#',
    'http://127.1',
    'http://localhost.evil.example',
    ' ',
  ])('that is not allowed learns nothing: %j', async (origin) => {
    const { url } = await serve({ allowedOrigins: [APP] });
    for (const request of [{ method: 'OPTIONS' }, { body: INITIALIZE }]) {
      const { status, headers } = await send(url, { ...request, headers: { origin } });
      expect([status, headers['access-control-allow-origin']]).toEqual([403, undefined]);
    }
  });

  test('is what OPTIONS is for; without one the method is not allowed', async () => {
    const { url } = await serve();
    expect((await send(url, { method: 'OPTIONS' })).status).toBe(405);
  });
});
