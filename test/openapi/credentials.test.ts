import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { McpApplication } from 'toolwright';
import {
  fetchCarrier,
  OpenApiModule,
  type OpenApiCredentials,
  type OpenApiOptions,
} from 'toolwright/openapi';
import { authInfoOf, testVerifier, tokenOf } from '../support/callers.ts';
import { post2026 } from '../support/client-of-2026.ts';
import { eventually } from '../support/eventually.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { textOf } from '../support/text-of.ts';
import { callAction, document, openApi, RecordedApi } from './recorded-api.ts';

let api: RecordedApi;
const opened: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  api = await RecordedApi.start();
});
afterAll(() => api.close());
afterEach(async () => {
  api.received.length = 0;
  delete process.env['OPENAPI_TEST_TOKEN'];
  for (const each of opened.splice(0).reverse()) await each.close();
});

const SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'api_key' },
  oauth: { type: 'oauth2', flows: {} },
};

const secured = (security: unknown, further: object = {}) =>
  document(
    { '/x': { get: { operationId: 'go', tags: ['x'], security, ...further } } },
    { components: { securitySchemes: SCHEMES } },
  );

async function open(
  given: Record<string, unknown>,
  auth: OpenApiCredentials,
  options: Partial<OpenApiOptions> = {},
) {
  const { app } = await openApi({ document: given, baseUrl: api.url, credentials: auth, ...options });
  opened.push(app);
  return app;
}

test.each<readonly [string, unknown, OpenApiCredentials, object]>([
  ['a bearer token', [{ bearer: [] }], { bearer: { value: 't' } }, { authorization: 'Bearer t' }],
  ['a password', [{ basic: [] }], { basic: { value: 'a:b' } }, { authorization: 'Basic YTpi' }],
  ['a key in a header', [{ key: [] }], { key: { value: 'k' } }, { 'x-key': 'k' }],
  ['a token of OAuth', [{ oauth: ['read'] }], { oauth: { value: 't' } }, { authorization: 'Bearer t' }],
  [
    'both of two',
    [{ bearer: [], key: [] }],
    { bearer: { value: 't' }, key: { value: 'k' } },
    { authorization: 'Bearer t', 'x-key': 'k' },
  ],
  ['the first of two that is there', [{ basic: [] }, { key: [] }], { key: { value: 'k' } }, { 'x-key': 'k' }],
  ['one that the document does not know', undefined, { mine: { value: 't' } }, { authorization: 'Bearer t' }],
  ['nothing where nothing is needed', [{}], {}, {}],
])('83: %s is sent', async (_what, security, auth, headers) => {
  const app = await open(secured(security), auth);
  await callAction(app, 'x.go');
  const { authorization, 'x-key': key } = api.last?.headers ?? {};
  expect(JSON.parse(JSON.stringify({ authorization, 'x-key': key }))).toEqual(headers);
});

test('a key in the query is sent there, and is in no error', async () => {
  const app = await open(secured([{ query: [] }]), { query: { value: 's3 cret' } });
  api.answers = [{ status: 404, headers: { 'content-type': 'application/json' }, body: '{}' }];
  const result = await callAction(app, 'x.go');
  api.answers = [{}];
  expect(api.last?.target).toBe('/x?api_key=s3%20cret');
  expect(JSON.stringify(result)).not.toMatch(/s3.{1,3}cret/);
});

test.each([
  [404, '{"message":"no key s3 cret"}', /no key \[hidden\]/],
  [422, '{"errors":[{"pointer":"/s3%20cret","message":"czMgY3JldA== is unknown"}]}', /\[hidden\] is unknown/],
])('an API that repeats a key does not tell it to a model (%i)', async (status, body, said) => {
  const app = await open(secured([{ query: [] }]), { query: { value: 's3 cret' } });
  api.answers = [{ status, headers: { 'content-type': 'application/json' }, body }];
  const result = await callAction(app, 'x.go');
  api.answers = [{}];
  expect(JSON.stringify(result)).toMatch(said);
  expect(JSON.stringify(result)).not.toMatch(/s3.{1,3}cret|czMg/);
});

test('83: what none of the credentials is for is a problem at the start', async () => {
  const given = secured([{ bearer: [] }, { key: [], basic: [] }]);
  const made = OpenApiModule.forRoot({
    document: given,
    baseUrl: api.url,
    credentials: { key: { value: 'k' } },
  });
  await expect(made).rejects.toThrow(/TW_OPENAPI_CREDENTIAL_MISSING[^]*bearer, or key and basic[^]*GET \/x/);
});

test('a scheme that refers to nothing is a problem at the start, with its place', async () => {
  const given = document(
    { '/x': { get: { security: [{ lost: [] }] } } },
    { components: { securitySchemes: { lost: { $ref: '#/components/securitySchemes/none' } } } },
  );
  const made = OpenApiModule.forRoot({
    document: given,
    baseUrl: api.url,
    credentials: { lost: { value: 't' } },
  });
  await expect(made).rejects.toThrow(
    /TW_OPENAPI_CREDENTIAL_MISSING[^]*#\/components\/securitySchemes\/lost[^]*securitySchemes\/none/,
  );
});

test('a variable of the environment has the credential, or is missed at the start', async () => {
  const auth = { bearer: { env: 'OPENAPI_TEST_TOKEN' } };
  const given = secured([{ bearer: [] }]);
  await expect(
    OpenApiModule.forRoot({ document: given, baseUrl: api.url, credentials: auth }),
  ).rejects.toThrow('OPENAPI_TEST_TOKEN');
  process.env['OPENAPI_TEST_TOKEN'] = 'from-env';
  await callAction(await open(given, auth), 'x.go');
  expect(api.last?.headers['authorization']).toBe('Bearer from-env');
});

test('85, 86: each caller has their own, and what they sent is not sent on', async () => {
  const logger = new MemoryLogger();
  const module = await OpenApiModule.forRoot({
    document: secured([{ bearer: [] }]),
    baseUrl: api.url,
    logger,
    credentials: { bearer: { for: (caller) => `for-${String(caller?.extra?.['sub'])}` } },
  });
  const app = await McpApplication.create(module, {
    logger,
    auth: { resource: 'https://mcp.example/mcp', verify: testVerifier },
  });
  opened.push(app);
  const { url } = await app.listen({ port: 0 });
  const ask = (sub: string) =>
    post2026(
      url,
      'tools/call',
      { name: 'x', arguments: { action: 'go' } },
      { authorization: `Bearer ${tokenOf({ sub })}`, cookie: 'sid=1', 'x-forwarded-for': '1.2.3.4' },
    );
  await Promise.all(['ada', 'bob', 'eve'].flatMap((sub) => Array.from({ length: 5 }, () => ask(sub))));
  const sent = api.received.map(({ headers }) => String(headers['authorization']));
  expect(sent.sort()).toEqual(
    ['ada', 'bob', 'eve'].flatMap((sub) => Array<string>(5).fill(`Bearer for-${sub}`)),
  );
  for (const { headers } of api.received) {
    expect(headers['cookie']).toBeUndefined();
    expect(headers['x-forwarded-for']).toBeUndefined();
    expect(JSON.stringify(headers)).not.toContain(tokenOf({ sub: 'ada' }));
  }
  expect(authInfoOf({ sub: 'ada' }).token).toBe('a-token');
});

test('the token of a caller is never for another server', async () => {
  const options = { document: secured(undefined), baseUrl: api.url, identity: 'same-server' as const };
  await expect(OpenApiModule.forRoot(options)).rejects.toMatchObject({ code: 'TW_APPLICATION_OPTION' });
});

test.each(['query', 'cookie'] as const)(
  'an argument with the name of a key in the %s is not sent beside it',
  async (place) => {
    const given = document(
      {
        '/x': {
          get: {
            operationId: 'go',
            tags: ['x'],
            parameters: [
              { in: place, name: 'api_key', required: true, schema: { type: 'string' } },
              { in: place, name: 'other', required: true, schema: { type: 'string' } },
            ],
            security: [{ key: [] }],
          },
        },
      },
      { components: { securitySchemes: { key: { type: 'apiKey', in: place, name: 'api_key' } } } },
    );
    const app = await open(given, { key: { value: 'real' } });
    await callAction(app, 'x.go', { api_key: 'own', other: 'o' });
    const { target = '', headers } = api.last ?? {};
    expect(place === 'query' ? target : headers?.['cookie']).toMatch(/other=o[&;] ?api_key=real$/);
    expect(`${target} ${String(headers?.['cookie'])}`).not.toContain('own');
  },
);

test('an argument does not stand beside a header that says who calls', async () => {
  const role = { in: 'header', name: 'x-grade', required: true, schema: { type: 'string' } };
  const roles: (string | null)[] = [];
  const { app } = await openApi({
    document: document({ '/x': { get: { operationId: 'go', tags: ['x'], parameters: [role] } } }),
    carrier: fetchCarrier(({ headers }) => {
      roles.push(headers.get('x-grade'));
      return new Response('{}', { headers: { 'content-type': 'application/json' } });
    }),
    identity: () => ({ 'X-Grade': 'user' }),
  });
  await callAction(app, 'x.go', { 'x-grade': 'admin' });
  expect(roles).toEqual(['user']);
  await app.close();
});

describe('a client that gets tokens', () => {
  const flows = { clientCredentials: { tokenUrl: '/token', scopes: {} } };
  const given = document(
    { '/x': { get: { operationId: 'go', tags: ['x'], security: [{ oauth: [] }] } } },
    { components: { securitySchemes: { oauth: { type: 'oauth2', flows } } } },
  );
  /** Gives tokens that live so long, and counts them. */
  const issue = (lives: readonly (number | undefined)[]) => {
    let count = 0;
    const tokens: Request[] = [];
    const sent: (string | null)[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      const headers = { 'content-type': 'application/json' };
      if (!request.url.endsWith('/token')) {
        sent.push(request.headers.get('authorization'));
        return new Response('{}', { headers });
      }
      const life = lives[count++];
      tokens.push(request);
      await Promise.resolve();
      if (life === undefined) return new Response('{"error":"invalid_client"}', { status: 401, headers });
      const told = { access_token: `t${String(count)}`, token_type: 'Bearer', expires_in: life };
      return new Response(JSON.stringify(told), { headers });
    };
    return { fetch, tokens, sent };
  };
  const oauth = { type: 'oauth2', value: 'shop:s3:cret/', scopes: ['read', 'write'] } as const;

  test('84: asks once for 20 calls, and again when the token ends', async () => {
    const { fetch, tokens, sent } = issue([3600]);
    const app = await open(given, { oauth }, { fetch });
    await Promise.all(Array.from({ length: 20 }, () => callAction(app, 'x.go')));
    expect([tokens.length, new Set(sent)]).toEqual([1, new Set(['Bearer t1'])]);
    expect(tokens[0]?.headers.get('authorization')).toBe(`Basic ${btoa('shop:s3%3Acret%2F')}`);
    expect(await tokens[0]?.text()).toBe('grant_type=client_credentials&scope=read+write');
    const short = issue([0.001, 3600]);
    const other = await open(given, { oauth }, { fetch: short.fetch });
    await callAction(other, 'x.go');
    await eventually(async () => {
      await callAction(other, 'x.go');
      return short.sent.at(-1) === 'Bearer t2';
    });
    expect(short.tokens).toHaveLength(2);
  });

  test('without a token says so, shows no secret, and asks again at the next call', async () => {
    const { fetch, sent } = issue([undefined, 3600]);
    const app = await open(given, { oauth }, { fetch });
    const refused = textOf(await callAction(app, 'x.go'));
    expect(refused).toContain('UPSTREAM_REFUSED');
    expect(refused).not.toContain('cret');
    await callAction(app, 'x.go');
    expect(sent).toEqual(['Bearer t2']);
  });

  test('85: has a token of its own for each caller', async () => {
    const { fetch, tokens } = issue([3600, 3600]);
    let name = 'a';
    const credentials = { oauth: { type: 'oauth2', for: () => `${name}:s` } } as const;
    const app = await open(given, credentials, { fetch });
    for (const each of ['a', 'b', 'a']) {
      name = each;
      await callAction(app, 'x.go');
    }
    expect(tokens.map(({ headers }) => headers.get('authorization'))).toEqual(
      ['a:s', 'b:s'].map((pair) => `Basic ${btoa(pair)}`),
    );
  });

  test('does not send its secret where only the document says so', async () => {
    const elsewhere = structuredClone(given) as { components: object };
    const url = 'https://evil.example/token';
    Object.assign(elsewhere.components, {
      securitySchemes: { oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: url } } } },
    });
    await expect(open({ ...elsewhere }, { oauth })).rejects.toThrow(
      /TW_OPENAPI_CREDENTIAL_MISSING[^]*tokenUrl/,
    );
    const named = await open({ ...elsewhere }, { oauth: { ...oauth, tokenUrl: url } });
    expect(named.definitions).toHaveLength(1);
  });
});
