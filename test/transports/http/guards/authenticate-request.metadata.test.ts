import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { jwt } from '../../../../src/auth/index.ts';
import { McpApplication } from '../../../../src/index.ts';
import { protectedApp, RESOURCE, WhoModule, type ProtectedApp } from '../../../support/protected-app.ts';
import { message, send } from '../../../support/raw-http.ts';
import { TokenIssuer } from '../../../support/token-issuer.ts';

const INSERTED = '/.well-known/oauth-protected-resource/mcp';
const ROOT = '/.well-known/oauth-protected-resource';

let issuer: TokenIssuer;
let served: ProtectedApp;
const verify = () => jwt({ issuer: issuer.url });

beforeAll(async () => {
  issuer = await TokenIssuer.start();
  served = await protectedApp(
    { verify: verify(), scopesSupported: ['tasks:read'], resourceName: 'Tasks' },
    { allowedHosts: ['127.0.0.1', 'evil.example'] },
  );
});
afterAll(async () => {
  await served.close();
  await issuer.close();
});

describe('the metadata', () => {
  test.each([INSERTED, ROOT])('is at %s, for pages of every origin', async (path) => {
    const response = await send(served.url, { method: 'GET', path });
    expect(response.status).toBe(200);
    expect(JSON.parse(response.body)).toEqual({
      resource: RESOURCE,
      authorization_servers: [issuer.url],
      scopes_supported: ['tasks:read'],
      bearer_methods_supported: ['header'],
      resource_name: 'Tasks',
    });
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'max-age=3600',
      'content-type': 'application/json',
    });
    expect((await send(served.url, { method: 'HEAD', path })).status).toBe(200);
    expect((await send(served.url, { method: 'OPTIONS', path })).status).toBe(204);
    for (const method of ['POST', 'DELETE', 'PUT']) {
      const refused = await send(served.url, { method, path });
      expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  });

  test('and the challenge do not depend on what a request says of its host', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
    const { body } = await send(served.url, { method: 'GET', path: ROOT, headers });
    expect(JSON.parse(body)).toMatchObject({ resource: RESOURCE });
    const challenge = (await served.call(undefined, headers)).headers['www-authenticate'];
    expect(challenge).toBe(`Bearer scope="tasks:read", resource_metadata="https://mcp.example${INSERTED}"`);
  });

  test('of an endpoint at the root of its origin is in one place', async () => {
    const app = await protectedApp({ verify: verify(), resource: 'https://mcp.example' }, { path: '/' });
    expect(JSON.parse((await send(app.url, { method: 'GET', path: ROOT })).body)).not.toHaveProperty(
      'scopes_supported',
    );
    expect((await send(app.url, { method: 'GET', path: `${ROOT}/mcp` })).status).not.toBe(200);
    await app.close();
  });

  test.each([
    ['https://mcp.example/mcp', '/mcp', INSERTED],
    ['https://mcp.example/mcp/', '/mcp', INSERTED],
    ['https://mcp.example/', '/', ROOT],
    ['https://mcp.example/t/{tenant}/mcp/', undefined, `${ROOT}/t/acme/mcp`],
  ])('of %s names the URL that it was asked for, with a slash or without', async (resource, path, place) => {
    const withTenant = jwt({ issuer: issuer.url, claims: { tenant: 'tenant' } });
    const app = await protectedApp({ verify: withTenant, resource }, path === undefined ? {} : { path });
    const named = resource.replace(/\/$/, '').replace('{tenant}', 'acme');
    // RFC 9728, 3.3: it is identical to what the client has put the well-known path into
    for (const slash of ['', '/']) {
      const { body } = await send(app.url, { method: 'GET', path: `${place}${slash}` });
      expect(JSON.parse(body)).toMatchObject({ resource: `${named}${slash}` });
      // RFC 8707: then it asks for a token with this audience
      const claims = { aud: `${named}${slash}`, tenant: 'acme' };
      const headers = { authorization: `Bearer ${await issuer.sign(claims)}` };
      const called = path ?? new URL(named).pathname;
      const answer = await send(app.url, { body: message('tools/list'), headers, path: called });
      expect([claims.aud, answer.status]).toEqual([claims.aud, 200]);
    }
    await app.close();
  });

  test('leaves the root of the origin to another endpoint, whose tokens count only there', async () => {
    const other = await protectedApp({
      verify: verify(),
      resource: 'https://mcp.example/other',
      rootMetadata: false,
    });
    expect((await send(other.url, { method: 'GET', path: ROOT })).status).toBe(404);
    const { body } = await send(other.url, { method: 'GET', path: `${ROOT}/other` });
    expect(JSON.parse(body)).toMatchObject({ resource: 'https://mcp.example/other' });
    const [ours, theirs] = [await issuer.sign(), await issuer.sign({ aud: 'https://mcp.example/other' })];
    expect([(await served.call(ours)).status, (await served.call(theirs)).status]).toEqual([200, 401]);
    expect([(await other.call(ours)).status, (await other.call(theirs)).status]).toEqual([401, 200]);
    await other.close();
  });

  test('is served by app.fetch as well, which has to know its URL', async () => {
    const at = (path: string, init?: RequestInit) => new Request(`https://mcp.example${path}`, init);
    const response = await served.app.fetch(at(INSERTED));
    expect(await response.json()).toMatchObject({ resource: RESOURCE });
    expect((await served.app.fetch(at('/mcp', { method: 'POST', body: '{}' }))).status).toBe(401);
    const app = await McpApplication.create(WhoModule, { auth: { verify: verify() } });
    await expect(app.fetch(at('/mcp'))).rejects.toThrow('has no resource');
    await app.close();
  });

  test('is served by app.node as well, in a server that hands it every path', async () => {
    const server = createServer((request, response) => void served.app.node(request, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
    for (const path of [INSERTED, ROOT]) {
      const response = await send(url, { method: 'GET', path });
      expect(response).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': '*' } });
      expect(JSON.parse(response.body)).toMatchObject({ resource: RESOURCE });
      expect((await send(url, { method: 'DELETE', path })).status).toBe(405);
    }
    const refused = await send(url, { body: '{}' });
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toContain(`https://mcp.example${INSERTED}`);
    server.close();
  });

  test('names the URL of listen() where only this machine reaches it', async () => {
    const app = await McpApplication.create(WhoModule, { auth: { verify: verify() } });
    const { url } = await app.listen({ port: 0, signals: false });
    expect(JSON.parse((await send(url, { method: 'GET', path: ROOT })).body)).toMatchObject({
      resource: url,
    });
    await app.close();
    const open = await McpApplication.create(WhoModule, { auth: { verify: verify() } });
    await expect(open.listen({ port: 0, host: '0.0.0.0', signals: false })).rejects.toThrow(
      'has no resource',
    );
    await open.close();
  });
});

describe('a request without a token', () => {
  test('is refused without an error code, before its body is read', async () => {
    const { port } = new URL(served.url);
    const answered = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write('POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n');
        socket.write('accept: application/json, text/event-stream\r\ncontent-length: 100000\r\n\r\n{');
      });
      socket.once('data', (data: Buffer) => {
        resolve(data.toString());
        socket.destroy();
      });
    });
    expect(answered).toMatch(/^HTTP\/1.1 401 /);
    expect(answered).not.toContain('error=');
  });

  test.each<readonly [string, readonly number[], Readonly<Record<string, string>>]>([
    ['two spaces', [400], { authorization: 'Bearer  x' }],
    ['two words', [400], { authorization: 'Bearer a b' }],
    ['a comma', [400], { authorization: 'Bearer a, Bearer b' }],
    ['no token', [400], { authorization: 'Bearer' }],
    ['letters that no token has', [400], { authorization: 'Bearer ä' }],
    ['another scheme', [401], { authorization: 'Basic YTpi' }],
    ['a long token', [400], { authorization: `Bearer ${'a'.repeat(9000)}` }],
    ['a token that fills the head', [431], { authorization: `Bearer ${'a'.repeat(20_000)}` }],
  ])('but with %s is refused as the header is', async (_what, statuses, headers) => {
    const response = await served.call(undefined, headers);
    expect(statuses).toContain(response.status);
    if (response.status === 400)
      expect(response.headers['www-authenticate']).toMatch(/^Bearer error="invalid_request"/);
  });

  test('is refused with two Authorization headers, of which Node shows the first', async () => {
    const token = await issuer.sign();
    const { port } = new URL(served.url);
    const body = '{}';
    const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: ${String(body.length)}\r\n`;
    const answered = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(`${head}authorization: Bearer ${token}\r\nauthorization: Bearer other\r\n\r\n${body}`);
      });
      socket.once('data', (data: Buffer) => {
        resolve(data.toString());
      });
    });
    expect(answered).toMatch(/^HTTP\/1.1 400 /);
  });

  test('is refused with a token in the query, which is ignored', async () => {
    const response = await send(served.url, {
      path: `/mcp?access_token=${await issuer.sign()}`,
      body: '{}',
    });
    expect(response.status).toBe(401);
  });
});

test('answers to callers who are known are not stored', async () => {
  expect((await served.call(await issuer.sign())).headers['cache-control']).toBe('no-store');
});

test('a scheme in any case is read', async () => {
  const authorization = `bEARER ${await issuer.sign()}`;
  expect((await served.call(undefined, { authorization })).status).toBe(200);
});

test('a session goes on with a new token of the same subject, and exists for nobody else', async () => {
  const other = await TokenIssuer.start();
  const both = jwt({ issuers: [{ issuer: issuer.url }, { issuer: other.url }] });
  const app = await protectedApp({ verify: both }, { sessions: true });
  const as = async (from: TokenIssuer, claims = {}) => ({
    authorization: `Bearer ${await from.sign(claims)}`,
  });
  const { initialize, message } = await import('../../../support/raw-http.ts');
  const id = await initialize(app.url, await as(issuer));
  const status = async (headers: Readonly<Record<string, string>>) =>
    (await send(app.url, { body: message('tools/list'), headers: { ...headers, 'mcp-session-id': id } }))
      .status;
  expect(await status(await as(issuer))).toBe(200);
  expect(await status(await as(issuer, { sub: 'bob' }))).toBe(404);
  expect(await status(await as(issuer, { client_id: 'other' }))).toBe(404);
  // The same name, of another issuer
  expect(await status(await as(other))).toBe(404);
  expect(await status(await as(issuer))).toBe(200);
  await app.close();
  await other.close();
});

test('authenticate beside the option auth is refused at the start', async () => {
  const authenticate = () => undefined;
  await expect(served.app.listen({ port: 0, authenticate })).rejects.toMatchObject({
    code: 'TW_SERVER_OPTION',
  });
  await expect(
    McpApplication.create(WhoModule, { auth: { verify: verify() }, fetch: { authenticate } }),
  ).rejects.toThrow('has authenticate');
});

test.each([
  'http://mcp.example/mcp',
  'https://mcp.example/mcp//',
  'https://MCP.example/mcp',
  'https://mcp.example/mcp#a',
  'https://ann@mcp.example/mcp',
  '/mcp',
])('the resource %s is refused at the start', async (resource) => {
  await expect(McpApplication.create(WhoModule, { auth: { verify: verify(), resource } })).rejects.toThrow(
    'auth.resource',
  );
});

test('offline_access is not a scope that a server may ask for', async () => {
  const auth = { verify: verify(), resource: RESOURCE, scopesSupported: ['offline_access'] };
  await expect(McpApplication.create(WhoModule, { auth })).rejects.toThrow('scopesSupported');
});
