import { afterEach, describe, expect, test } from '@jest/globals';
import { connect, type ConnectOptions, type PersonSignInOptions, type TypedClient } from 'toolwright/client';
import { eventually } from '../../support/eventually.ts';
import { SignInServer, visitAsBrowser, type SignInFault } from '../../support/sign-in-server.ts';

let server: SignInServer;
let clients: TypedClient[] = [];
let pages: string[] = [];

afterEach(async () => {
  for (const client of clients) await client.close();
  [clients, pages] = [[], []];
  await server.close();
});

/** A person who does what the page wants, and keeps what the browser shows at the end. */
const person: PersonSignInOptions = {
  openBrowser: async (url) => {
    pages.push(url);
    await visitAsBrowser(url);
  },
};

async function open(signIn: PersonSignInOptions = person, more: ConnectOptions = {}): Promise<TypedClient> {
  const client = await connect(server.url, { era: '2025', signIn, ...more });
  clients.push(client);
  return client;
}

async function start(fault?: SignInFault, more = {}): Promise<void> {
  server = await SignInServer.start(more);
  server.fault = fault;
}

const refusal = (
  more = '',
): { readonly status: number; readonly headers: Record<string, string>; body: object } => ({
  status: 401,
  headers: {
    'www-authenticate': `Bearer resource_metadata="${server.origin}/.well-known/oauth-protected-resource/mcp"${more}`,
  },
  body: {},
});

/** Refuses the tokens that a test calls expired. */
function refuseTokens(refused: ReadonlySet<string>): SignInFault {
  return ({ path, headers }) =>
    path === '/mcp' && refused.has(headers.authorization ?? '') ? refusal() : undefined;
}

/** What a store was given last, as the file that it would be. */
function memoryStore(initial?: string) {
  const kept = { text: initial };
  const store = {
    load: () => (kept.text === undefined ? undefined : (JSON.parse(kept.text) as Record<string, unknown>)),
    save: (signIn: object) => {
      kept.text = JSON.stringify(signIn);
    },
  };
  const member = (name: string): string =>
    String((JSON.parse(kept.text ?? '{}') as Record<string, unknown>)[name]);
  return { store, member, kept };
}

describe('a person signs in', () => {
  test.each(['2025', 'auto'] as const)(
    'when a client connects, in the era %s, and only once',
    async (era) => {
      await start();
      const client = await open(person, { era });
      expect((await client.listTools()).map(({ name }) => name)).toEqual(['tasks']);
      expect(pages).toHaveLength(1);
      const asked = new URL(pages[0] ?? '').searchParams;
      expect(asked.get('resource')).toBe(server.url);
      expect(asked.get('code_challenge_method')).toBe('S256');
      expect(asked.get('scope')).toBe('tasks:read tasks:write');
      expect(asked.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    },
  );

  test('whatever other pages send to the port', async () => {
    await start();
    const statuses: number[] = [];
    const openBrowser = async (url: string): Promise<void> => {
      const { origin } = new URL(new URL(url).searchParams.get('redirect_uri') ?? '');
      statuses.push((await fetch(`${origin}//`)).status);
      await visitAsBrowser(url);
    };
    expect(await (await open({ openBrowser })).listTools()).toHaveLength(1);
    expect(statuses).toEqual([404]);
  });

  test('later, where the metadata could not be read before', async () => {
    let isAway = false;
    const refused = new Set<string>();
    await start(
      (visit, origin) =>
        isAway && visit.path.startsWith('/.well-known/')
          ? { status: 200, headers: {}, body: { filler: 'x'.repeat(300_000) } }
          : refuseTokens(refused)(visit, origin),
      { issueRefreshToken: () => false },
    );
    const { store, member } = memoryStore();
    await open({ ...person, store });
    const client = await open({ ...person, store });
    refused.add(`Bearer ${member('accessToken')}`);
    isAway = true;
    await expect(client.listTools()).rejects.toThrow('TW_CLIENT_SIGN_IN');
    isAway = false;
    expect(await client.listTools()).toHaveLength(1);
  });

  test('once for requests that are refused at once, and they are sent again', async () => {
    const refused = new Set<string>();
    await start(refuseTokens(refused), { issueRefreshToken: () => false });
    const { store, member } = memoryStore();
    const client = await open({ ...person, store });
    refused.add(`Bearer ${member('accessToken')}`);
    const lists = await Promise.all([client.listTools(), client.listTools(), client.listTools()]);
    expect(lists.map((tools) => tools.length)).toEqual([1, 1, 1]);
    expect(pages).toHaveLength(2);
  });

  test.each([401, 403])(
    'not once more where a request that was sent before is refused (%i) afterwards',
    async (status) => {
      const refused = new Set<string>();
      const { store, member } = memoryStore();
      let held: (() => void) | undefined;
      let isHolding = true;
      await start(
        async (visit, origin) => {
          const refusing = await refuseTokens(refused)(visit, origin);
          if (refusing === undefined || !isHolding) return refusing;
          isHolding = false;
          await new Promise<void>((resolve) => (held = resolve));
          return { ...refusal(', error="insufficient_scope"'), status };
        },
        { issueRefreshToken: () => false },
      );
      const client = await open({ ...person, store });
      refused.add(`Bearer ${member('accessToken')}`);
      const late = client.listTools();
      await eventually(() => held !== undefined);
      await client.listTools();
      held?.();
      expect(await late).toHaveLength(1);
      expect(pages).toHaveLength(2);
    },
  );

  test('for more scopes, in addition to those that were granted', async () => {
    let isRefused = false;
    await start(({ path, headers }) => {
      if (path !== '/mcp' || headers.authorization === undefined || !isRefused) return undefined;
      isRefused = false;
      return { ...refusal(', error="insufficient_scope", scope="openid"'), status: 403 };
    });
    const client = await open();
    isRefused = true;
    expect(await client.listTools()).toHaveLength(1);
    expect(pages.map((url) => new URL(url).searchParams.get('scope'))).toEqual([
      'tasks:read tasks:write',
      'tasks:read tasks:write openid',
    ]);
  });

  test('and not where the server refuses for another reason', async () => {
    await start(({ path }) => (path === '/mcp' ? { status: 403, body: {} } : undefined));
    await expect(open()).rejects.toMatchObject({ code: 'TW_CLIENT_UNAUTHORIZED' });
    expect(pages).toEqual([]);
  });

  test('and is asked no second time where that changes nothing', async () => {
    await start(({ path }) => (path === '/mcp' ? refusal() : undefined));
    await expect(open()).rejects.toMatchObject({ code: 'TW_CLIENT_UNAUTHORIZED' });
    expect(pages).toHaveLength(1);
  });
});

describe('a sign-in is kept', () => {
  test('for the next run, and refreshed without the person', async () => {
    const refused = new Set<string>();
    await start(refuseTokens(refused));
    const { store, member, kept } = memoryStore();
    await open({ ...person, store });
    const first = member('accessToken');
    refused.add(`Bearer ${first}`);
    const client = await open({ ...person, store });
    expect(await client.listTools()).toHaveLength(1);
    expect(pages).toHaveLength(1);
    expect(member('accessToken')).not.toBe(first);
    expect(kept.text).toContain(server.url);
  });

  test.each([
    [
      'of another server',
      (text: string) => text.replace(/"url":"[^"]*"/, '"url":"https://other.example/mcp"'),
    ],
    ['that somebody has changed', (text: string) => text.replace(/"accessToken":"[^"]*"/, '"accessToken":7')],
    ['that is something else', () => '[]'],
  ])('and one %s is left alone', async (_name, change) => {
    await start();
    const first = memoryStore();
    await open({ ...person, store: first.store });
    const second = memoryStore(change(first.kept.text ?? ''));
    await open({ ...person, store: second.store });
    expect(pages).toHaveLength(2);
  });
});

describe('a sign-in fails', () => {
  const json =
    (body: object): SignInFault =>
    (visit) =>
      visit.path.startsWith('/.well-known/') ? { body } : undefined;
  const changed =
    (
      changes: (origin: string) => object,
      place = /openid-configuration|oauth-authorization-server/,
    ): SignInFault =>
    async ({ path, query }, origin) => {
      if (!place.test(path) || query.has('raw')) return undefined;
      const known = (await (await fetch(`${origin}/.well-known/openid-configuration?raw`)).json()) as object;
      return { body: { ...known, ...changes(origin) } };
    };

  test.each<[string, SignInFault, string]>([
    [
      'without metadata',
      (visit) => (visit.path.startsWith('/.well-known/') ? { status: 404 } : undefined),
      'has no resource metadata',
    ],
    [
      'with the metadata of another resource',
      json({ resource: 'https://other.example/mcp' }),
      'of another resource',
    ],
    [
      'at an authorization server in the network of the client',
      ({ path }, origin) =>
        path.includes('protected-resource')
          ? { body: { resource: `${origin}/mcp`, authorization_servers: ['http://192.168.0.1/'] } }
          : undefined,
      'is not an https URL',
    ],
    [
      'where the metadata is of another issuer',
      changed(() => ({ issuer: 'https://other.example' })),
      'other.example',
    ],
    ['without PKCE', changed(() => ({ code_challenge_methods_supported: ['plain'] })), 'does not offer PKCE'],
    ['without a registration', changed(() => ({ registration_endpoint: undefined })), 'register themselves'],
    [
      'where the client is not registered',
      ({ path }) => (path === '/reg' ? { status: 400, body: { error: 'invalid_redirect_uri' } } : undefined),
      '400 invalid_redirect_uri',
    ],
    [
      'where the code is refused',
      ({ path }) => (path === '/token' ? { status: 400, body: { error: 'invalid_grant' } } : undefined),
      '400 invalid_grant',
    ],
    [
      'at a server with a script as its page',
      changed(() => ({ authorization_endpoint: 'javascript:alert(1)' })),
      'is not an https URL',
    ],
  ])('%s', async (_name, fault, words) => {
    await start(fault);
    await expect(open()).rejects.toMatchObject({
      code: 'TW_CLIENT_SIGN_IN',
      where: server.url,
      what: expect.stringContaining(words),
    });
  });

  const comeBack = (parameters: (asked: URLSearchParams) => Record<string, string>): PersonSignInOptions => ({
    openBrowser: async (url) => {
      const { searchParams } = new URL(url);
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      for (const [name, value] of Object.entries(parameters(searchParams)))
        back.searchParams.set(name, value);
      await fetch(back);
    },
    timeout: 200,
  });

  test.each<[string, PersonSignInOptions, string]>([
    [
      'where the person refuses',
      comeBack((asked) => ({
        state: asked.get('state') ?? '',
        iss: server.origin,
        error: 'access_denied',
      })),
      '"access_denied" in place of a code',
    ],
    [
      'with an answer of another issuer',
      comeBack((asked) => ({ state: asked.get('state') ?? '', iss: 'https://evil.example', code: 'stolen' })),
      'https://evil.example',
    ],
    [
      'with an answer to another question',
      comeBack(() => ({ state: 'other', code: 'stolen' })),
      'was left before',
    ],
  ])('%s', async (_name, signIn, words) => {
    await start();
    await expect(open(signIn)).rejects.toMatchObject({
      code: 'TW_CLIENT_SIGN_IN',
      what: expect.stringContaining(words),
    });
    expect(server.asked).not.toContain('POST /token');
  });

  test('with the error of a browser that cannot be opened', async () => {
    await start();
    const openBrowser = (): never => {
      throw new Error('no display');
    };
    await expect(open({ openBrowser })).rejects.toThrow('no display');
  });
});
