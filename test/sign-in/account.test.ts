import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { InMemoryStore } from 'toolwright';
import { useBrowser } from '../support/explorer-tab.ts';
import { violations } from '../support/page-faults.ts';
import { Browser, type Page } from '../support/sign-in/browser.ts';
import { HandClient, startDesk, startReplicas, type Desk } from '../support/sign-in/desk.ts';

const used = useBrowser();
/** Where to keep pictures; undefined for nowhere. */
const SHOTS = process.env['SHOTS'];
const never = (): boolean => false;

let desk: Desk;
let german: Desk;
beforeAll(async () => {
  desk = await startDesk();
  german = await startDesk({ signIn: { page: { language: 'de' } } });
});
afterAll(async () => {
  await desk.close();
  await german.close();
});

function field(page: Page, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? '';
}

/** Sends a form of the page. */
function send(
  browser: Browser,
  origin: string,
  step: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = { origin },
): Promise<Page> {
  return browser.open(`${origin}/sign-in/account/${step}`, never, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  });
}

async function openAccount(browser: Browser, origin: string): Promise<Page> {
  const start = await browser.open(`${origin}/sign-in/account`, never);
  return send(browser, origin, 'sign-in', { provider: field(start, 'provider') });
}

const isWider = (page: { evaluate(script: string): Promise<unknown> }): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth > innerWidth');

describe('the page where people end what clients may do', () => {
  test.each<[string, 'light' | 'dark', () => Desk, readonly [string, string, string]]>([
    ['light', 'light', () => desk, ['Sign in with Acme ID', 'End', 'End all']],
    ['dark', 'dark', () => desk, ['Sign in with Acme ID', 'End', 'End all']],
    ['German', 'light', () => german, ['Mit Acme ID anmelden', 'beenden', 'Alle beenden']],
  ])('%s: works without script at 390 px, and anybody can read it', async (name, colorScheme, at, texts) => {
    const { origin } = at();
    const [signIn, end, endAll] = texts;
    for (const client_name of ['<b>Alpha</b>', 'Beta of a name that is as long as one may be, and more'])
      await (await HandClient.register(origin, { client_name })).tokens();
    const context = await used.browser.newContext({
      ...{ viewport: { width: 390, height: 740 }, colorScheme },
    });
    const page = await context.newPage();
    const check = async (step: string): Promise<void> => {
      if (SHOTS !== undefined)
        await page.screenshot({ path: `${SHOTS}/account-${name}-${step}.png`, fullPage: true });
      expect(await isWider(page)).toBe(false);
      expect(await violations(page)).toEqual([]);
    };
    const press = (text: string): Promise<void> => page.getByRole('button', { name: text }).first().click();
    await page.goto(`${origin}/sign-in/account`);
    expect(await page.locator('script').count()).toBe(0);
    await check('start');
    await press(signIn);
    await page.waitForURL(`${origin}/sign-in/account`);
    expect(await page.locator('li strong').allTextContents()).toContain('<b>Alpha</b>');
    await check('list');
    await press(name === 'German' ? '<b>Alpha</b> beenden' : `${end} <b>Alpha</b>`);
    await page.waitForFunction('document.querySelectorAll("main > ul > li").length === 1');
    for (const client_name of ['Gamma']) await (await HandClient.register(origin, { client_name })).tokens();
    await page.reload();
    await press(endAll);
    await page.waitForFunction('document.querySelectorAll("main > ul > li").length === 0');
    await check('none');
    expect(await at().app.signIn.list({ sub: 'ann' })).toEqual([]);
    await context.close();
  });

  test('a form of another page, one without its token, and one that is sent again', async () => {
    const { origin, app } = desk;
    await (await HandClient.register(origin)).tokens();
    const browser = new Browser();
    const page = await openAccount(browser, origin);
    const [token, grant] = [field(page, 'token'), field(page, 'grant')];
    const foreign = { origin: 'https://evil.example' };
    expect((await send(browser, origin, 'end', { token, grant }, foreign)).status).toBe(403);
    const site = { origin, 'sec-fetch-site': 'same-site' };
    expect((await send(browser, origin, 'end', { token, grant }, site)).status).toBe(403);
    expect((await send(browser, origin, 'end', { grant })).status).toBe(403);
    expect((await send(browser, origin, 'end-all', { token: `${token.slice(1)}x` })).status).toBe(403);
    expect(await app.signIn.list({ sub: 'ann' })).toHaveLength(1);
    expect((await send(browser, origin, 'end', { token, grant })).text).not.toContain(grant);
    await (await HandClient.register(origin)).tokens();
    expect((await send(browser, origin, 'end', { token, grant })).status).toBe(200);
    expect(await app.signIn.list({ sub: 'ann' })).toHaveLength(1);
    await app.signIn.end({ sub: 'ann' });
  });

  test('a browser that did not begin it, and an address that is opened twice, open no page', async () => {
    const { origin } = desk;
    const browser = new Browser();
    const start = await browser.open(`${origin}/sign-in/account`, never);
    const isDone = (url: string): boolean => url.startsWith(`${origin}/sign-in/account/done`);
    const form = { method: 'POST', headers: { origin, 'content-type': 'application/x-www-form-urlencoded' } };
    const body = new URLSearchParams({ provider: field(start, 'provider') }).toString();
    const { url } = await browser.open(`${origin}/sign-in/account/sign-in`, isDone, { ...form, body });
    expect((await new Browser().open(url, never)).status).toBe(400);
    const made = url.replace(/state=[^&]+/, 'state=account.made-up');
    expect((await browser.open(made, never)).status).toBe(400);
    const opened = await browser.open(url, never);
    expect(field(opened, 'token')).toMatch(/^[\w-]{32}$/);
    expect((await browser.open(url, never)).status).toBe(400);
    const headers = opened.response.headers;
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    await send(browser, origin, 'leave', { token: field(opened, 'token') });
    expect(field(await browser.open(`${origin}/sign-in/account`, never), 'token')).toBe('');
  });

  test('each step at another instance: nobody sees or ends what is of another person', async () => {
    const store = new InMemoryStore();
    const replicas = await startReplicas(2, () => ({ backplane: { store } }));
    const { origin, upstream, ask, apps } = replicas;
    try {
      const clients = await Promise.all([1, 2].map(() => HandClient.register(origin, {}, ask)));
      const [ofAnn, ofBob] = [clients[0] as HandClient, clients[1] as HandClient];
      const anns = await ofAnn.tokens();
      const [ann, bob] = [new Browser(ask), new Browser(ask)];
      const annsPage = await openAccount(ann, origin);
      upstream.person = { sub: 'bob', roles: [] };
      const bobs = await ofBob.tokens();
      const bobsPage = await openAccount(bob, origin);
      const [annsGrant, bobsGrant] = [field(annsPage, 'grant'), field(bobsPage, 'grant')];
      expect(annsPage.text).not.toContain(bobsGrant);
      expect(bobsPage.text).not.toContain(annsGrant);
      const token = field(bobsPage, 'token');
      await send(bob, origin, 'end', { token, grant: annsGrant });
      expect((await send(ann, origin, 'end', { token, grant: annsGrant })).status).toBe(403);
      expect(await apps[0]?.signIn.list({ sub: 'ann' })).toHaveLength(1);
      const call = async (access: string): Promise<readonly number[]> => {
        const all = apps.map((app) => app.fetch(whoRequest(origin, access)).then(({ status }) => status));
        return Promise.all(all);
      };
      expect(await call(bobs.access_token)).toEqual([200, 200]);
      await send(bob, origin, 'end-all', { token });
      // What an instance has just looked up counts for a moment
      let seen = await call(bobs.access_token);
      for (const until = Date.now() + 5000; seen.includes(200) && Date.now() < until; await nextTurn())
        seen = await call(bobs.access_token);
      expect(seen).toEqual([401, 401]);
      expect((await ofBob.refresh(bobs.refresh_token)).status).toBe(400);
      expect(await call(anns.access_token)).toEqual([200, 200]);
    } finally {
      await replicas.close();
    }
  });
});

function whoRequest(origin: string, token: string): Request {
  return new Request(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '0' } },
    }),
  });
}
