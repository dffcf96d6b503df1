import { afterEach, describe, expect, test } from '@jest/globals';
import { McpApplication } from 'toolwright';
import { Browser } from '../support/sign-in/browser.ts';
import {
  CALLBACK,
  DeskModule,
  HandClient,
  isCallback,
  startDesk,
  type Desk,
} from '../support/sign-in/desk.ts';
import { oidc, type SignInOptions } from 'toolwright/sign-in';

const HOME = 'https://chat.acme.example/callback';
const isHome = (url: string): boolean => url.startsWith(HOME) || isCallback(url);

let desk: Desk | undefined;
afterEach(async () => {
  await desk?.close();
  desk = undefined;
});

async function start(signIn: Partial<SignInOptions>): Promise<Desk> {
  desk = await startDesk({ signIn: { redirects: [HOME], ...signIn } });
  return desk;
}

/** A browser that says how its requests came about. */
function browserFrom(site: () => string | undefined): Browser {
  return new Browser(((input: string, init: RequestInit = {}) => {
    const said = site();
    const headers = new Headers(init.headers);
    if (said !== undefined) headers.set('sec-fetch-site', said);
    return fetch(input, { ...init, headers });
  }) as typeof fetch);
}

interface Visit {
  readonly site?: string;
  readonly scope?: string;
  readonly redirect?: string;
  readonly prompt?: string;
}

/** One person with one client, who comes back. */
async function startVisits(signIn: Partial<SignInOptions> = {}, uris = [HOME, CALLBACK]) {
  const { origin, upstream } = await start({ consent: 'remember', ...signIn });
  const client = await HandClient.register(origin, { redirect_uris: uris });
  let site: string | undefined = 'none';
  const browser = browserFrom(() => site);
  const open = ({ site: from = 'none', scope = 'desk:read', redirect = HOME, prompt }: Visit = {}) => {
    site = from;
    return browser.open(client.authorizationUrl({ redirect_uri: redirect, scope, prompt }), isHome);
  };
  /** Whether the page is shown. */
  const isAsked = async (visit: Visit = {}): Promise<boolean> => (await open(visit)).status === 200;
  const agree = async (visit: Visit = {}): Promise<void> => {
    const page = await open(visit);
    site = 'same-origin';
    expect(new URL((await browser.press(page, 'allow', isHome)).url).searchParams.get('code')).not.toBeNull();
  };
  return { ...{ browser, upstream, client, open, isAsked, agree } };
}

describe("85: consent: 'remember'", () => {
  test('the same person, client, place and scopes: no page the second time', async () => {
    const { open, agree } = await startVisits();
    await agree();
    const { status, url } = await open();
    expect(status).toBe(303);
    expect(new URL(url).searchParams.get('code')).not.toBeNull();
  });

  test.each<[string, Visit]>([
    ['more scopes', { scope: 'desk:read desk:write' }],
    ['a page that sends the browser', { site: 'cross-site' }],
    ['a browser that does not say', { site: '' }],
    ['another place of the client', { redirect: CALLBACK }],
    ['a client that wants the page', { prompt: 'consent' }],
  ])('%s: the page', async (_, visit) => {
    const { agree, isAsked } = await startVisits();
    await agree();
    expect(await isAsked(visit)).toBe(true);
    expect(await isAsked()).toBe(false);
  });

  test('a program on this computer: the page, every time', async () => {
    const { agree, isAsked } = await startVisits();
    await agree({ redirect: CALLBACK });
    expect(await isAsked({ redirect: CALLBACK })).toBe(true);
  });

  test('another person at the provider: the page, and nothing is granted before', async () => {
    const { agree, open, isAsked, browser, upstream } = await startVisits();
    await agree();
    upstream.person = { sub: 'bob', name: 'Bob' };
    browser.forget(new URL(upstream.url).host);
    const page = await open();
    expect(page.status).toBe(200);
    expect(page.text).toContain('/allow');
    expect(await desk?.app.signIn.list({ sub: 'bob' })).toEqual([]);
    expect(await isAsked()).toBe(true);
  });

  test('a consent ends with the sign-in that it was given for', async () => {
    const { agree, isAsked } = await startVisits();
    await agree();
    await desk?.app.signIn.end({ sub: 'ann' });
    expect(await isAsked()).toBe(true);
  });

  test('is not remembered where the option does not say so', async () => {
    const { agree, isAsked } = await startVisits({ consent: 'always' });
    await agree();
    expect(await isAsked()).toBe(true);
  });
});

describe("86: consent: 'provider'", () => {
  const portal = { id: 'portal', name: 'Portal', redirects: [HOME] };

  test('clients of the application see no page', async () => {
    const clients = { register: false, metadata: false, static: [portal] };
    const { origin } = await start({ consent: 'provider', clients });
    const client = new HandClient(origin, 'portal');
    const { url } = await new Browser().open(client.authorizationUrl({ redirect_uri: HOME }), isHome);
    expect(new URL(url).searchParams.get('code')).not.toBeNull();
  });

  test.each([
    ['without clients', {}],
    ['with registration', { clients: { metadata: false, static: [portal] } }],
    ['with documents', { clients: { register: false, static: [portal] } }],
  ])('is refused at the start %s', async (_, signIn) => {
    const provider = oidc({ issuer: 'https://id.example', clientId: 'desk' });
    const auth = {
      resource: 'http://127.0.0.1:9/mcp',
      signIn: { provider, consent: 'provider' as const, ...signIn },
    };
    await expect(McpApplication.create(DeskModule, { name: 'desk', auth })).rejects.toThrow(
      /without asking them/,
    );
  });
});
