import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { OpenApiOptions } from 'toolwright/openapi';
import { textOf } from '../support/text-of.ts';
import { tries } from '../support/thorough.ts';
import { callAction, document, openApi, RecordedApi } from './recorded-api.ts';

let api: RecordedApi;
const opened: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  api = await RecordedApi.start();
});
afterAll(() => api.close());
afterEach(async () => {
  api.received.length = 0;
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function open(paths: Readonly<Record<string, object>>, options: Partial<OpenApiOptions> = {}) {
  const made = await openApi({ baseUrl: `${api.url}/v1`, document: document(paths), ...options });
  opened.push(made.app);
  return made.app;
}

const text = { type: 'string' };
const list = { type: 'array', items: text };
const object = { type: 'object', properties: { R: { type: 'integer' }, G: { type: 'integer' } } };
const COLOURS = { text: 'blue', list: ['blue', 'black'], object: { R: 100, G: 200 } };
const SCHEMAS = { text, list, object };

type Kind = keyof typeof COLOURS;

// OpenAPI 3.1, 4.8.12.2.1, Style Examples
const STYLES: readonly (readonly [
  place: string,
  style: string,
  explode: boolean,
  kind: Kind,
  sent: string,
])[] = [
  ['path', 'matrix', false, 'text', ';color=blue'],
  ['path', 'matrix', false, 'list', ';color=blue,black'],
  ['path', 'matrix', false, 'object', ';color=R,100,G,200'],
  ['path', 'matrix', true, 'text', ';color=blue'],
  ['path', 'matrix', true, 'list', ';color=blue;color=black'],
  ['path', 'matrix', true, 'object', ';R=100;G=200'],
  ['path', 'label', false, 'text', '.blue'],
  ['path', 'label', false, 'list', '.blue,black'],
  ['path', 'label', false, 'object', '.R,100,G,200'],
  ['path', 'label', true, 'text', '.blue'],
  ['path', 'label', true, 'list', '.blue.black'],
  ['path', 'label', true, 'object', '.R=100.G=200'],
  ['path', 'simple', false, 'text', 'blue'],
  ['path', 'simple', false, 'list', 'blue,black'],
  ['path', 'simple', false, 'object', 'R,100,G,200'],
  ['path', 'simple', true, 'list', 'blue,black'],
  ['path', 'simple', true, 'object', 'R=100,G=200'],
  ['query', 'form', false, 'text', 'color=blue'],
  ['query', 'form', false, 'list', 'color=blue,black'],
  ['query', 'form', false, 'object', 'color=R,100,G,200'],
  ['query', 'form', true, 'text', 'color=blue'],
  ['query', 'form', true, 'list', 'color=blue&color=black'],
  ['query', 'form', true, 'object', 'R=100&G=200'],
  ['query', 'spaceDelimited', false, 'list', 'color=blue%20black'],
  ['query', 'spaceDelimited', false, 'object', 'color=R%20100%20G%20200'],
  ['query', 'pipeDelimited', false, 'list', 'color=blue%7Cblack'],
  ['query', 'pipeDelimited', false, 'object', 'color=R%7C100%7CG%7C200'],
  ['query', 'deepObject', true, 'object', 'color[R]=100&color[G]=200'],
  ['header', 'simple', false, 'text', 'blue'],
  ['header', 'simple', false, 'list', 'blue,black'],
  ['header', 'simple', false, 'object', 'R,100,G,200'],
  ['header', 'simple', true, 'object', 'R=100,G=200'],
  ['cookie', 'form', false, 'text', 'color=blue'],
  ['cookie', 'form', false, 'list', 'color=blue%2Cblack'],
];

test('66: each style is written as the specification says', async () => {
  const paths = STYLES.map(([place, style, explode, kind], index) => {
    const path = `/s${String(index)}${place === 'path' ? '/{color}' : ''}`;
    const parameter = { in: place, name: 'color', required: true, style, explode, schema: SCHEMAS[kind] };
    return [
      path,
      { get: { operationId: `s${String(index)}`, tags: ['styles'], parameters: [parameter] } },
    ] as const;
  });
  const app = await open(Object.fromEntries(paths));
  for (const [index, [place, , , kind, sent]] of STYLES.entries()) {
    const result = await callAction(app, `styles.s${String(index)}`, { color: COLOURS[kind] });
    expect(result.isError).toBeUndefined();
    const { target = '', headers = {} } = api.last ?? {};
    const rest = target.slice(`/v1/s${String(index)}`.length + 1);
    const found = place === 'header' ? headers['color'] : place === 'cookie' ? headers['cookie'] : rest;
    expect([index, found]).toEqual([index, sent]);
  }
});

const one = (parameters: readonly object[]) => ({ get: { operationId: 'go', tags: ['x'], parameters } });
const query = (name: string, schema: object, further: object = {}) => ({
  in: 'query',
  name,
  schema,
  ...further,
});

test('67: absent is not sent, an empty text is, null is not', async () => {
  const app = await open({ '/x': one([query('a', text), query('b', { type: ['string', 'null'] })]) });
  await callAction(app, 'x.go', { a: '' });
  expect(api.last?.target).toBe('/v1/x?a=');
  await callAction(app, 'x.go', { b: null });
  expect(api.last?.target).toBe('/v1/x');
});

test('a parameter with a media type is JSON, and reserved characters stay where they may', async () => {
  const filter = { in: 'query', name: 'filter', content: { 'application/json': { schema: object } } };
  const app = await open({ '/x': one([filter, query('path', text, { allowReserved: true })]) });
  await callAction(app, 'x.go', { filter: { R: 1 }, path: 'a/b?c&d=e#f+g' });
  expect(api.last?.target).toBe('/v1/x?filter=%7B%22R%22%3A1%7D&path=a/b?c%26d%3De%23f%2Bg');
});

const inPath = (further: object = {}) => ({
  '/x/{id}/y': {
    get: {
      operationId: 'go',
      tags: ['x'],
      parameters: [{ in: 'path', name: 'id', required: true, schema: text, ...further }],
    },
  },
});

test.each([
  '../admin',
  '..',
  '.',
  '',
  '%2e%2e',
  '%252e%252e',
  'a\\b',
  'a\nb',
  'a\u0000',
  '..%2fadmin',
  '..;',
  '..;a/b',
  '.%3b',
])('64: the value %j of a path is refused', async (id) => {
  const app = await open(inPath());
  const result = await callAction(app, 'x.go', { id });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('id');
  expect(api.received).toEqual([]);
});

test.each([
  ['a/b', 'a%2Fb'],
  ['a?x', 'a%3Fx'],
  ['a#f', 'a%23f'],
  ['ä ö', '%C3%A4%20%C3%B6'],
  ['...', '...'],
  ['50%', '50%25'],
])('64: the value %j of a path is sent as %j', async (id, sent) => {
  const app = await open(inPath());
  await callAction(app, 'x.go', { id });
  expect(api.last?.target).toBe(`/v1/x/${sent}/y`);
});

test('65: where a path says so, a value has several segments', async () => {
  const app = await open(inPath({ 'x-multi-segment': true }));
  await callAction(app, 'x.go', { id: 'a/b c' });
  expect(api.last?.target).toBe('/v1/x/a/b%20c/y');
  for (const id of ['a/../b', 'a//b', '/a', 'a/', '..', 'a/%2e%2e/b'])
    expect((await callAction(app, 'x.go', { id })).isError).toBe(true);
  expect(api.received).toHaveLength(1);
});

test('a value does not lead to an operation that is not offered', async () => {
  const app = await open(
    { ...inPath(), '/x/all/y': { get: { operationId: 'all', tags: ['x'] } } },
    { exclude: ['x.all'] },
  );
  expect(textOf(await callAction(app, 'x.go', { id: 'all' }))).toContain('another route');
  expect(api.received).toEqual([]);
});

test('an exploded object sets no other parameter, also one that is hidden', async () => {
  const parameters = [
    { in: 'query', name: 'filter', schema: { type: 'object', additionalProperties: text } },
    { in: 'query', name: 'tenant', schema: text },
  ];
  const app = await open(
    { '/x': one(parameters) },
    { actions: { 'x.go': { hide: ['tenant'], defaults: { tenant: 'own' } } } },
  );
  for (const name of ['tenant', 'TENANT'])
    expect(textOf(await callAction(app, 'x.go', { filter: { [name]: 'other' } }))).toContain(
      `filter.${name}`,
    );
  await callAction(app, 'x.go', { filter: { state: 'open' } });
  expect(api.received.map(({ target }) => target)).toEqual(['/v1/x?tenant=own&state=open']);
});

test('68: headers carry no line ends, and those of the carrier are not offered', async () => {
  const names = [
    'Host',
    'Authorization',
    'Cookie',
    'Mcp-Session-Id',
    'X-Forwarded-For',
    'Accept',
    'X-Own',
    'X-Chosen',
    'X-Optional',
  ];
  const parameters = names.map((name) => ({
    in: 'header',
    name,
    required: !/Chosen|Optional/.test(name),
    schema: text,
  }));
  const app = await open({ '/x': one(parameters) }, { actions: { 'x.go': { headers: ['x-chosen'] } } });
  const listed = JSON.stringify(app.definitions);
  for (const name of names)
    expect([name, listed.includes(`"${name.toLowerCase()}"`)]).toEqual([name, /Own|Chosen/.test(name)]);
  expect((await callAction(app, 'x.go', { 'x-own': 'a\r\nX-Evil: 1' })).isError).toBe(true);
  await callAction(app, 'x.go', { 'x-own': 'a', 'x-chosen': 'b' });
  expect(api.last?.headers).toMatchObject({ 'x-own': 'a', 'x-chosen': 'b' });
});

describe('69: a body', () => {
  const body = (type: string, schema: object, required = true) => ({
    '/x': {
      post: { operationId: 'go', tags: ['x'], requestBody: { required, content: { [type]: { schema } } } },
    },
  });
  const fields = { type: 'object', properties: { a: text, b: list, c: object }, required: ['a'] };

  test.each([
    ['application/json', fields, { a: 'x', b: ['1'] }, '{"a":"x","b":["1"]}'],
    ['application/vnd.x+json', fields, { a: 'x' }, '{"a":"x"}'],
    [
      'application/x-www-form-urlencoded',
      fields,
      { a: 'x y&', b: ['1', '2'], c: { R: 1 } },
      'a=x+y%26&b=1&b=2&c=%7B%22R%22%3A1%7D',
    ],
    ['text/plain', text, { body: 'hello' }, 'hello'],
    ['application/json', list, { body: ['1'] }, '["1"]'],
    ['application/json', { anyOf: [text, object] }, { body: { R: 1 } }, '{"R":1}'],
    [
      'application/json',
      { allOf: [fields, { type: 'object', properties: { d: text }, required: ['d'] }] },
      { a: 'x', d: 'y' },
      '{"a":"x","d":"y"}',
    ],
  ] as const)('of %s is sent as declared', async (type, schema, given, sent) => {
    const app = await open(body(type, schema));
    const result = await callAction(app, 'x.go', given);
    expect(result.isError).toBeUndefined();
    expect(api.last?.body).toBe(sent);
    expect(api.last?.headers['content-type']).toBe(type);
  });

  test('takes no fields that the document does not name, unless it takes any', async () => {
    const closed = await open(body('application/json', fields));
    expect((await callAction(closed, 'x.go', { a: 'x', more: 1 })).isError).toBe(true);
    const free = await open(body('application/json', { ...fields, additionalProperties: true }));
    await callAction(free, 'x.go', { a: 'x', more: 1 });
    expect(api.last?.body).toBe('{"a":"x","more":1}');
  });

  test('that is optional is left out', async () => {
    const app = await open(body('application/json', list, false));
    await callAction(app, 'x.go');
    expect(api.last).toMatchObject({ body: '' });
  });

  const bytes = Buffer.from([0, 255, 13, 10, 45, 45, 128]);
  const file = bytes.toString('base64');
  const binary = { type: 'string', format: 'binary', maxLength: 4 };

  test('of several parts has files as base64, where the operation is named', async () => {
    const schema = {
      type: 'object',
      required: ['icon'],
      properties: {
        icon: { ...binary, description: 'The icon' },
        scans: { type: 'array', items: { $ref: '#/components/schemas/Scan' } },
        note: text,
        tags: list,
        place: object,
        'a"b': text,
      },
    };
    const encoding = { icon: { contentType: 'image/png, image/jpeg' }, scans: { contentType: 'image/tiff' } };
    const requestBody = { required: true, content: { 'multipart/form-data': { schema, encoding } } };
    const paths = { '/x': { post: { operationId: 'go', tags: ['x'], requestBody } } };
    const Scan = { type: 'string', contentMediaType: 'image/tiff' };
    const app = await open(paths, {
      document: document(paths, { components: { schemas: { Scan } } }),
      include: ['x.go'],
    });
    const published = app.definitions[0]?.inputSchema.properties;
    expect(published?.['icon']).toEqual({
      type: 'string',
      contentEncoding: 'base64',
      description: 'The icon (a file, as base64)',
    });
    expect(published?.['scans']).toMatchObject({ items: { contentEncoding: 'base64' } });
    const place = { R: 1, G: 2 };
    const rest = { scans: [file, ''], note: 'ä\r\nb', tags: ['1', '2'], place, 'a"b': 'q' };
    const result = await callAction(app, 'x.go', { icon: file, ...rest });
    expect(result.isError).toBeUndefined();
    const type = String(api.last?.headers['content-type']);
    expect(type).toMatch(/^multipart\/form-data; boundary=toolwright-[\da-f-]{36}$/);
    const sent = api.last?.bytes ?? '';
    // oxlint-disable-next-line typescript/no-deprecated -- a parser that is not ours says what has arrived
    const form = await new Response(sent, { headers: { 'content-type': type } }).formData();
    const icon = form.get('icon') as File;
    expect([icon.name, icon.type]).toEqual(['icon', 'application/octet-stream']);
    expect(Buffer.from(await icon.arrayBuffer()).equals(bytes)).toBe(true);
    const scans = form.getAll('scans') as File[];
    expect(scans.map((scan) => [scan.type, scan.size])).toEqual([
      ['image/tiff', bytes.length],
      ['image/tiff', 0],
    ]);
    expect([form.get('note'), form.getAll('tags'), form.get('a"b')]).toEqual(['ä\r\nb', ['1', '2'], 'q']);
    expect(JSON.parse(form.get('place') as string)).toEqual(place);
  });

  test('of bytes is one file', async () => {
    const app = await open(body('application/octet-stream', binary), { include: ['x.go'] });
    expect((await callAction(app, 'x.go', { body: file })).isError).toBeUndefined();
    expect(api.last?.bytes.equals(bytes)).toBe(true);
    expect(api.last?.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(bytes.length),
    });
  });

  test.each(['a', 'not base64!', 'AP8=\n', 'data:image/png;base64,AP8='])(
    'of bytes refuses %j, which has another form than base64',
    async (given) => {
      const app = await open(body('application/octet-stream', binary), { include: ['x.go'] });
      expect(textOf(await callAction(app, 'x.go', { body: given }))).toMatch(/body: a file has to be base64/);
      expect(api.received).toEqual([]);
    },
  );

  test('of parts that are not listed costs the operation', async () => {
    const paths = {
      ...body('multipart/form-data', { anyOf: [fields, object] }),
      '/y': { get: { tags: ['x'], operationId: 'other' } },
    };
    const app = await open(paths, { include: ['x.go', 'x.other'] });
    expect(JSON.stringify(app.definitions)).not.toContain('"go"');
  });

  test('of files is not sent unless the operation is named', async () => {
    const paths = {
      ...body('multipart/form-data', fields),
      '/y': { get: { tags: ['x'], operationId: 'other' } },
    };
    const app = await open(paths);
    expect(JSON.stringify(app.definitions)).not.toContain('"go"');
  });

  test('70: has no fields that only answers have', async () => {
    const deep = {
      type: 'object',
      properties: { id: { ...text, readOnly: true }, name: text },
      required: ['id', 'name'],
    };
    const app = await open(
      body('application/json', { type: 'object', properties: { deep, at: { ...text, readOnly: true } } }),
    );
    const listed = JSON.stringify(app.definitions);
    expect(listed).not.toContain('"id"');
    expect(listed).not.toContain('"at"');
    expect((await callAction(app, 'x.go', { deep: { name: 'a' } })).isError).toBeUndefined();
  });
});

test('72: a required cookie and a credential are one header', async () => {
  const app = await open(
    {
      '/x': one([
        { in: 'cookie', name: 'lang', required: true, schema: text },
        { in: 'cookie', name: 'theme', schema: text },
      ]),
    },
    { credentials: { session: { type: 'apiKey', in: 'cookie', name: 'sid', value: 's3cret' } } },
  );
  await callAction(app, 'x.go', { lang: 'de' });
  expect(api.last?.headers['cookie']).toBe('lang=de; sid=s3cret');
  expect(JSON.stringify(app.definitions)).not.toContain('theme');
});

test('71: whatever the values, a request stays below the base, and values arrive', async () => {
  const value = fc.string({ unit: 'grapheme-composite', maxLength: 12 });
  const app = await open({
    '/x/{id}': {
      post: {
        operationId: 'go',
        tags: ['x'],
        parameters: [
          { in: 'path', name: 'id', required: true, schema: text },
          query('q', text),
          query('many', list),
          { in: 'header', name: 'X-Own', required: true, schema: text },
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', properties: { note: text } } } },
        },
      },
    },
  });
  const known = new Set([
    'host',
    'connection',
    'accept',
    'user-agent',
    'x-own',
    'content-type',
    'content-length',
    'accept-encoding',
    'accept-language',
    'sec-fetch-mode',
  ]);
  await fc.assert(
    fc.asyncProperty(
      fc.record({ id: value, q: value, many: fc.array(value), 'x-own': value, note: value }),
      async (given) => {
        api.received.length = 0;
        const result = await callAction(app, 'x.go', given);
        const { last } = api;
        if (last === undefined) {
          expect(result.isError).toBe(true);
          return;
        }
        const url = new URL(last.target, 'http://x');
        expect(last.target.startsWith('/v1/x/')).toBe(true);
        expect(url.pathname.split('/')).toHaveLength(4);
        expect(decodeURIComponent(url.pathname.slice('/v1/x/'.length))).toBe(given.id);
        expect(url.searchParams.get('q')).toBe(given.q);
        expect(url.searchParams.getAll('many')).toEqual(given.many);
        expect(JSON.parse(last.body)).toEqual({ note: given.note });
        expect(Object.keys(last.headers).filter((name) => !known.has(name))).toEqual([]);
      },
    ),
    { numRuns: tries(60, 10_000) },
  );
});
