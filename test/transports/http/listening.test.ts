import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { connect, createServer as createNet, type AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpListenOptions } from 'toolwright';
import {
  callBy,
  create,
  hold,
  idleConnection,
  KINDS,
  serve,
  socketPath,
} from '../../support/listening-desk.ts';
import { fetchBy, selfSigned } from '../../support/node-fetch.ts';
import { INITIALIZE, JSON_HEADERS } from '../../support/raw-http.ts';

let certificate: Awaited<ReturnType<typeof selfSigned>>;

beforeAll(async () => {
  certificate = await selfSigned();
});

describe('a server with certificates', () => {
  const secure = () => createHttps({ ...certificate });

  test.each(KINDS)('serves a client of %s over TLS', async (kind) => {
    const { url, port } = await serve({ server: secure(), port: 0 });
    expect(url).toBe(`https://127.0.0.1:${String(port)}/mcp`);
    expect(await callBy(kind, url, fetchBy({ ca: certificate.cert }))).toBe('127.0.0.1');
  });

  test('has URLs with https where code of the application sees them', async () => {
    const seen: string[] = [];
    const { url } = await serve({
      server: secure(),
      port: 0,
      routes: { 'GET /where': ({ url: where }) => new Response(where) },
      authenticate: ({ url: where }) => {
        seen.push(where);
        return { token: 't', clientId: 'c', scopes: [] };
      },
    });
    const by = fetchBy({ ca: certificate.cert });
    expect(await (await by(new URL('/where', url))).text()).toBe(new URL('/where', url).href);
    await by(url, { method: 'POST', body: INITIALIZE, headers: JSON_HEADERS });
    expect(seen).toEqual([url]);
  });

  test('is in the metadata of a protected application', async () => {
    const verify = { verify: () => undefined, issuers: ['https://login.example'] };
    const { url } = await serve({ server: secure(), port: 0 }, { auth: { verify } });
    const document = new URL('/.well-known/oauth-protected-resource/mcp', url);
    const answer = await fetchBy({ ca: certificate.cert })(document);
    expect(await answer.json()).toMatchObject({ resource: url });
  });

  test('is closed although a client has not finished its handshake', async () => {
    const server = secure();
    const serving = await serve({ server, port: 0 });
    const socket = connect(serving.port, '127.0.0.1');
    await once(server, 'connection');
    await serving.close();
    expect(server.listening).toBe(false);
    socket.destroy();
  });
});

describe('a server of the user', () => {
  test('that listens already is served on where it is, and closed with the application', async () => {
    const server = createServer();
    await once(server.listen(0, 'localhost'), 'listening');
    const { port } = server.address() as AddressInfo;
    const application = await create();
    const serving = await application.listen({ server, signals: false });
    expect([serving.port, new URL(serving.url).port]).toEqual([port, String(port)]);
    expect(await callBy('SDK v2, 2026', serving.url, fetch)).toMatch(/127\.0\.0\.1|0:0:0:0:0:0:0:1/);
    await application.close();
    expect(server.listening).toBe(false);
    await serving.closed;
  });

  test('has the times of the options, and their defaults', async () => {
    const [first, second] = [createServer({ keepAliveTimeout: 1 }), createServer()];
    await serve({ server: first, port: 0 });
    await serve({ server: second, port: 0, keepAliveTimeout: 7000, requestTimeout: 9000 });
    expect([first.keepAliveTimeout, first.requestTimeout]).toEqual([65_000, 300_000]);
    expect([second.keepAliveTimeout, second.requestTimeout]).toEqual([7000, 9000]);
  });

  test('stays with the user where its place is taken', async () => {
    const { port } = await serve({ port: 0 });
    const server = createServer();
    await expect(serve({ server, port })).rejects.toMatchObject({ code: 'TW_SERVER_LISTEN' });
    expect([server.listening, server.listenerCount('request')]).toEqual([false, 0]);
  });

  test.each([
    ['HTTP/2', () => createSecureServer({ allowHTTP1: true, ...certificate }), 'node:http or node:https'],
    ['sockets', () => createNet(), 'node:http or node:https'],
    ['other requests', () => createServer(() => undefined), 'app.node'],
  ])('of %s is refused, with what to do', async (_of, make, fix) => {
    await expect(serve({ server: make() as Server, port: 0 })).rejects.toMatchObject({
      code: 'TW_SERVER_OPTION',
      fix: expect.stringContaining(fix),
    });
  });
});

describe('options that say where to listen', () => {
  test.each([
    [{ socketPath: '/tmp/x.sock', port: 0 }, 'let port be left out'],
    [{ socketPath: '/tmp/x.sock', host: '::1' }, 'let host be left out'],
    [{ port: 0, socketMode: 0o660 }, 'let socketMode be left out'],
    [{ socketPath: '/tmp/x.sock', socketMode: 0o1777 }, 'from 0 to 511'],
    [{ socketPath: 'x.sock' }, 'a path of a file'],
    [{ socketPath: '/tmp/\0' }, 'a path of a file'],
    [{ socketPath: `/tmp/${'x'.repeat(99)}` }, 'at most 103 bytes'],
    [{}, 'let port be a whole number'],
    [{ server: createServer() }, 'let port be a whole number'],
    [{ port: 0, server: 'https' }, 'node:http or node:https'],
  ] as [HttpListenOptions, string][])(
    'are refused where they exclude each other: %j',
    async (options, fix) => {
      await expect(serve(options)).rejects.toMatchObject({
        code: 'TW_SERVER_OPTION',
        fix: expect.stringContaining(fix),
      });
    },
  );

  test('are left out for a server that listens already', async () => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const refused = serve({ server, port: 3000, host: '::1' });
    await expect(refused).rejects.toMatchObject({
      fix: expect.stringMatching(/let port be left out.*let host be left out/),
    });
    server.close();
  });
});

describe('a drain', () => {
  const places = {
    'a server with certificates': () => ({
      options: { server: createHttps({ ...certificate }), port: 0 },
      connection: { ca: certificate.cert },
    }),
    'a Unix socket': () => {
      const place = { socketPath: socketPath() };
      return { options: place, connection: place };
    },
  };

  test.each(Object.entries(places))('of %s lets clients go, and answers what runs', async (_name, place) => {
    const { options, connection } = place();
    const application = await create({ drainDelay: 0 });
    const serving = await application.listen({ ...options, signals: false, sessions: false });
    const url = serving.port === 0 ? 'http://localhost/mcp' : serving.url;
    const where = { ...connection, port: serving.port };
    const [first, second] = [await idleConnection(where), await idleConnection(where)];
    const call = callBy('SDK v2, 2026', url, fetchBy(connection), { action: 'wait' });
    await hold.started.promise;

    serving.beginLeaving?.();
    expect((await first.ping()).headers.connection).toBe('close');
    await first.closed;
    const closed = application.close();
    hold.gate.open();
    expect(await call).toBe('done');
    await Promise.all([closed, second.closed, serving.closed]);
    expect(application.isDrained).toBe(true);
  });
});
