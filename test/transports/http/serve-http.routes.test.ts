import { describe, expect, test } from '@jest/globals';
import type { Route } from '../../../src/transports/http/http-options.ts';
import { fakeApplication, MemoryLogger } from '../../support/fake-application.ts';
import { initialize, send } from '../../support/raw-http.ts';
import { serve } from '../../support/http-server.ts';

const bytes = new Uint8Array([0, 255, 128, 10]);
const routes: Record<string, Route> = {
  'GET /health': () => new Response('ok', { headers: { 'x-checked': 'yes' } }),
  'POST /echo': async (request) =>
    Response.json({
      url: new URL(request.url).search,
      text: await request.text(),
      tenant: request.headers.get('x-tenant'),
    }),
  'GET /bytes': () => new Response(bytes),
  'GET /cookies': () => {
    const headers = new Headers([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]);
    return new Response(null, { status: 204, headers });
  },
  'GET /broken': () => {
    throw new Error('the password is 1234');
  },
  'GET /nothing': () => undefined as never,
};

async function start(
  logger = new MemoryLogger(),
): Promise<{ readonly origin: string; readonly url: string }> {
  const application = { ...fakeApplication({}), logger };
  const { url } = await serve({ routes }, {}, application);
  return { url, origin: new URL(url).origin };
}

describe('routes beside the endpoint', () => {
  test('answer at their paths, with any query, and leave the endpoint alone', async () => {
    const { origin, url } = await start();
    const response = await fetch(`${origin}/health?deep=1`);
    expect([response.status, response.headers.get('x-checked'), await response.text()]).toEqual([
      200,
      'yes',
      'ok',
    ]);
    expect(await initialize(url)).toBeTruthy();
    expect((await fetch(`${origin}/healthy`)).status).toBe(404);
  });

  test('read bodies and headers, and send bytes and cookies as they are', async () => {
    const { origin } = await start();
    const echo = await fetch(`${origin}/echo?q=1`, {
      method: 'POST',
      body: 'héllo',
      headers: { 'x-tenant': 'acme' },
    });
    expect(await echo.json()).toEqual({ url: '?q=1', text: 'héllo', tenant: 'acme' });
    expect(new Uint8Array(await (await fetch(`${origin}/bytes`)).arrayBuffer())).toEqual(bytes);
    const cookies = await fetch(`${origin}/cookies`);
    expect([cookies.status, cookies.headers.getSetCookie()]).toEqual([204, ['a=1', 'b=2']]);
  });

  test('answer HEAD by GET, and name their methods to others', async () => {
    const { origin } = await start();
    const head = await fetch(`${origin}/health`, { method: 'HEAD' });
    expect([head.status, head.headers.get('x-checked'), await head.text()]).toEqual([200, 'yes', '']);
    const refused = await fetch(`${origin}/health`, { method: 'DELETE' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test.each(['/broken', '/nothing'])('log what fails at %s, and show it to no client', async (path) => {
    const logger = new MemoryLogger();
    const { origin } = await start(logger);
    const response = await fetch(`${origin}${path}`);
    expect([response.status, await response.text()]).toEqual([500, 'Internal error']);
    expect(logger.records).toContainEqual(expect.objectContaining({ level: 'error', event: 'http.route' }));
  });

  test('fill no log with the same failure', async () => {
    const logger = new MemoryLogger();
    const { origin } = await start(logger);
    for (let count = 0; count < 5; count += 1) await (await fetch(`${origin}/broken?${count}`)).text();
    expect(logger.records.map(({ level }) => level)).toEqual(['error', ...Array<string>(4).fill('debug')]);
  });

  test('take a health check with whatever Host it comes, unlike the endpoint', async () => {
    const { url } = await start();
    const headers = { host: '10.0.0.7:3000' };
    expect(await send(url, { method: 'GET', path: '/health', headers })).toMatchObject({ status: 200 });
    expect(await send(url, { body: '{}', headers })).toMatchObject({ status: 403 });
  });

  test('are bounded in their bodies as the endpoint is', async () => {
    const { url } = await serve({ routes, maxBodyBytes: 10 });
    const response = await send(url, { path: '/echo', body: 'x'.repeat(11) });
    expect(response.status).toBe(413);
  });
});

test.each([
  ['GET /mcp', 'the path of the protocol'],
  ['POST /mcp/', 'the path of the protocol'],
  ['/health', 'no method'],
  ['GET health', 'no slash'],
  ['GET /health?x', 'a query'],
  ['FETCH /health', 'no such method'],
])('refuses the route "%s": %s', async (name) => {
  await expect(serve({ routes: { [name]: () => new Response() } })).rejects.toMatchObject({
    code: 'TW_SERVER_OPTION',
  });
});

test('refuses a route that is not a function', async () => {
  await expect(serve({ routes: { 'GET /health': 'ok' as never } })).rejects.toThrow('GET /health');
});
