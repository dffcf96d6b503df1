import { afterEach, describe, expect, test } from '@jest/globals';
import { InMemoryStore, McpApplication, type AuthOptions, type ApplicationOptions } from 'toolwright';
import { oidc } from 'toolwright/sign-in';
import { loadClients } from '../../src/profiles/clients.ts';
import { isPublicAddress } from '../../src/shared/public-address.ts';
import { fetchGuarded } from '../../src/sign-in/guarded-fetch.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { Browser } from '../support/sign-in/browser.ts';
import {
  CALLBACK,
  claimsIn,
  DeskModule,
  HandClient,
  isCallback,
  register,
  SECRET,
  startDesk,
  startReplicas,
  whoAmI,
} from '../support/sign-in/desk.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const provider = oidc({ issuer: 'https://id.example', clientId: 'desk', clientSecret: 'a secret' });

function create(auth: AuthOptions, options: ApplicationOptions = {}): Promise<McpApplication> {
  return McpApplication.create(DeskModule, {
    secrets: [SECRET],
    logger: new MemoryLogger(),
    auth,
    ...options,
  });
}

describe('86: an application does not start', () => {
  test.each<readonly [string, () => Promise<unknown>, RegExp]>([
    [
      'without secrets, unless it is on this machine',
      () =>
        McpApplication.create(DeskModule, {
          auth: { resource: 'https://desk.example/mcp', signIn: provider },
        }),
      /secrets/,
    ],
    [
      'with a slash at the end of the issuer',
      () =>
        create({
          resource: 'https://desk.example/mcp',
          signIn: { provider, issuer: 'https://desk.example/' },
        }),
      /auth\.signIn\.issuer/,
    ],
    [
      'with its endpoint where people sign in',
      () => create({ resource: 'https://desk.example/token', signIn: provider }),
      /TW_SIGN_IN_PATH/,
    ],
    [
      'with an unknown option',
      () => create({ resource: 'https://desk.example/mcp', signIn: { provider, scope: {} } as never }),
      /scopes/,
    ],
    ...[
      { redirects: ['https://acme.example*'] },
      { redirects: { only: ['https://*.acme.example/cb'] } },
      { clients: { metadata: ['https://claude.ai*'] } },
    ].map(
      (given) =>
        [
          `with a star in a host: ${JSON.stringify(given)}`,
          () => create({ resource: 'https://desk.example/mcp', signIn: { provider, ...given } }),
          /\* in its path only/,
        ] as const,
    ),
    [
      'without a verifier and without signIn',
      () => create({ resource: 'https://desk.example/mcp' }),
      /has no verifier/,
    ],
  ])('%s', async (_case, start, message) => {
    await expect(start()).rejects.toThrow(message);
  });

  test('without an option of a provider', () => {
    expect(() => oidc({ issuer: 'https://id.example' } as never)).toThrow(/clientId/);
    expect(() => oidc({ issuer: 'http://id.example', clientId: 'desk' })).toThrow(/https/);
  });

  test('app.signIn needs the option', async () => {
    const app = await McpApplication.create(DeskModule, { auth: false, logger: new MemoryLogger() });
    expect(() => app.signIn).toThrow(/auth\.signIn/);
    await app.close();
  });
});

describe('what is published', () => {
  test('the metadata names what there is, and the first refusal leads to it', async () => {
    const desk = await startDesk();
    closing.push(() => desk.close());
    const refused = await whoAmI(desk.url, undefined);
    const [, url = ''] =
      /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
    const resource = (await (await fetch(url)).json()) as { authorization_servers: string[] };
    expect(resource.authorization_servers).toEqual([desk.origin]);
    const metadata = await fetch(`${desk.origin}/.well-known/oauth-authorization-server`);
    expect(metadata.headers.get('access-control-allow-origin')).toBe('*');
    expect(metadata.headers.get('cache-control')).toContain('max-age=3600');
    expect(await metadata.json()).toMatchObject({
      issuer: desk.origin,
      authorization_endpoint: `${desk.origin}/authorize`,
      registration_endpoint: `${desk.origin}/register`,
      scopes_supported: ['desk:read', 'offline_access'],
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      response_modes_supported: ['query'],
    });
    const keys = (await (await fetch(`${desk.origin}/jwks`)).json()) as { keys: object[] };
    expect(keys.keys).toEqual([expect.not.objectContaining({ d: expect.anything() as unknown })]);
  });

  test('64: a resource with or without a slash, in either leg, or in none', async () => {
    const desk = await startDesk();
    closing.push(() => desk.close());
    const client = await HandClient.register(desk.origin);
    for (const first of [undefined, desk.url, `${desk.url}/`])
      for (const second of [undefined, desk.url, `${desk.url}/`]) {
        const answer = await client.signIn(new Browser(), { resource: first });
        const response = await client.redeem(
          answer.get('code') ?? '',
          second === undefined ? {} : { resource: second },
        );
        const tokens = (await response.json()) as { access_token: string };
        expect(claimsIn(tokens.access_token)['aud']).toBe(desk.url);
      }
    const page = await new Browser().open(
      client.authorizationUrl({ resource: 'https://evil.example/mcp' }),
      isCallback,
    );
    expect(new URL(page.url).searchParams.get('error')).toBe('invalid_target');
  });

  test('60: claude.ai asks with an empty scope, offline_access and prompt=consent', async () => {
    const desk = await startDesk();
    closing.push(() => desk.close());
    const { clients } = await loadClients();
    const body = clients['claude']?.facts['signIn.registration']?.value;
    const registered = (await (await register(desk.origin, body)).json()) as {
      client_id: string;
      client_secret: string;
    };
    expect(registered.client_secret).toEqual(expect.any(String));
    const client = new HandClient(desk.origin, registered.client_id);
    const redirect_uri = 'https://claude.ai/api/mcp/auth_callback';
    const isBack = (url: string): boolean => url.startsWith(redirect_uri);
    const browser = new Browser();
    const url = client.authorizationUrl({ redirect_uri, scope: ' offline_access', prompt: 'consent' });
    const back = await browser.press(await browser.open(url, isBack), 'allow', isBack);
    const code = new URL(back.url).searchParams.get('code') ?? '';
    const response = await client.redeem(code, { redirect_uri, client_secret: registered.client_secret });
    const tokens = (await response.json()) as { access_token: string; refresh_token: string };
    expect(claimsIn(tokens.access_token)['scope']).toBe('desk:read');
    expect(tokens.refresh_token).toEqual(expect.any(String));
    expect((await client.refresh(tokens.refresh_token)).status).toBe(401);
    expect(
      (await client.refresh(tokens.refresh_token, { client_secret: registered.client_secret })).status,
    ).toBe(200);
  });

  test('62: the registrations of all known clients keep their redirects', async () => {
    const desk = await startDesk();
    closing.push(() => desk.close());
    const { clients } = await loadClients();
    for (const [id, { facts }] of Object.entries(clients)) {
      const body = facts['signIn.registration']?.value;
      if (body === undefined) continue;
      const uris = body.redirect_uris.map((uri) => uri.replace(':*', ':45678').replace('*', 'abc'));
      const response = await register(desk.origin, { ...body, redirect_uris: uris });
      expect([id, response.status]).toEqual([id, 201]);
      expect(((await response.json()) as { redirect_uris: string[] }).redirect_uris).toEqual(uris);
    }
  });

  test('59: a client that names no method has a secret, for Basic', async () => {
    const desk = await startDesk();
    closing.push(() => desk.close());
    const response = await register(desk.origin, { redirect_uris: [CALLBACK] });
    const { client_id: id, client_secret: secret = '' } = (await response.json()) as {
      client_id: string;
      client_secret?: string;
    };
    const client = new HandClient(desk.origin, id);
    const code = (await client.signIn()).get('code') ?? '';
    const basic = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64');
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: client.verifier,
    };
    const answer = await fetch(`${desk.origin}/token`, {
      ...{ method: 'POST', body: new URLSearchParams(form), headers: { authorization: `Basic ${basic}` } },
    });
    expect(answer.status).toBe(200);
  });

  test('78: with a path for each tenant, people of another one are refused', async () => {
    const desk = await startDesk({ path: '/t/{tenant}/mcp', provider: { claims: { tenant: 'tid' } } });
    closing.push(() => desk.close());
    desk.upstream.person = { sub: 'ann', tid: 'acme' };
    const client = await HandClient.register(desk.origin);
    const acme = `${desk.origin}/t/acme/mcp`;
    const tokens = await client.tokens(new Browser(), { resource: acme });
    expect(claimsIn(tokens.access_token)).toMatchObject({ tenant: 'acme', aud: acme });
    expect((await whoAmI(acme, tokens.access_token)).status).toBe(200);
    expect((await whoAmI(`${desk.origin}/t/other/mcp`, tokens.access_token)).status).toBe(401);
    const other = await client.signIn(new Browser(), { resource: `${desk.origin}/t/other/mcp` });
    expect(other.get('error')).toBe('access_denied');
    const none = await new Browser().open(client.authorizationUrl(), isCallback);
    expect(new URL(none.url).searchParams.get('error')).toBe('invalid_target');
  });
});

describe('how it runs', () => {
  test('87: nothing is written to stdout', async () => {
    const written: unknown[] = [];
    const { info, log } = console;
    console.info = console.log = (...given: unknown[]) => void written.push(...given);
    try {
      const desk = await startReplicas(1, () => ({}));
      const client = await HandClient.register(desk.origin, {}, desk.ask);
      const tokens = await client.tokens(new Browser(desk.ask));
      await client.refresh(tokens.refresh_token);
      await new Browser(desk.ask).open(
        client.authorizationUrl({ redirect_uri: 'https://evil.example' }),
        isCallback,
      );
      await desk.close();
    } finally {
      Object.assign(console, { info, log });
    }
    expect(written).toEqual([]);
  });

  test('an application that people have signed in to closes at once', async () => {
    const desk = await startReplicas(1, () => ({}));
    const client = await HandClient.register(desk.origin, {}, desk.ask);
    await client.tokens(new Browser(desk.ask));
    await desk.close();
    expect(desk.apps[0]?.isDrained).toBe(true);
  });

  test('93: unfinished sign-ins take bounded room, go first, and are gone after 15 minutes', async () => {
    let now = 0;
    const store = new InMemoryStore({ maxBytes: 1_000_000 }, () => now);
    const desk = await startReplicas(1, () => ({ backplane: { store } }));
    closing.push(() => desk.close());
    const client = await HandClient.register(desk.origin, {}, desk.ask);
    const tokens = await client.tokens(new Browser(desk.ask));
    const browser = new Browser(desk.ask);
    const sizes: number[] = [];
    for (let n = 0; n < 400; n += 1) {
      const answer = await desk.ask(client.authorizationUrl(), { redirect: 'manual' });
      expect(answer.status).toBe(303);
      sizes.push(store.size);
    }
    expect(sizes.at(-1)).toBeLessThan(300);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
    expect((await client.tokens(new Browser(desk.ask))).access_token).not.toBe('');
    const { url } = await browser.open(client.authorizationUrl(), isCallback);
    now += 14 * 60_000;
    expect((await browser.open(url, isCallback)).status).toBe(200);
    now += 60_001;
    expect((await browser.open(url, isCallback)).status).toBe(400);
  });

  test('90: nothing secret is logged', async () => {
    const desk = await startDesk();
    closing.push(() => desk.close());
    const client = await HandClient.register(desk.origin);
    const tokens = await client.tokens();
    await client.redeem('a-code-that-nobody-has');
    const logged = JSON.stringify(desk.logger.records);
    for (const each of [tokens.access_token, tokens.refresh_token, 'ann@acme.example', SECRET])
      expect(logged).not.toContain(each);
  });
});

describe('29 to 31: documents of clients', () => {
  test.each([
    ...[
      '10.0.0.1',
      '169.254.169.254',
      '127.0.0.1',
      '0.0.0.0',
      '100.64.0.1',
      '192.168.1.1',
      '172.16.0.1',
      '224.0.0.1',
    ],
    ...[
      '::1',
      '::',
      '::ffff:10.0.0.1',
      '64:ff9b::a00:1',
      'fc00::1',
      'fe80::1',
      '2001:db8::1',
      '2002:a00:1::',
      'ff02::1',
    ],
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    'https://10.0.0.1/doc',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/doc',
    'https://[::ffff:10.0.0.1]/doc',
    'https://2130706433/doc',
    'https://localhost/doc',
    'http://example.com/doc',
  ])('%s is refused before a connection', async (url) => {
    await expect(fetchGuarded(url)).rejects.toThrow(/public|https/);
  });

  test.each([
    [
      'another client_id',
      async () => Response.json({ client_id: 'https://other.example/d', redirect_uris: [CALLBACK] }),
    ],
    [
      'a secret',
      async (url: string) => Response.json({ client_id: url, client_secret: 'x', redirect_uris: [CALLBACK] }),
    ],
    ['HTML', async () => new Response('<html>')],
    ['1 MB', async () => new Response('x'.repeat(1024 * 1024))],
    [
      'no end',
      async () => new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(65_536)) })),
    ],
    [
      'a redirect',
      async () => new Response(null, { status: 302, headers: { location: 'https://10.0.0.1/' } }),
    ],
    [
      '33: redirects elsewhere',
      async (url: string) => Response.json({ client_id: url, redirect_uris: ['https://evil.example/cb'] }),
    ],
  ])('a document with %s is refused on a page', async (_case, answer) => {
    const desk = await startDesk({ signIn: { clients: { metadata: { fetch: answer } } } });
    closing.push(() => desk.close());
    const client = new HandClient(desk.origin, 'https://client.example/oauth/doc.json');
    const page = await new Browser().open(client.authorizationUrl(), () => false);
    expect([page.status, page.text.includes('This sign-in cannot continue')]).toEqual([400, true]);
  });

  test('31, 32: URLs that are none are not asked for, and others so often only', async () => {
    let asked = 0;
    const count = async (): Promise<Response> => Promise.reject(new Error(String((asked += 1))));
    const desk = await startDesk({
      signIn: { clients: { metadata: { fetch: count } }, limits: { metadata: 3, authorize: 1000 } },
    });
    closing.push(() => desk.close());
    const open = (id: string) =>
      new Browser().open(new HandClient(desk.origin, id).authorizationUrl(), () => false);
    for (const id of [
      'https://a@client.example/d',
      'https://client.example/d#f',
      'https://client.example/a/../d',
      'http://client.example/d',
    ])
      expect((await open(id)).status).toBe(400);
    expect(asked).toBe(0);
    for (let n = 0; n < 5; n += 1) await open(`https://client.example/${String(n)}`);
    expect(asked).toBe(3);
  });
});
