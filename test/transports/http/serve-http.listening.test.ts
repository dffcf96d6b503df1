import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { McpApplication, Module } from 'toolwright';
import type { HttpOptions } from '../../../src/transports/http/http-options.ts';
import { echo, fakeApplication } from '../../support/fake-application.ts';
import { INITIALIZE, initialize, JSON_HEADERS, send } from '../../support/raw-http.ts';
import { serve } from '../../support/http-server.ts';

/** Node looks up host names that URLs write in brackets. */
async function statusFor(url: string, host: string): Promise<number | undefined> {
  const { hostname, port, pathname } = new URL(url);
  const outgoing = request({
    host: hostname.replace(/^\[|\]$/g, ''),
    port,
    path: pathname,
    method: 'POST',
    headers: { ...JSON_HEADERS, host },
  });
  outgoing.end(INITIALIZE);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  incoming.resume();
  return incoming.statusCode;
}

/** The IPv6 loopback address with the zone that it is in. */
const ZONED = Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
  addresses.some(({ address }) => address === '::1') ? [`::1%${name}`] : [],
);

describe('a loopback host, however it is written,', () => {
  test.each([
    ...['LOCALHOST', '127.1', '127.0.0.2', '0:0:0:0:0:0:0:1', '[::1]', '::1', '::ffff:127.0.0.1'],
    ...ZONED,
  ])('is protected and has a URL: %s', async (host) => {
    const { url } = await serve({ host });
    expect((await fetch(url, { method: 'POST', body: INITIALIZE, headers: JSON_HEADERS })).status).toBe(200);
    expect(await statusFor(url, 'evil.example')).toBe(403);
  });

  test.each(['0.0.0.0', '::', '[::]', '0'])('is in the URL when all are served: %s', async (host) => {
    const { url } = await serve({ host });
    expect(url).toMatch(/^http:\/\/(127\.0\.0\.1|\[::1\]):\d+\/mcp$/);
    expect(await statusFor(url, 'any.example')).toBe(200);
  });
});

describe('an option', () => {
  test.each([
    [{ allowdHosts: ['a'] }, 'allowedHosts'],
    [{ sesions: false }, 'sessions'],
    [{ keepalive: 5 }, 'keepAlive'],
    [{ sessions: { maxSesions: 1 } }, 'maxSessions'],
    [{ 0: '3', 1: '9' }, 'port'],
  ])('that nobody knows is refused with the nearest name: %j', async (options, nearest) => {
    await expect(serve(options as never)).rejects.toMatchObject({
      code: 'TW_SERVER_OPTION',
      fix: expect.stringContaining(nearest),
    });
  });

  test.each([
    { port: '3999' },
    { port: undefined },
    { port: 1.5 },
    { port: -1 },
    { port: 70_000 },
    { host: '' },
    { host: 7 },
    { path: 7 },
    { path: 'mcp' },
    { path: '/mcp?x' },
    { sessions: 'no' },
    { sessions: null },
    { sessions: { maxSessions: '5' } },
    { sessions: { idleTimeout: -1 } },
    { maxBodyBytes: '1' },
    { maxBodyBytes: NaN },
    { allowedHosts: 'mcp.example' },
    { allowedHosts: [7] },
    { allowedOrigins: 'https://app.example' },
    { allowedOrigins: ['app.example'] },
    { allowedOrigins: ['https://app.example/path'] },
    { authenticate: 'secret' },
    { sessionOwner: 'sub' },
    { json: 'yes' },
    { keepAlive: -5 },
    { keepAlive: NaN },
    { keepAliveTimeout: -1 },
    { requestTimeout: '5' },
  ])('that has a value it cannot have is refused: %p', async (options) => {
    await expect(serve(options as never)).rejects.toMatchObject({ code: 'TW_SERVER_OPTION' });
  });

  test.each([
    [{}, 'listen() lacks the option port.', 'let port be a whole number'],
    [undefined, 'listen() sets the options to undefined', 'an object with port, host'],
    ['3000', 'listen() sets the options to "3000"', 'an object with port, host'],
  ])('that is needed is asked for: listen(%j)', async (options, what, fix) => {
    @Module({})
    class Root {}
    const app = await McpApplication.create(Root, { logger: () => undefined });
    const refused = await app.listen(options as never).catch(String);
    await app.close();
    expect(refused).toContain(what);
    expect(refused).toContain(fix);
  });

  test('that is undefined counts as left out', async () => {
    const options = { host: undefined, path: undefined, sessions: undefined, keepAliveTimeout: undefined };
    await initialize((await serve(options as never)).url);
  });

  test('may allow an origin of another scheme than http', async () => {
    const origin = 'vscode-webview://abc';
    const { url } = await serve({ allowedOrigins: [origin] });
    expect((await send(url, { body: INITIALIZE, headers: { origin } })).status).toBe(200);
  });
});

describe('the endpoint', () => {
  test.each([
    [{}, '/mcp/'],
    [{}, '/mcp?a=b'],
    [{ path: '/api/' }, '/api'],
    [{ path: '/' }, '/'],
    [{ path: '/my tools' }, '/my%20tools'],
    [{ path: '//evil' }, '//evil'],
    [{}, 'http://localhost:1/mcp'],
    [{}, 'HTTP://127.0.0.1/mcp/'],
  ] as [Partial<HttpOptions>, string][])('with %j is reached at %s', async (options, path) => {
    const { url } = await serve(options);
    expect((await send(url, { body: INITIALIZE, path })).status).toBe(200);
  });

  // RFC 9112, 3.2.2: the Host header is ignored then.
  test('checks the host of an absolute target', async () => {
    const { url } = await serve();
    expect((await send(url, { body: INITIALIZE, path: 'http://evil.example/mcp' })).status).toBe(403);
    expect((await send(url, { body: INITIALIZE, path: 'http://localhost@evil.example/mcp' })).status).toBe(
      400,
    );
  });

  test.each(['/mcp//', '//mcp', '/mcp/x'])('is not reached at %s', async (path) => {
    const { url } = await serve();
    expect((await send(url, { body: INITIALIZE, path })).status).toBe(404);
  });

  test('takes no compressed body, and says so', async () => {
    const { url } = await serve();
    const gzip = await send(url, { body: INITIALIZE, headers: { 'content-encoding': 'gzip' } });
    expect([gzip.status, gzip.error?.message, gzip.headers['accept-encoding']]).toEqual([
      415,
      expect.stringContaining('Content-Encoding'),
      'identity',
    ]);
    const plain = await send(url, { body: INITIALIZE, headers: { 'content-encoding': 'identity' } });
    expect(plain.status).toBe(200);
  });

  test('names safe integers for an id that is not one', async () => {
    const { url } = await serve();
    const body = '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}';
    expect((await send(url, { body })).error?.message).toContain('safe integer');
  });
});

describe('an idle connection', () => {
  const keepAliveOf = async (options: Partial<HttpOptions>) => {
    const { url } = await serve(options);
    return (await send(url, { body: '{', headers: { connection: 'keep-alive' } })).headers['keep-alive'];
  };

  test('stays open for as long as the option says', async () => {
    expect(await keepAliveOf({})).toBe('timeout=65');
    expect(await keepAliveOf({ keepAliveTimeout: 7000 })).toBe('timeout=7');
  });

  test('that never finishes its request is closed', async () => {
    const { port } = await serve({ requestTimeout: 20 });
    const socket = connect(port, '127.0.0.1');
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
    socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\n');
    expect(await answer).toMatch(/^HTTP\/1.1 408/);
    socket.destroy();
  });
});

describe('a server that everybody may reach', () => {
  const openings = async (options: Partial<HttpOptions>) => {
    const application = fakeApplication({ echo });
    await serve(options, {}, application);
    return application.logger.records.filter(({ event }) => event === 'http.open');
  };

  test('says where in the form of URLs', async () => {
    const [told] = await openings({ host: '::' });
    expect(told?.message).toMatch(/reaches \[::\]:\d+ may/);
  });

  test('says so once, and names both options that would end it', async () => {
    const told = await openings({ host: '0.0.0.0' });
    expect(told).toEqual([
      expect.objectContaining({
        level: 'warning',
        message: expect.stringMatching(/0\.0\.0\.0:\d+ .*allowedHosts.*authenticate/),
      }),
    ]);
  });

  test.each([
    [{ host: '127.0.0.1' }],
    [{ host: '0.0.0.0', allowedHosts: ['tasks.example'] }],
    [{ host: '0.0.0.0', authenticate: () => undefined }],
  ])('has nothing to say for %j', async (options) => {
    expect(await openings(options)).toEqual([]);
  });
});
