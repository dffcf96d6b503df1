import { afterEach, describe, expect, test } from '@jest/globals';
import { Action, McpApplication, Module, ToolContext, ToolGroup } from 'toolwright';
import {
  auth0,
  cognito,
  entra,
  github,
  google,
  keycloak,
  oidc,
  okta,
  providers,
  type SignInProvider,
} from 'toolwright/sign-in';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey } from 'jose';
import { MemoryLogger } from '../support/memory-logger.ts';
import { Browser } from '../support/sign-in/browser.ts';
import { claimsIn, HandClient, isCallback, SECRET, type Tokens } from '../support/sign-in/desk.ts';

@ToolGroup({ name: 'files' })
class FileTools {
  @Action('Gives the token')
  async token(ctx: ToolContext) {
    return (await ctx.upstream?.token()) ?? 'none';
  }
  @Action('Gives a token for another service')
  async exchange(ctx: ToolContext) {
    return (await ctx.upstream?.exchange({ audience: 'https://api.example', scopes: ['read'] })) ?? 'none';
  }
  @Action('Fetches elsewhere')
  async elsewhere(ctx: ToolContext) {
    return String((await ctx.upstream?.fetch('https://evil.example/'))?.status);
  }
}
@Module({ controllers: [FileTools] })
class FileModule {}

type Form = URLSearchParams;

/** A provider that a test writes: it maps all hosts to one server on this machine. */
class SimulatedProvider {
  readonly authorizations: URLSearchParams[] = [];
  readonly forms: {
    readonly path: string;
    readonly form: Form;
    readonly authorization: string | undefined;
  }[] = [];
  /** What an answer of the token endpoint has beside an access token. */
  reply: (form: Form) => object = () => ({ refresh_token: 'r-1', expires_in: 3600 });
  claims: Record<string, unknown> = { sub: 'ann' };
  status: (form: Form) => number = () => 200;
  person: unknown = undefined;
  hasIdToken = true;
  isSigned = true;
  readonly #issuer: string;
  readonly #clientId: string;
  #key: CryptoKey | undefined;
  #jwk: object = {};
  #nonce = '';
  #count = 0;

  constructor(issuer: string, clientId = 'desk') {
    this.#issuer = issuer;
    this.#clientId = clientId;
  }

  async start(): Promise<this> {
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    this.#key = privateKey;
    this.#jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' };
    return this;
  }

  /** In place of the network. */
  readonly fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { pathname, origin } = new URL(url);
    const base = this.#issuer.replace(/\/$/, '');
    if (url === `${base}/.well-known/openid-configuration`) {
      return Response.json({
        ...{
          issuer: this.#issuer,
          authorization_endpoint: `${base}/authorize`,
          token_endpoint: `${base}/token`,
        },
        ...{
          jwks_uri: `${base}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
        },
        ...{
          id_token_signing_alg_values_supported: ['RS256'],
          scopes_supported: ['openid', 'offline_access'],
        },
      });
    }
    if (url === `${base}/keys`) return Response.json({ keys: [this.#jwk] });
    if (pathname === '/user') return Response.json(this.person);
    return this.#answer(`${origin}${pathname}`, init);
  };

  async #answer(path: string, init: RequestInit): Promise<Response> {
    const body =
      init.body instanceof URLSearchParams || typeof init.body === 'string' ? init.body.toString() : '';
    const form = new URLSearchParams(body);
    const authorization = new Headers(init.headers).get('authorization') ?? undefined;
    this.forms.push({ path, form, authorization });
    if (!/token$/.test(path)) return new Response(null, { status: 200 });
    const status = this.status(form);
    if (status !== 200)
      return Response.json({ error: status === 503 ? 'server_error' : 'invalid_grant' }, { status });
    this.#count += 1;
    const answer = { access_token: `a-${String(this.#count)}`, token_type: 'bearer', ...this.reply(form) };
    if (!this.hasIdToken || form.get('grant_type') === TOKEN_EXCHANGE) return Response.json(answer);
    return Response.json({ ...answer, id_token: await this.#idToken() });
  }

  /** Follows what a browser would do at the provider. */
  back(url: string): string {
    const { searchParams } = new URL(url);
    this.authorizations.push(searchParams);
    this.#nonce = searchParams.get('nonce') ?? '';
    const to = new URL(searchParams.get('redirect_uri') ?? '');
    to.searchParams.set('code', 'c');
    to.searchParams.set('state', searchParams.get('state') ?? '');
    return to.href;
  }

  #idToken(): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: this.#issuer,
      aud: this.#clientId,
      iat: now,
      exp: now + 300,
      nonce: this.#nonce,
      ...this.claims,
    };
    const known = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== ''));
    if (!this.isSigned) return Promise.resolve(new UnsecuredJWT(known).encode());
    return new SignJWT(known).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(this.#key as CryptoKey);
  }
}

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ORIGIN = 'https://desk.example';
const SECRETS = { clientId: 'desk', clientSecret: 'a secret' };
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Signed {
  readonly app: McpApplication;
  readonly client: HandClient;
  signIn(): Promise<URLSearchParams>;
  tokens(): Promise<Tokens>;
  call(
    tokens: Tokens,
    action: string,
  ): Promise<{ readonly isError?: boolean; readonly text: string; readonly status: number }>;
}

async function started(simulated: SimulatedProvider, signIn: SignInProvider, ttl = {}): Promise<Signed> {
  const app = await McpApplication.create(FileModule, {
    ...{ name: 'files', secrets: [SECRET], logger: new MemoryLogger() },
    auth: { resource: `${ORIGIN}/mcp`, signIn: { provider: signIn, ...ttl } },
  });
  closing.push(() => app.close());
  const ask = ((url: string, init?: RequestInit) => app.fetch(new Request(url, init))) as typeof fetch;
  const client = await HandClient.register(ORIGIN, {}, ask);
  const sent = async (provider?: string): Promise<URLSearchParams> => {
    const browser = new Browser(ask);
    const page = await browser.open(client.authorizationUrl({ scope: 'mcp' }), isCallback);
    const there = await browser.press(page, 'allow', (url) => !url.startsWith(ORIGIN), provider);
    const back = await browser.open(simulated.back(there.url), isCallback);
    return new URL(back.url).searchParams;
  };
  return {
    ...{ app, client, signIn: sent },
    tokens: async () => {
      const answer = await sent();
      const response = await client.redeem(answer.get('code') ?? '');
      if (response.status !== 200) throw new Error(`${answer.toString()} ${await response.text()}`);
      return (await response.json()) as Tokens;
    },
    call: async (tokens, action) => {
      const body = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'files', arguments: { action } },
      };
      const response = await ask(`${ORIGIN}/mcp`, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' },
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      const read = /^data: (.*)$/m.exec(text)?.[1] ?? text;
      const { result } = JSON.parse(read) as { result?: { isError?: boolean; content: { text: string }[] } };
      return {
        status: response.status,
        text: result?.content[0]?.text ?? read,
        isError: result?.isError === true,
      };
    },
  };
}

describe('what each provider needs', () => {
  const host = (issuer: string) => new SimulatedProvider(issuer).start();

  test('google: no offline_access, asked for consent, and the company is required', async () => {
    const simulated = await host('https://accounts.google.com');
    simulated.claims = { sub: '1', hd: 'acme.com', email: 'ann@acme.com' };
    const desk = await started(
      simulated,
      google({ ...SECRETS, domains: ['acme.com'], fetch: simulated.fetch }),
    );
    expect(claimsIn((await desk.tokens()).access_token)).toMatchObject({ sub: '1', tenant: 'acme.com' });
    const [asked] = simulated.authorizations;
    expect(asked?.get('scope')).not.toContain('offline_access');
    expect([asked?.get('access_type'), asked?.get('prompt')]).toEqual(['offline', 'consent']);
    simulated.claims = { sub: '2', email: 'eve@acme.com', email_verified: true };
    expect((await desk.signIn()).get('error')).toBe('access_denied');
    await desk.app.signIn.end({ sub: '1', tenant: 'acme.com' });
    expect(simulated.forms.some(({ path }) => path === 'https://oauth2.googleapis.com/revoke')).toBe(true);
  });

  test('google: an answer without a refresh token keeps the one before', async () => {
    const simulated = await host('https://accounts.google.com');
    simulated.reply = (form) =>
      form.get('grant_type') === 'refresh_token'
        ? { expires_in: 30 }
        : { refresh_token: 'first', expires_in: 30 };
    const desk = await started(simulated, google({ ...SECRETS, fetch: simulated.fetch }));
    const tokens = await desk.tokens();
    expect((await desk.call(tokens, 'token')).text).toBe('a-2');
    expect((await desk.call(tokens, 'token')).text).toBe('a-3');
    expect(simulated.forms.at(-1)?.form.get('refresh_token')).toBe('first');
  });

  test('github: no ID token, no iss, the id and never the login, errors with 200', async () => {
    const simulated = new SimulatedProvider('https://github.com/login/oauth');
    simulated.hasIdToken = false;
    simulated.reply = () => ({});
    simulated.person = { id: 42, login: 'ann', name: 'Ann' };
    const desk = await started(await simulated.start(), github({ ...SECRETS, fetch: simulated.fetch }));
    expect(claimsIn((await desk.tokens()).access_token)).toMatchObject({ sub: '42', name: 'Ann' });
    expect(simulated.forms[0]).toMatchObject({ path: 'https://github.com/login/oauth/access_token' });
    expect(simulated.forms[0]?.form.get('client_secret')).toBe('a secret');
    await desk.app.signIn.end({ sub: '42' });
    expect(simulated.forms.at(-1)?.path).toBe('https://api.github.com/applications/desk/grant');
    simulated.reply = () => ({ access_token: undefined, error: 'bad_verification_code' });
    expect((await desk.signIn()).get('error')).toBe('access_denied');
  });

  test('entra: the subject is tenant and object, never a resource parameter, and common needs tenants', async () => {
    const simulated = await host('https://login.microsoftonline.com/t-1/v2.0');
    simulated.claims = {
      sub: 'pairwise',
      tid: 't-1',
      oid: 'o-1',
      roles: ['Desk.Read'],
      email: 'ceo@acme.com',
    };
    const desk = await started(simulated, entra({ ...SECRETS, tenant: 't-1', fetch: simulated.fetch }));
    expect(claimsIn((await desk.tokens()).access_token)).toMatchObject({
      sub: 't-1.o-1',
      tenant: 't-1',
      roles: ['Desk.Read'],
    });
    expect(simulated.authorizations[0]?.get('resource')).toBeNull();
    expect(simulated.authorizations[0]?.get('scope')).toContain('offline_access');
    expect(simulated.forms.every(({ form }) => form.get('resource') === null)).toBe(true);
    expect(() => entra({ ...SECRETS, tenant: 'common' })).toThrow(/tenants/);
  });

  test('entra: on behalf of the person, once', async () => {
    const simulated = await host('https://login.microsoftonline.com/t-1/v2.0');
    simulated.claims = { sub: 'pairwise', tid: 't-1', oid: 'o-1' };
    const desk = await started(simulated, entra({ ...SECRETS, tenant: 't-1', fetch: simulated.fetch }));
    const tokens = await desk.tokens();
    const first = await desk.call(tokens, 'exchange');
    expect((await desk.call(tokens, 'exchange')).text).toBe(first.text);
    const asked = simulated.forms.filter(({ form }) => form.get('requested_token_use') === 'on_behalf_of');
    expect(asked).toHaveLength(1);
  });

  test('okta: groups are the roles, and refresh tokens rotate', async () => {
    const simulated = await host('https://acme.okta.com/oauth2/default');
    simulated.claims = { sub: 'ann', groups: ['staff'] };
    let count = 0;
    simulated.reply = () => ({ refresh_token: `r-${String((count += 1))}`, expires_in: 30 });
    const desk = await started(
      simulated,
      okta({ ...SECRETS, domain: 'acme.okta.com', fetch: simulated.fetch }),
    );
    const tokens = await desk.tokens();
    expect(claimsIn(tokens.access_token)).toMatchObject({ roles: ['staff'] });
    await Promise.all(Array.from({ length: 20 }, () => desk.call(tokens, 'token')));
    const used = simulated.forms.flatMap(({ form }) => form.get('refresh_token') ?? []);
    expect(new Set(used).size).toBe(used.length);
    expect(simulated.forms[0]?.authorization).toMatch(/^Basic /);
  });

  test('auth0: the issuer ends with a slash, roles have a name of their own', async () => {
    const simulated = await host('https://acme.eu.auth0.com/');
    simulated.claims = { sub: 'auth0|1', org_id: 'org-1', 'https://acme.com/roles': ['editor'] };
    const options = { ...SECRETS, domain: 'acme.eu.auth0.com', claims: { roles: 'https://acme.com/roles' } };
    const desk = await started(simulated, auth0({ ...options, fetch: simulated.fetch }));
    expect(claimsIn((await desk.tokens()).access_token)).toMatchObject({
      sub: 'auth0|1',
      tenant: 'org-1',
      roles: ['editor'],
    });
  });

  test('keycloak: roles come where a mapper puts them, and offline_access is asked for', async () => {
    const simulated = await host('https://id.acme.com/realms/staff');
    simulated.claims = { sub: 'ann', realm_access: { roles: ['editor'] } };
    const desk = await started(
      simulated,
      keycloak({ ...SECRETS, url: 'https://id.acme.com', realm: 'staff', fetch: simulated.fetch }),
    );
    expect(claimsIn((await desk.tokens()).access_token)).toMatchObject({ roles: ['editor'] });
    expect(simulated.authorizations[0]?.get('scope')).toContain('offline_access');
  });

  test('cognito: offline_access would be invalid_scope', async () => {
    const simulated = await host('https://cognito-idp.eu-central-1.amazonaws.com/pool');
    simulated.claims = { sub: 'ann', 'cognito:groups': ['staff'] };
    const desk = await started(
      simulated,
      cognito({ ...SECRETS, region: 'eu-central-1', pool: 'pool', fetch: simulated.fetch }),
    );
    expect(claimsIn((await desk.tokens()).access_token)).toMatchObject({ roles: ['staff'] });
    expect(simulated.authorizations[0]?.get('scope')).not.toContain('offline_access');
  });

  test('79: people of two providers never meet', async () => {
    const simulated = await host('https://accounts.google.com');
    const both = providers([
      google({ ...SECRETS, fetch: simulated.fetch }),
      oidc({ ...SECRETS, issuer: 'https://id.example', fetch: simulated.fetch }),
    ]);
    const desk = await started(simulated, both);
    const answer = await (desk.signIn as (provider: string) => Promise<URLSearchParams>)('google');
    const tokens = (await (await desk.client.redeem(answer.get('code') ?? '')).json()) as Tokens;
    expect(claimsIn(tokens.access_token)).toMatchObject({ sub: 'google:ann' });
  });
});

describe('what a provider says that is wrong', () => {
  test.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'another' }],
    ['another nonce', { nonce: 'another' }],
    ['a time that is over', { exp: 1 }],
    ['alg: none', {}],
  ])('24: %s refuses the person', async (name, claims) => {
    const simulated = await new SimulatedProvider('https://id.example').start();
    const desk = await started(
      simulated,
      oidc({ ...SECRETS, issuer: 'https://id.example', fetch: simulated.fetch }),
    );
    simulated.claims = { sub: 'ann', ...claims };
    simulated.isSigned = name !== 'alg: none';
    expect((await desk.signIn()).get('error')).toBe('access_denied');
  });
});

describe('what handlers get of the provider', () => {
  async function desk() {
    const simulated = await new SimulatedProvider('https://id.example').start();
    const provider = oidc({ ...SECRETS, issuer: 'https://id.example', fetch: simulated.fetch });
    return { simulated, ...(await started(simulated, provider)) };
  }

  test('an assertion takes the place of the secret', async () => {
    const simulated = await new SimulatedProvider('https://id.example').start();
    const clientAssertion = async (): Promise<string> => Promise.resolve('an assertion');
    const options = {
      clientId: 'desk',
      clientAssertion,
      issuer: 'https://id.example',
      fetch: simulated.fetch,
    };
    const { tokens } = await started(simulated, oidc(options));
    await tokens();
    expect(simulated.forms[0]?.form.get('client_assertion')).toBe('an assertion');
  });

  test('75: a person whose token is taken no more signs in again, and the next request is refused', async () => {
    const { simulated, tokens, call } = await desk();
    simulated.reply = () => ({ refresh_token: 'r', expires_in: 10 });
    const signed = await tokens();
    simulated.status = () => 400;
    const refused = await call(signed, 'token');
    expect([refused.isError, refused.text]).toEqual([
      true,
      expect.stringContaining('UPSTREAM_SIGN_IN_NEEDED'),
    ]);
    expect((await call(signed, 'token')).status).toBe(401);
  });

  test('72: a provider that is down costs nothing', async () => {
    const { simulated, tokens, call, client } = await desk();
    simulated.reply = () => ({ refresh_token: 'r', expires_in: 10 });
    const signed = await tokens();
    simulated.status = () => 503;
    expect((await call(signed, 'token')).text).toContain('UPSTREAM_UNAVAILABLE');
    simulated.status = () => 200;
    expect((await call(signed, 'token')).isError).toBe(false);
    expect((await client.refresh(signed.refresh_token)).status).toBe(200);
  });

  test('76: a token for another service is asked for once, and never sent elsewhere', async () => {
    const { simulated, tokens, call } = await desk();
    const signed = await tokens();
    const first = await call(signed, 'exchange');
    expect((await call(signed, 'exchange')).text).toBe(first.text);
    expect(simulated.forms.filter(({ form }) => form.get('grant_type') === TOKEN_EXCHANGE)).toHaveLength(1);
    expect((await call(signed, 'elsewhere')).text).toContain('UPSTREAM_SCOPE');
  });
});

describe('roles', () => {
  test('77, 51: what is taken away at the provider is gone after a refresh', async () => {
    const simulated = await new SimulatedProvider('https://id.example').start();
    const provider = oidc({ ...SECRETS, issuer: 'https://id.example', fetch: simulated.fetch });
    const desk = await started(simulated, provider, { accessTokenTtl: 1 });
    simulated.claims = { sub: 'ann', roles: ['editor'] };
    const tokens = await desk.tokens();
    simulated.claims = { sub: 'ann', roles: [] };
    const next = (await (await desk.client.refresh(tokens.refresh_token)).json()) as Tokens;
    expect(claimsIn(next.access_token)['roles']).toEqual([]);
    simulated.status = () => 400;
    expect((await desk.client.refresh(next.refresh_token)).status).toBe(400);
  });
});
