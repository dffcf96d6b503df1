import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AuthFinding } from '../../../../src/cli/doctor/auth/report.ts';
import { loadClients } from '../../../../src/profiles/clients.ts';
import { runInProcess } from '../../../support/command-in-process.ts';
import { examineSignIn, problems, type ExaminedSignIn } from '../../../support/examine-sign-in.ts';
import { HostileServer, PENDING } from '../../../support/hostile-server.ts';
import {
  SignInServer,
  type FaultyAnswer,
  type SignInFault,
  type Visit,
} from '../../../support/sign-in-server.ts';

let server: SignInServer;

beforeEach(async () => {
  server = await SignInServer.start();
});
afterEach(() => server.close());

const examine = (args: readonly string[] = [], url = server.url): Promise<ExaminedSignIn> =>
  examineSignIn(url, args);

describe('a right server', () => {
  test('is well for a client that does what the protocol says', async () => {
    const { code, checks } = await examine();
    expect(code).toBe(0);
    expect(checks.map(({ about, state }) => [about, state])).toEqual([
      ['connection', 'ok'],
      ['challenge', 'ok'],
      ['resource metadata', 'ok'],
      ['server metadata', 'ok'],
      ['registration', 'ok'],
      ['authorize', 'ok'],
      ['wrong redirect', 'ok'],
      ['token', 'ok'],
      ['token', 'ok'],
    ]);
  });

  test('is well for every known client, and says how each is known', async () => {
    const examined = await examine(['--client', 'all']);
    expect(examined.code).toBe(0);
    expect(problems(examined)).toEqual([]);
    const { clients: known } = await loadClients();
    const ids = Object.keys(known).filter((id) => 'signIn.registration' in known[id]!.facts);
    const registered = examined.checks.filter(({ about }) => about === 'registration');
    expect(registered.flatMap(({ clients }) => clients).toSorted()).toEqual(ids.toSorted());
    const untried = examined.checks.filter(({ about }) => about === 'client');
    expect(untried.flatMap(({ clients }) => clients).toSorted()).toEqual(
      ids.filter((id) => !id.startsWith('sdk-')).toSorted(),
    );
    for (const { found } of untried)
      expect(found).toMatch(/on \d{4}-\d\d-\d\d; not tried against the client itself$/);
  });

  test('is asked for a document once, however many clients want it', async () => {
    await examine(['--client', 'all']);
    const documents = server.asked.filter((each) => each.includes('.well-known/oauth-protected-resource'));
    expect(documents.length).toBe(2);
  });

  test('is shown in lines for a person, with the client before what differs', async () => {
    const { stdout, stderr } = await runInProcess(['doctor', 'auth', server.url], { isTerminal: true });
    expect(stdout).toContain('ok       challenge: 401 with resource_metadata\n');
    expect(stdout).toContain('ok       sdk-v2 registration: with all redirects, by none\n');
    expect(stderr).toContain('--client all');
  });
});

const at = (path: string, answer: FaultyAnswer, method?: string): SignInFault => {
  return (visit) =>
    visit.path === path && (method === undefined || visit.method === method) ? answer : undefined;
};

/** Changes members of the metadata of the authorization server. */
const serverMetadata =
  (change: Readonly<Record<string, unknown>>): SignInFault =>
  async ({ path }, origin) => {
    if (path !== '/.well-known/oauth-authorization-server') return undefined;
    const right = await (await fetch(`${origin}/.well-known/openid-configuration`)).json();
    return { body: { ...(right as object), ...change } };
  };

const resourceMetadata =
  (change: (origin: string) => Readonly<Record<string, unknown>>): SignInFault =>
  ({ path }, origin) =>
    path.startsWith('/.well-known/oauth-protected-resource')
      ? { body: { resource: `${origin}/mcp`, authorization_servers: [origin], ...change(origin) } }
      : undefined;

/** Answers a registration by what was sent. */
const registration =
  (answer: (sent: Readonly<Record<string, unknown>>) => FaultyAnswer): SignInFault =>
  async ({ path, method, read }: Visit) =>
    path === '/reg' && method === 'POST'
      ? answer(JSON.parse(await read()) as Readonly<Record<string, unknown>>)
      : undefined;

/** Answers an authorization request by its parameters. */
const authorization =
  (answer: (query: URLSearchParams) => FaultyAnswer | undefined): SignInFault =>
  ({ path, query }) =>
    path === '/auth' ? answer(query) : undefined;

const back = (query: URLSearchParams, parameters: Readonly<Record<string, string>>): FaultyAnswer => ({
  status: 303,
  headers: { location: `${query.get('redirect_uri') ?? ''}?${new URLSearchParams(parameters).toString()}` },
});

const oauthError = (status: number, error: string): FaultyAnswer => ({ status, body: { error } });

/** What is wrong, for which client it is looked for, in which step it is found, with which words and which fix. */
type Row = readonly [
  what: string,
  client: string,
  fault: SignInFault,
  step: string,
  found: string,
  fix: string,
];

const FAULTS: readonly Row[] = [
  [
    'a 401 that says nothing of where to sign in',
    'sdk-v2',
    at('/mcp', { status: 401 }),
    'challenge',
    '401 without resource_metadata',
    'WWW-Authenticate: Bearer resource_metadata=',
  ],
  [
    'an error in the first 401',
    'claude-code',
    ({ path }, origin) =>
      path === '/mcp'
        ? {
            status: 401,
            headers: {
              'www-authenticate': `Bearer error="invalid_token", resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
            },
          }
        : undefined,
    'challenge',
    '401 with an error',
    'name no error',
  ],
  ['a door that is open', 'grok', at('/mcp', { status: 200 }), 'challenge', '200 for a request', '401 with'],
  [
    'a redirect of the endpoint',
    'cursor',
    at('/mcp', { status: 308, headers: { location: '/mcp/' } }),
    'challenge',
    'a redirect to /mcp/',
    'enter the URL',
  ],
  [
    'no resource metadata',
    'vscode',
    (visit) => (visit.path.startsWith('/.well-known/oauth-protected-resource') ? { status: 404 } : undefined),
    'resource metadata',
    'none at',
    '"authorization_servers"',
  ],
  [
    'metadata of the origin instead of the endpoint',
    'claude',
    resourceMetadata((origin) => ({ resource: origin })),
    'resource metadata',
    'and the server was entered as',
    '"resource": "http://127.0.0.1',
  ],
  [
    'metadata of another server',
    'sdk-v2',
    resourceMetadata(() => ({ resource: 'https://other.example/mcp' })),
    'resource metadata',
    'resource is https://other.example/mcp',
    '"resource": "http://127.0.0.1',
  ],
  [
    'an authorization server in the clear',
    'chatgpt',
    resourceMetadata(() => ({ authorization_servers: ['http://id.example'] })),
    'resource metadata',
    'http://id.example is not an https URL',
    'the issuer first',
  ],
  [
    'no authorization server',
    'codex',
    resourceMetadata(() => ({ authorization_servers: [] })),
    'resource metadata',
    'authorization_servers is missing',
    '"authorization_servers": ["https://…"]',
  ],
  [
    'an issuer with a slash more',
    'sdk-v2',
    resourceMetadata((origin) => ({ authorization_servers: [`${origin}/`] })),
    'server metadata',
    'and the resource names',
    'letter by letter',
  ],
  [
    'a page instead of the metadata of the authorization server',
    'sdk-v1',
    at('/.well-known/oauth-authorization-server', { body: '<!doctype html>' }),
    'server metadata',
    '200 that is not JSON; clients stop there',
    '404 so that clients look on',
  ],
  [
    'no PKCE',
    'inspector',
    serverMetadata({ code_challenge_methods_supported: ['plain'] }),
    'server metadata',
    'PKCE with S256 is not offered',
    '["S256"]',
  ],
  [
    'answers without iss',
    'chatgpt',
    serverMetadata({ authorization_response_iss_parameter_supported: false }),
    'server metadata',
    'no iss',
    'RFC 9207',
  ],
  [
    'a token endpoint that is elsewhere in the clear',
    'sdk-v2',
    serverMetadata({ token_endpoint: 'http://id.example/token' }),
    'server metadata',
    'token_endpoint is not an https URL',
    'the whole https URL',
  ],
  [
    'documents without clients that have no secret',
    'codex',
    serverMetadata({
      client_id_metadata_document_supported: true,
      token_endpoint_auth_methods_supported: ['private_key_jwt'],
    }),
    'server metadata',
    'clients without a secret are not',
    '"none" in token_endpoint_auth_methods_supported',
  ],
  [
    'an endpoint that pages cannot read',
    'inspector',
    at('/reg', { status: 204 }, 'OPTIONS'),
    'cors',
    'registration_endpoint closed to pages of http://localhost:6274',
    'Access-Control-Allow-Origin',
  ],
  [
    'no way to introduce oneself',
    'cursor',
    serverMetadata({ registration_endpoint: undefined }),
    'registration',
    'neither its document nor a registration',
    'a registration_endpoint',
  ],
  [
    'a redirect that is not allowed',
    'claude',
    registration(() => oauthError(400, 'invalid_redirect_uri')),
    'registration',
    '400 invalid_redirect_uri',
    'allow https://claude.ai/api/mcp/auth_callback',
  ],
  [
    'a redirect that is left out',
    'cursor',
    registration((sent) => ({
      status: 201,
      body: { ...sent, client_id: 'x', redirect_uris: ['http://localhost:8787/callback'] },
    })),
    'registration',
    '201 without cursor://anysphere.cursor-mcp/oauth/callback',
    'keep all redirects',
  ],
  [
    'a secret that does not come',
    'claude',
    registration((sent) => ({ status: 201, body: { ...sent, client_id: 'x' } })),
    'registration',
    'client_secret_post without a client_secret',
    'a client_secret in the answer',
  ],
  [
    'registration for some alone',
    'opencode',
    registration(() => ({ status: 403, body: {} })),
    'registration',
    '403',
    'for everyone, without a token',
  ],
  [
    'a scope list that it does not know itself',
    'claude',
    authorization((query) =>
      query.get('scope')?.includes('offline_access') === true
        ? back(query, { error: 'invalid_scope', error_description: 'no offline_access' })
        : undefined,
    ),
    'authorize',
    'sent back with invalid_scope: no offline_access, with scope openid offline_access',
    'leave out scopes',
  ],
  [
    'a scope that has to be there',
    'chatgpt',
    authorization((query) => (query.has('scope') ? undefined : oauthError(400, 'invalid_scope'))),
    'authorize',
    '400 invalid_scope, without scope',
    'resource and prompt',
  ],
  [
    'a port that has to be the registered one',
    'vscode',
    authorization((query) =>
      query.get('redirect_uri')?.includes(':33418') === false
        ? oauthError(400, 'invalid_redirect_uri')
        : undefined,
    ),
    'authorize',
    '400 invalid_redirect_uri',
    'http://127.0.0.1:51004/ with any port on loopback',
  ],
  [
    'a code for anyone',
    'mcp-remote',
    authorization((query) => back(query, { code: 'c', state: query.get('state') ?? '' })),
    'authorize',
    'a code before anyone was asked',
    'sign in and agree first',
  ],
  [
    'an open redirect',
    'codex',
    authorization((query) =>
      query.get('redirect_uri')?.includes('invalid') === true
        ? back(query, { error: 'access_denied' })
        : undefined,
    ),
    'wrong redirect',
    'sent to a redirect that is not registered',
    'show a page',
  ],
  [
    'a wrong code that is a fault of the server',
    'sdk-v1',
    at('/token', oauthError(500, 'server_error')),
    'token',
    '500 server_error for a wrong code',
    '"invalid_grant"',
  ],
  [
    'a client that is forgotten at once',
    'claude-code',
    at('/token', oauthError(401, 'invalid_client')),
    'token',
    '401 invalid_client for the client itself',
    'registered a moment ago',
  ],
  [
    'an unknown client whose code is wrong',
    'claude',
    at('/token', oauthError(400, 'invalid_grant')),
    'token',
    '400 invalid_grant for an unknown client',
    'so that clients register again',
  ],
];

describe('a server with one fault', () => {
  test.each(FAULTS)('%s, looked at as %s', async (_what, client, fault, step, words, fix) => {
    server.fault = fault;
    const examined = await examine(['--client', client]);
    const found = problems(examined).filter(({ about }) => about === step);
    expect(found).not.toEqual([]);
    expect(found[0]).toMatchObject({
      clients: [client],
      found: expect.stringContaining(words),
      fix: expect.stringContaining(fix),
    });
    // Nothing else is found wrong before that step
    expect(problems(examined)[0]?.about).toBe(step);
    expect(examined.code).toBe(problems(examined).some(({ state }) => state === 'problem') ? 1 : 0);
  });

  test.each([
    ['claude', 'problem'],
    ['sdk-v2', 'advice'],
  ])('is as serious as it is for %s: metadata of the origin are a %s', async (client, state) => {
    server.fault = resourceMetadata((origin) => ({ resource: origin }));
    expect(problems(await examine(['--client', client])).map((each) => each.state)).toEqual([state]);
  });

  test('counts for the clients alone that it concerns', async () => {
    server.fault = at('/reg', { status: 204 }, 'OPTIONS');
    const { stdout, code } = await runInProcess(['doctor', 'auth', server.url, '--client', 'all']);
    expect(code).toBe(1);
    const lines = stdout.split('\n').filter((line) => line.startsWith('problem'));
    expect(lines).toEqual([
      expect.stringMatching(/^problem {2}inspector cors: registration_endpoint closed/),
    ]);
  });
});

describe('a hostile server', () => {
  const only = async (url: string, args: readonly string[] = []): Promise<AuthFinding | undefined> =>
    problems(await examine(args, url))[0];

  test('that never answers is left', async () => {
    const silent = await HostileServer.open(() => PENDING);
    expect(await only(silent.url, ['--timeout', '100'])).toMatchObject({
      about: 'connection',
      found: 'no answer: no answer within 100 ms',
    });
    await silent.close();
  });

  test('that is not there is named', async () => {
    await server.close();
    expect(await only(server.url)).toMatchObject({ about: 'connection', found: 'no answer: ECONNREFUSED' });
    server = await SignInServer.start();
  });

  test('whose document has no end is read to a limit', async () => {
    server.fault = at('/.well-known/oauth-protected-resource/mcp', { body: { more: 'x'.repeat(2 ** 20) } });
    expect((await only(server.url))?.found).toContain('an answer of more than 262144 bytes');
  });

  test('leads nobody to another machine in the clear, nor with a name in the URL', async () => {
    for (const place of [
      'http://169.254.169.254/latest',
      'https://user@id.example',
      'file:///etc/passwd',
      'x',
    ]) {
      server.fault = resourceMetadata(() => ({ authorization_servers: [place] }));
      const found = await only(server.url);
      expect([place, found?.about, found?.state]).toEqual([place, 'resource metadata', 'problem']);
    }
  });

  test('steers no terminal with its errors, and fills no screen', async () => {
    const description = `\u001b]0;t\u0007\u202e\n::error::x${'y'.repeat(10_000)}`;
    server.fault = at(
      '/reg',
      { status: 400, body: { error: 'bad', error_description: description } },
      'POST',
    );
    const { stdout } = await runInProcess(['doctor', 'auth', server.url], { isTerminal: true });
    expect(stdout).not.toMatch(/[\u0007\u202e]/);
    expect(stdout).toMatch(/registration: 400 bad:\s+\\u001b\]0;t\\u0007\\u202e\\u000a::error::xy+…\n/);
    expect(stdout.length).toBeLessThan(4000);
  });

  test('that wants to be asked later is asked once more', async () => {
    let asked = 0;
    server.fault = ({ path, method }) => {
      if (path !== '/reg' || method !== 'POST' || asked++ > 0) return undefined;
      return { status: 429, headers: { 'retry-after': '0' } };
    };
    expect(problems(await examine())).toEqual([]);
    expect(asked).toBe(2);
  });

  test.each([
    [['doctor', 'auth'], 'takes the URL of a server, and got none'],
    [['doctor', 'auth', 'server.ts'], 'got \\"server.ts\\"'],
    [['doctor', 'auth', 'http://127.0.0.1:1/mcp', '--client', 'claud'], 'did you mean'],
    [['doctor', 'server.ts', '--browser'], 'only to look at a sign-in'],
  ])('%j cannot be run', async (args, words) => {
    const { code, stderr } = await runInProcess([...args, '--json']);
    expect(code).toBe(2);
    expect(stderr.toLowerCase()).toContain(words.toLowerCase());
  });
});
