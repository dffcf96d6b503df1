import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { text as allOf } from 'node:stream/consumers';
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

/** Sends a head as it is, and gives the status of the answer. */
async function statusOf(head: readonly string[]): Promise<number> {
  const { port, hostname } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.end(`${head.join('\r\n')}\r\n\r\n`);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(await allOf(socket))?.[1]);
}

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

  test.each([
    ['a trailing dot', ['localhost.']],
    ['a name without its port', ['localhost'], ''],
    ['a port in another spelling', ['localhost'], ':0PORT'],
    ['a user before it', ['evil@localhost']],
    ['a long form', ['[0:0:0:0:0:0:0:1]']],
    ['a mapped form', ['[::ffff:127.0.0.1]']],
    ['a short form', ['127.1']],
    ['a number', ['2130706433']],
    ['a second one after it', ['127.0.0.1', 'evil.example']],
    ['a second one before it', ['evil.example', '127.0.0.1']],
    ['a list', ['127.0.0.1:PORT, evil.example']],
    ['nothing', [''], ''],
  ])('a host with %s is refused', async (_, names, port = ':PORT') => {
    const own = new URL(origin).port;
    const hosts = names.map((name) => `Host: ${`${name}${port}`.replaceAll('PORT', own)}`);
    const head = ['GET /explorer/api/lock HTTP/1.1', ...hosts, `${TOKEN}: ${token}`, 'Connection: close'];
    expect(await statusOf(head)).toBe(403);
  });

  test.each(['http://evil.example', 'http://127.0.0.1:PORT', ''])(
    'a target that begins with %j leads to nothing of the explorer',
    async (before) => {
      const { host, port } = new URL(origin);
      const target = `${before.replace('PORT', port)}${before === '' ? '//explorer' : '/explorer/api/lock'}`;
      const head = [`GET ${target} HTTP/1.1`, `Host: ${host}`, `${TOKEN}: ${token}`, 'Connection: close'];
      expect([403, 404]).toContain(await statusOf(head));
    },
  );

  test('the token is taken from its header alone, and once', async () => {
    const { host } = new URL(origin);
    for (const given of [
      [`${TOKEN}: ${token}`, `${TOKEN}: ${token}`],
      [`Authorization: Bearer ${token}`],
      [`Cookie: ${TOKEN}=${token}`],
      [`${TOKEN}: ${token.slice(1)}`],
      [`${TOKEN}: ${token.repeat(300)}`],
    ]) {
      const head = ['GET /explorer/api/lock HTTP/1.1', `Host: ${host}`, ...given, 'Connection: close'];
      expect(await statusOf(head)).toBe(401);
    }
    expect((await ask(`${origin}/explorer/api/lock?${TOKEN}=${token}`)).status).toBe(401);
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
