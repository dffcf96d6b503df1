import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createPublicFetch } from '../../src/openapi/public-fetch.ts';
import { factsOf, textOf } from '../support/text-of.ts';
import { callAction, document, openApi, RecordedApi, type Answer } from './recorded-api.ts';
import type { OpenApiOptions } from 'toolwright/openapi';

let api: RecordedApi;
const opened: { close(): unknown }[] = [];
beforeAll(async () => {
  api = await RecordedApi.start();
});
afterAll(() => api.close());
afterEach(async () => {
  api.received.length = 0;
  api.answers = [{}];
  for (const each of opened.splice(0).reverse()) await each.close();
});

const PATHS = {
  '/x': {
    get: {
      operationId: 'read',
      tags: ['x'],
      parameters: [{ in: 'query', name: 'q', schema: { type: 'string' } }],
    },
    post: { operationId: 'write', tags: ['x'] },
    put: { operationId: 'put', tags: ['x'] },
  },
};

async function open(options: Partial<OpenApiOptions> = {}) {
  const made = await openApi({ baseUrl: `${api.url}/v1`, document: document(PATHS), ...options });
  opened.push(made.app);
  return made.app;
}

const json = { 'content-type': 'application/json' };

test.each<readonly [string, Answer, string, string]>([
  [
    '404 JSON',
    { status: 404, headers: json, body: '{"message":"no such order"}' },
    'NOT_FOUND',
    'no such order',
  ],
  [
    'problem+json',
    {
      status: 409,
      headers: { 'content-type': 'application/problem+json' },
      body: '{"title":"t","detail":"already closed"}',
    },
    'CONFLICT',
    'already closed',
  ],
  [
    'an HTML 500',
    { status: 500, headers: { 'content-type': 'text/html' }, body: '<h1>secret</h1>' },
    'UPSTREAM_FAILED',
    '500',
  ],
  [
    'a redirect to another origin',
    { status: 302, headers: { location: 'https://evil.example/' } },
    'UPSTREAM_ANSWER',
    '302',
  ],
  [
    'a redirect to a machine nearby',
    { status: 302, headers: { location: 'http://169.254.169.254/' } },
    'UPSTREAM_ANSWER',
    '302',
  ],
  ['a redirect beside the base', { status: 302, headers: { location: '/v2/x' } }, 'UPSTREAM_ANSWER', '302'],
])('73, 74: %s', async (_what, answer, code, message) => {
  const app = await open();
  api.answers = [answer];
  const result = await callAction(app, 'x.read');
  expect(factsOf(result)).toMatchObject({ code });
  expect(textOf(result)).toContain(message);
  expect(textOf(result)).not.toMatch(/secret|evil|169/);
  expect(api.received).toHaveLength(1);
});

test('77: the link of an API below a base path is the next page of the action', async () => {
  const app = await open();
  api.answers = [{ headers: { ...json, link: `<${api.url}/v1/x?q=b>; rel="next"` }, body: '[]' }];
  const { content } = await callAction(app, 'x.read', { q: 'a' });
  expect(content.at(-1)).toEqual({ type: 'text', text: 'Next page: q=b' });
});

test('74: a read follows a redirect below the base, three times', async () => {
  const app = await open();
  const there = { status: 302, headers: { location: '/v1/x?page=2' } };
  api.answers = [there, { headers: json, body: '{"a":1}' }];
  expect(textOf(await callAction(app, 'x.read'))).toContain('"a": 1');
  expect(api.last?.target).toBe('/v1/x?page=2');
  api.answers = [there];
  api.received.length = 0;
  expect((await callAction(app, 'x.read')).isError).toBe(true);
  expect(api.received).toHaveLength(4);
  api.received.length = 0;
  expect((await callAction(app, 'x.write')).isError).toBe(true);
  expect(api.received).toHaveLength(1);
});

describe('what may be repeated is', () => {
  const busy: Answer = { status: 503, headers: { 'retry-after': '0' } };

  test.each([
    ['a read', 'x.read', 3],
    ['a replacement', 'x.put', 3],
    ['a creation is not', 'x.write', 1],
  ])('78: %s', async (_what, action, times) => {
    const app = await open({ retries: 2 });
    api.answers = [busy, busy, { headers: json, body: '"done"' }];
    const result = await callAction(app, action);
    expect(api.received).toHaveLength(times);
    expect(result.isError).toBe(times === 1 ? true : undefined);
  });

  test('78: a creation with a key is, with the same key', async () => {
    const app = await open({ retries: 2, idempotency: 'X-Once' });
    api.answers = [busy, { headers: json, body: '"done"' }];
    await callAction(app, 'x.write');
    const keys = api.received.map(({ headers }) => headers['x-once']);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  test('79: unless the API asks for a longer time', async () => {
    const app = await open({ retries: 2 });
    api.answers = [{ status: 429, headers: { 'retry-after': '60' } }];
    const result = await callAction(app, 'x.read');
    expect(factsOf(result)).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 60 });
    expect(api.received).toHaveLength(1);
  });
});

test('80: a write whose connection ends has an unknown outcome, a read has none', async () => {
  const app = await open();
  api.answers = ['cut'];
  expect(factsOf(await callAction(app, 'x.write'))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  expect(factsOf(await callAction(app, 'x.read'))).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
});

test('an API that is not there is not reached, and is not asked without end', async () => {
  const gone = await RecordedApi.start();
  const { url: baseUrl } = gone;
  await gone.close();
  const app = await open({ baseUrl });
  for (let count = 0; count < 5; count += 1)
    expect(factsOf(await callAction(app, 'x.write'))).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  expect(factsOf(await callAction(app, 'x.write'))).toHaveProperty('retryAfter');
});

describe('81: a long answer', () => {
  test('ends at the limit, also when it was packed', async () => {
    const app = await open({ maxAnswerBytes: 10_000 });
    const body = gzipSync('x'.repeat(5_000_000));
    api.answers = [{ headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' }, body }];
    const result = await callAction(app, 'x.read');
    expect(factsOf(result)).toMatchObject({ code: 'UPSTREAM_ANSWER' });
    expect(textOf(result)).toContain('10000 bytes');
  });

  test('ends when nothing comes any more', async () => {
    const silent = createServer((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\nx'),
    );
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    opened.push(silent);
    const baseUrl = `http://127.0.0.1:${String((silent.address() as AddressInfo).port)}`;
    const app = await open({ baseUrl, timeout: 50 });
    expect(factsOf(await callAction(app, 'x.read'))).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  });
});

test('at most ten calls are sent at once', async () => {
  let running = 0;
  let most = 0;
  const app = await open({
    fetch: async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return Response.json({});
    },
  });
  await Promise.all(Array.from({ length: 50 }, () => callAction(app, 'x.read')));
  expect([most, running]).toEqual([10, 0]);
});

describe('a call that is cancelled', () => {
  test.each(['x.read', 'x.write'])('ends, and gives its place to others (%s)', async (action) => {
    const seen: AbortSignal[] = [];
    const app = await open({
      fetch: (request) => {
        seen.push(request.signal);
        return seen.length > 10 ? Response.json({}) : new Promise<Response>(() => undefined);
      },
    });
    const controllers = Array.from({ length: 12 }, () => new AbortController());
    const [tool = '', name = ''] = action.split('.');
    const calls = controllers.map(({ signal }) =>
      app.call(tool, { action: name }, { signal }).catch((error: unknown) => error),
    );
    while (seen.length < 10) await new Promise((resolve) => setImmediate(resolve));
    for (const controller of controllers) controller.abort();
    await Promise.all(calls);
    expect(seen).toHaveLength(10);
    expect(seen.every(({ aborted }) => aborted)).toBe(true);
    const later = await Promise.all(Array.from({ length: 20 }, () => callAction(app, 'x.read')));
    expect(later.filter(({ isError }) => isError === true)).toEqual([]);
  });
});

describe('a request that cannot be sent', () => {
  test('says nothing about the API, and nothing of its secrets', async () => {
    const credentials = { token: { type: 'bearer', value: 's3cret\u20ac' } } as const;
    const { app, logger } = await openApi({
      baseUrl: `${api.url}/v1`,
      document: document(PATHS),
      credentials,
    });
    opened.push(app);
    const texts: string[] = [];
    for (let count = 0; count < 6; count += 1) texts.push(textOf(await callAction(app, 'x.read')));
    // Six would open the breaker
    expect(texts.at(-1)).toBe(texts[0]);
    expect(texts[0]).not.toMatch(/UPSTREAM_|s3cret/);
    expect(JSON.stringify(logger.records)).not.toContain('s3cret');
  });

  test('is not made: a read has no body, and the name of a header is one', async () => {
    const body = { content: { 'application/json': { schema: { type: 'object', properties: { a: {} } } } } };
    const bad = { in: 'cookie', name: 'a; session', required: true, schema: { type: 'string' } };
    const app = await open({
      document: document({
        '/y': { get: { operationId: 'read', tags: ['y'], requestBody: body } },
        '/z': {
          get: { operationId: 'read', tags: ['z'], parameters: [bad] },
        },
      }),
    });
    expect((await callAction(app, 'y.read')).isError).not.toBe(true);
    expect(api.last).toMatchObject({ target: '/v1/y', body: '' });
    expect(app.definitions.map(({ name }) => name)).toEqual(['y']);
  });
});

test('an answer as deep as a stack is an error of that call', async () => {
  const app = await open();
  api.answers = [{ body: `${'['.repeat(200_000)}${']'.repeat(200_000)}` }, {}];
  const deep = await callAction(app, 'x.read');
  expect([deep.isError, textOf(deep).length < 1000]).toEqual([true, true]);
  expect((await callAction(app, 'x.read')).isError).not.toBe(true);
});

describe('82: of public addresses alone', () => {
  test.each(['127.0.0.1', '[::1]', 'localhost'])('%s is not reached', async (host) => {
    const app = await open({ baseUrl: `${api.url.replace('127.0.0.1', host)}/v1`, network: 'public' });
    expect(factsOf(await callAction(app, 'x.write'))).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(api.received).toEqual([]);
  });

  test('the address that was looked up is the one that is connected to', async () => {
    const looked: string[] = [];
    const fetch = createPublicFetch((hostname, options, done) => {
      looked.push(hostname);
      if (options.all === true) done(null, [{ address: '127.0.0.1', family: 4 }]);
      else done(null, '127.0.0.1', 4);
    });
    const base = api.url.replace('127.0.0.1', 'api.example');
    const app = await open({ baseUrl: base, insecure: true, fetch });
    api.answers = [{ headers: { ...json, 'content-encoding': 'gzip' }, body: gzipSync('{"a":1}') }];
    expect(JSON.parse(textOf(await callAction(app, 'x.write')))).toEqual({ a: 1 });
    expect(looked).toEqual(['api.example']);
    api.answers = ['cut'];
    expect(factsOf(await callAction(app, 'x.write'))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    api.answers = [{ status: 999 }, { status: 101, headers: { upgrade: 'x', connection: 'upgrade' } }];
    const read = () => callAction(app, 'x.read');
    const facts = [factsOf(await read()), factsOf(await read())];
    expect(facts).toMatchObject([{ code: 'UPSTREAM_UNAVAILABLE' }, { code: 'UPSTREAM_UNAVAILABLE' }]);
  });

  test('is not said beside a fetch of the user', async () => {
    const given = { network: 'public', fetch: globalThis.fetch } as const;
    await expect(open(given)).rejects.toThrow(/TW_APPLICATION_OPTION[^]*network/);
  });
});
