import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { connected, goTo } from '../support/explored-page.ts';
import { violations, cutOff } from '../support/page-faults.ts';
import { Pages } from '../support/session-page.ts';
import { callTool, startDesk, type Desk } from '../support/sign-in/desk.ts';

/** Where to keep pictures; undefined for nowhere. */
const SHOTS = process.env['SHOTS'];
const pages = new Pages();
let desk: Desk;
let page: Page;
/** Tokens that the page has sent. */
let sent: string[];
/** How often it has registered as a client. */
let registered: number;

beforeAll(async () => {
  desk = await startDesk({ hasExplorer: true });
});
afterAll(async () => {
  await desk.close();
});
beforeEach(async () => {
  sent = [];
  registered = 0;
  page = await pages.page(desk.explorer ?? '');
  page.on('request', (request) => {
    const { authorization } = request.headers();
    if (authorization !== undefined) sent.push(authorization.replace('Bearer ', ''));
    if (request.postData()?.includes('"Toolwright explorer"') === true) registered += 1;
  });
  await page.getByTestId('overview').waitFor();
  await connected(page);
});
afterEach(async () => {
  await page.context().close();
  expect(pages.complaints.splice(0)).toEqual([]);
});

/** Presses a button of our page, in the tab that opens. */
async function answer(button: 'Allow' | 'Deny'): Promise<void> {
  const opening = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'sign in', exact: true }).click();
  const tab = await opening;
  await tab.getByRole('button', { name: button }).click();
  await eventually(() => tab.isClosed() || tab.url().endsWith('/explorer'));
}

async function signIn(): Promise<void> {
  await answer('Allow');
  await page.getByText('Signed in as Ann').waitFor();
}

/** What the tool says of who calls. */
async function ask(): Promise<string> {
  await goTo(page, 'tool/desk/who');
  await page.getByTestId('call').click();
  const result = page.locator('[data-testid="result"][data-state="done"]');
  await result.waitFor();
  return result.innerText();
}

async function kept(): Promise<string> {
  return page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state])',
  );
}

test('89: a person signs in, calls as themselves at the endpoint, and signs out', async () => {
  await signIn();
  const who = await ask();
  expect(who).toContain('ann');
  expect(who).toContain('editor');
  expect(who).toContain('desk:write');
  const token = sent.at(-1) ?? '';
  expect(token.split('.')).toHaveLength(3);
  // The tab forgets it with the page
  expect(await kept()).not.toContain(token.slice(0, 20));
  await goTo(page, 'traffic');
  expect(await page.getByTestId('frame').innerHTML()).not.toContain(token);
  await expect(page.locator('[data-testid="span"][data-kind="other"]').count()).resolves.toBe(0);
  await goTo(page, '');
  await page.getByRole('button', { name: 'sign out' }).click();
  await page.getByRole('button', { name: 'sign in', exact: true }).waitFor();
  await eventually(async () => (await callTool(desk.url, token, 'who')).status === 401);
  expect(await ask()).toContain('explorer');
});

test('89: another caller is chosen, and the person again', async () => {
  await signIn();
  await page.getByTestId('caller').selectOption('everything');
  expect(await ask()).toContain('explorer');
  await goTo(page, '');
  await page.getByRole('button', { name: 'call as Ann' }).click();
  expect(await ask()).toContain('ann');
  await goTo(page, '');
  await page.getByRole('button', { name: 'sign out' }).click();
  await signIn();
  expect(registered).toBe(1);
});

test('89: the page says that a person refused, and they may begin again', async () => {
  await answer('Deny');
  await page.getByTestId('failure').filter({ hasText: 'access_denied' }).waitFor();
  await signIn();
  expect(registered).toBe(2);
});

test('89: where clients cannot register, it is one that the application lists', async () => {
  const redirects = ['http://127.0.0.1/explorer'];
  const clients = { register: false, static: [{ id: 'toolwright-explorer', name: 'Explorer', redirects }] };
  const closed = await startDesk({ hasExplorer: true, signIn: { clients } });
  try {
    await page.context().close();
    page = await pages.page(closed.explorer ?? '');
    await page.getByTestId('overview').waitFor();
    await signIn();
    const who = await ask();
    expect(who).toContain('ann');
    expect(who).toContain('toolwright-explorer');
  } finally {
    await closed.close();
  }
});

test.each([
  ['1440-light', 1440, 'light'],
  ['1440-dark', 1440, 'dark'],
  ['390-light', 390, 'light'],
  ['390-dark', 390, 'dark'],
] as const)('signed in, %s: fits, and anybody can read it', async (name, width, colorScheme) => {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  await signIn();
  await page.getByTestId('sign-in').scrollIntoViewIfNeeded();
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/explorer-${name}.png` });
  expect(await cutOff(page)).toEqual([]);
  expect(await violations(page)).toEqual([]);
});
