import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { McpApplication } from 'toolwright';
import { ask, place, TasksModule, TOKEN } from '../support/explored-app.ts';

let application: McpApplication;
let origin: string;
let token: string;

beforeAll(async () => {
  application = await McpApplication.create(TasksModule, { name: 'task-board', version: '1.4.0' });
  [origin, token] = place(await application.listen({ port: 0, explorer: true, signals: false }));
});

afterAll(() => application.close());

const API = ['application', 'check', 'model', 'lock', 'events', 'nothing'].map(
  (name) => `/explorer/api/${name}`,
);

async function expectServed(path: string, headers: Record<string, string>): Promise<void> {
  expect((await ask(`${origin}${path}`, { headers: { [TOKEN]: token, ...headers } })).status).toBe(200);
}

describe('who is let in', () => {
  test('the page has no secret and needs none; its token is behind the # of its address', async () => {
    expect(token).toMatch(/^[\w-]{43}$/);
    const { status, text } = await ask(`${origin}/explorer`);
    expect([200, 503]).toContain(status);
    expect(text).not.toContain(token);
  });

  test.each([...API, '/explorer/mcp'])(
    '%s is refused without the token, and with a wrong one',
    async (path) => {
      for (const headers of [{}, { [TOKEN]: '' }, { [TOKEN]: `${token}a` }, { [TOKEN]: 'a'.repeat(43) }]) {
        for (const method of ['GET', 'POST', 'DELETE']) {
          expect((await ask(`${origin}${path}`, { method, headers })).status).toBe(401);
        }
      }
      expect((await ask(`${origin}${path}?token=${token}`)).status).toBe(401);
    },
  );

  test.each(['evil.example', '127.0.0.1', 'localhost:1', '127.0.0.1.evil.example'])(
    'the host %s is refused before anything else, also with the right token',
    async (host) => {
      for (const path of ['/explorer', '/explorer/mcp', ...API]) {
        const { status } = await ask(`${origin}${path}`, { headers: { [TOKEN]: token, host } });
        expect(status).toBe(403);
      }
    },
  );

  test('the names of this machine are served, with its port', async () => {
    const { port } = new URL(origin);
    for (const name of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST']) {
      await expectServed('/explorer/api/lock', {
        host: `${name}:${port}`,
        origin: `http://${name.toLowerCase()}:${port}`,
      });
    }
  });

  test.each(['https://evil.example', 'null', 'http://localhost:1', 'http://localhost', 'https://localhost'])(
    'pages of the origin %s are refused',
    async (from) => {
      for (const path of ['/explorer', '/explorer/mcp', ...API]) {
        const { status } = await ask(`${origin}${path}`, { headers: { [TOKEN]: token, origin: from } });
        expect(status).toBe(403);
      }
    },
  );

  test.each(['https://', 'http://evil.', 'http://user@', ''])(
    'an origin of %s and a host that is served is another origin',
    async (before) => {
      const headers = { [TOKEN]: token, origin: `${before}${new URL(origin).host}` };
      expect((await ask(`${origin}/explorer/api/lock`, { headers })).status).toBe(403);
    },
  );

  test('a body of JSON is taken in whatever case its type is written, and with a charset', async () => {
    const headers = { [TOKEN]: token, 'content-type': 'Application/JSON ; charset=utf-8' };
    const body = JSON.stringify({ tool: 'tasks', arguments: { action: 'list' } });
    expect((await ask(`${origin}/explorer/api/check`, { method: 'POST', headers, body })).status).toBe(200);
  });

  test('bodies are JSON: what a form can send is refused', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=a',
    ]) {
      for (const path of ['/explorer/mcp', '/explorer/api/check']) {
        const headers = { [TOKEN]: token, 'content-type': type };
        expect((await ask(`${origin}${path}`, { method: 'POST', headers, body: '{}' })).status).toBe(415);
      }
    }
  });

  test('every response has the headers of the policy', async () => {
    for (const path of ['/explorer', '/explorer/mcp', ...API]) {
      const { headers } = await ask(`${origin}${path}`);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('GET changes nothing: what calls or checks is not read with it', async () => {
    const headers = { [TOKEN]: token };
    expect((await ask(`${origin}/explorer/api/check`, { headers })).status).toBe(405);
    expect((await ask(`${origin}/explorer/api/model`, { method: 'DELETE', headers })).status).toBe(405);
    expect((await ask(`${origin}/explorer`, { method: 'POST', headers })).status).toBe(405);
  });
});

describe('where it is served', () => {
  test.each(['0.0.0.0', '::', '0', '::ffff:0.0.0.0', '0x0', '000.000.000.000'])(
    'the wildcard address %s is refused, and leaves no server behind',
    async (host) => {
      await expect(
        application.listen({ port: 0, host, explorer: true, signals: false }),
      ).rejects.toMatchObject({
        code: 'TW_EXPLORER_HOST',
      });
    },
  );

  test('with `exposed` it is served on all interfaces, by the names of this machine only', async () => {
    const exposed = await application.listen({
      port: 0,
      host: '0.0.0.0',
      explorer: { exposed: true },
      signals: false,
    });
    const [at, own] = place(exposed);
    expect(own).not.toBe(token);
    const path = `${at}/explorer/api/lock`;
    expect((await ask(path, { headers: { [TOKEN]: own } })).status).toBe(200);
    expect(
      (await ask(path, { headers: { [TOKEN]: own, host: `10.0.0.1:${String(exposed.port)}` } })).status,
    ).toBe(403);
    await exposed.close();
  });

  test('not in production, unless it is said to be unsafe', async () => {
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      await expect(application.listen({ port: 0, explorer: true })).rejects.toMatchObject({
        code: 'TW_EXPLORER_PRODUCTION',
      });
      const unsafe = await application.listen({ port: 0, explorer: 'unsafe-in-production', signals: false });
      expect(unsafe.explorer).toContain('/explorer#token=');
      await unsafe.close();
    } finally {
      process.env['NODE_ENV'] = before;
    }
  });

  test('an endpoint at its path, and an option that is none, are refused', async () => {
    await expect(application.listen({ port: 0, path: '/explorer/x', explorer: true })).rejects.toMatchObject({
      code: 'TW_SERVER_OPTION',
    });
    await expect(application.listen({ port: 0, explorer: 'yes' as never })).rejects.toMatchObject({
      code: 'TW_SERVER_OPTION',
    });
  });

  test('without the option there is nothing', async () => {
    const plain = await application.listen({ port: 0, signals: false });
    expect(plain.explorer).toBeUndefined();
    expect((await ask(new URL('/explorer', plain.url).href)).status).toBe(404);
    await plain.close();
  });
});
