import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { Pages } from '../../src/sign-in/consent-page.ts';
import { useBrowser } from '../support/explorer-tab.ts';
import { violations } from '../support/page-faults.ts';
import { HandClient, startDesk, type Desk } from '../support/sign-in/desk.ts';

const used = useBrowser();
const LONG = 'A program whose name is as long as one may be, and then some more';
/** One dot. */
const PICTURE = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
/** Where to keep pictures; undefined for nowhere. */
const SHOTS = process.env['SHOTS'];

let desk: Desk;
let german: Desk;
let program: HttpServer;
let callback: string;
beforeAll(async () => {
  program = createServer((_, response) => response.end('done'));
  await once(program.listen(0, '127.0.0.1'), 'listening');
  callback = `http://127.0.0.1:${String((program.address() as AddressInfo).port)}/callback`;
  const scopes = { 'desk:read': 'Read your desk', 'desk:write': 'Change your desk, and everything on it' };
  desk = await startDesk({ signIn: { scopes, page: { support: 'help@acme.example' } } });
  german = await startDesk({ signIn: { scopes, page: { language: 'de', logo: PICTURE } } });
});
afterAll(async () => {
  await desk.close();
  await german.close();
  program.close();
  program.closeAllConnections();
});

interface Seen {
  readonly width?: number;
  readonly colorScheme?: 'dark' | 'light';
  readonly at?: Desk;
}

/** The page in a browser of its own, until the test is over. */
async function look(
  name: string,
  { width = 390, colorScheme = 'light', at = desk }: Seen,
  check: (page: Page) => Promise<void>,
): Promise<void> {
  const client = await HandClient.register(at.origin, {
    ...{ client_name: LONG, redirect_uris: [callback] },
  });
  const context = await used.browser.newContext({ viewport: { width, height: 740 }, colorScheme });
  try {
    const page = await context.newPage();
    await page.goto(client.authorizationUrl({ scope: 'desk:read desk:write', redirect_uri: callback }));
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
    await check(page);
  } finally {
    await context.close();
  }
}

/** What the client gets: it listens on this computer. */
async function comesBack(page: Page, act: () => Promise<unknown>): Promise<URLSearchParams> {
  await Promise.all([page.waitForURL((url) => url.href.startsWith(callback), { timeout: 5000 }), act()]);
  return new URL(page.url()).searchParams;
}

const isWider = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > innerWidth');

describe('84: the page where people agree', () => {
  test.each<[string, Seen]>([
    ['320-light', { width: 320 }],
    ['390-light', { width: 390 }],
    ['390-dark', { width: 390, colorScheme: 'dark' }],
    ['320-dark', { width: 320, colorScheme: 'dark' }],
    ['1280-light', { width: 1280 }],
  ])('%s: fits, and anybody can read it', async (name, seen) => {
    await look(name, seen, async (page) => {
      expect(await isWider(page)).toBe(false);
      expect(await violations(page)).toEqual([]);
    });
  });

  test('in German', async () => {
    await look('320-german', { width: 320, at: german }, async (page) => {
      expect(await isWider(page)).toBe(false);
      expect(await page.getByRole('button').allTextContents()).toEqual(['Erlauben', 'Ablehnen']);
      expect(await page.evaluate('document.querySelector("img").naturalWidth')).toBe(1);
    });
  });

  test('without its style it can be used', async () => {
    await look('390-plain', {}, async (page) => {
      await page.evaluate('document.querySelector("style").remove()');
      if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/390-without-style.png` });
      expect(await isWider(page)).toBe(false);
      const answer = await comesBack(page, () => page.getByRole('button', { name: 'Allow' }).click());
      expect(answer.get('code')).not.toBeNull();
    });
  });

  test('Allow leads to the provider and back to the client, by the mouse', async () => {
    await look('allow', {}, async (page) => {
      const answer = await comesBack(page, () => page.getByRole('button', { name: 'Allow' }).click());
      expect(answer.get('code')).not.toBeNull();
      expect(answer.get('iss')).toBe(desk.origin);
    });
  });

  test('Deny is reached by the keyboard', async () => {
    await look('deny', {}, async (page) => {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/390-focus.png` });
      const answer = await comesBack(page, () => page.keyboard.press('Enter'));
      expect(answer.get('error')).toBe('access_denied');
    });
  });

  test.each([
    ['English', () => desk, 'This sign-in cannot continue'],
    ['German', () => german, 'Diese Anmeldung kann nicht fortgesetzt werden'],
  ])('a page that could not be shown says so in %s, and fits as well', async (language, at, heading) => {
    const context = await used.browser.newContext({ viewport: { width: 320, height: 640 } });
    const page = await context.newPage();
    await page.goto(`${at().origin}/sign-in/unknown-sign-in`);
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/320-failed-${language}.png` });
    expect(await page.getByRole('heading').allTextContents()).toEqual([heading]);
    expect(await page.title()).toBe(heading);
    expect(await isWider(page)).toBe(false);
    expect(await violations(page)).toEqual([]);
    await context.close();
  });
});

describe('a page of the application', () => {
  const view = {
    ...{ client: '<b>Evil</b>', publishedBy: undefined, isListed: false, redirect: clientUrl('"x"') },
    ...{ isOnThisComputer: false, scopes: ['Read & write'], providers: [], action: '/sign-in/uid' },
  };

  test('gets texts that are escaped, and runs no script', async () => {
    const pages = new Pages((shown) => JSON.stringify(shown), 'The desk');
    const answer = pages.consent(view);
    expect(JSON.parse(await answer.text())).toEqual({
      ...view,
      ...{ kind: 'consent', application: 'The desk', client: '&#60;b&#62;Evil&#60;/b&#62;' },
      ...{ redirect: clientUrl('&#34;x&#34;'), scopes: ['Read &#38; write'] },
    });
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script');
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
  });

  test('that fails costs nobody the page about a failure', async () => {
    const failing = (): never => {
      throw new Error('no template');
    };
    const answer = new Pages(failing, 'The desk').failure(503, 'a1b2');
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('a1b2')]);
    const later = (async () => Promise.resolve('')) as never;
    expect(() => new Pages(later, 'The desk').consent(view)).toThrow('a text');
  });

  test('27: a picture is loaded from where the option says, and from nowhere else', async () => {
    const answer = new Pages({ logo: 'https://acme.example/logo.png?a=";x' }, 'The desk').consent(view);
    expect(answer.headers.get('content-security-policy')).toContain('; img-src https://acme.example; frame');
    expect(await answer.text()).toContain('src="https://acme.example/logo.png?a=&#34;;x"');
  });
});

function clientUrl(path: string): string {
  return `https://client.example/${path}`;
}
