import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { McpApplication } from 'toolwright';
import { ROOT } from '../pins/docs/example.ts';
import { connected, goTo, openSpan } from '../support/explored-page.ts';
import { explorerOf, Pages } from '../support/session-page.ts';
import {
  another,
  call,
  copied,
  inspect,
  KEY,
  PIN,
  REGISTERED,
  runs,
  saved,
  SECRETS,
  span,
  VaultsModule,
} from '../support/vaults-page.ts';

let application: McpApplication;
const pages = new Pages();
let page: Page;
let endpoint: string;
let explorer: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-session-'));
  application = await McpApplication.create(VaultsModule, {
    name: 'vaults',
    version: '2.1.0',
    redact: { secrets: [REGISTERED] },
  });
  const serving = await application.listen({ port: 0, explorer: true, signals: false });
  endpoint = serving.url;
  explorer = explorerOf(serving);
});

afterAll(async () => {
  await application.close();
  rmSync(folder, { recursive: true });
});

beforeEach(async () => {
  runs.length = 0;
  page = await pages.page(explorer);
  await page.getByTestId('overview').waitFor();
  await connected(page);
});

afterEach(async () => {
  await page.context().close();
  expect(pages.complaints.splice(0)).toEqual([]);
});

describe('the traffic', () => {
  test.each(['2025', '2026'])('has both directions of each request, era %s', async (era) => {
    await page.getByTestId('era').selectOption(era);
    await call(page, 'say', { word: 'hello' });
    const messages = await inspect(page, 'vaults.say');
    expect(messages).toContain('"word": "hello"');
    expect(messages).toContain('said hello');
    await expect(page.getByTestId('message').count()).resolves.toBe(2);
    // Also what the client of the page asked before
    await goTo(page, 'traffic');
    const first = era === '2025' ? 'initialize' : 'server/discover';
    await span(page, first).waitFor();
  });

  test('is filtered by words and by kind', async () => {
    await call(page, 'say', { word: 'hello' });
    await another(endpoint, '2026', (client) => client.callTool('vaults', { action: 'say', word: 'there' }));
    await goTo(page, 'traffic');
    await span(page, 'vaults', 'other').waitFor();
    await page.getByTestId('kind').selectOption('other');
    await expect(page.getByTestId('traffic').locator('[data-kind="request"]').count()).resolves.toBe(0);
    await page.getByLabel('Filter').fill('another-host tools/call');
    await expect(page.getByTestId('traffic').getByTestId('span').count()).resolves.toBe(1);
    await page.getByLabel('Filter').fill('nothing like it');
    await expect(page.getByTestId('traffic').getByTestId('span').count()).resolves.toBe(0);
  });

  test.each(['2025', '2026'] as const)(
    'of other clients has what passed, without secrets, era %s',
    async (era) => {
      await another(endpoint, era, async (client) => {
        await client.callTool('vaults', { action: 'open', owner: 'Ada', pin: PIN });
        await client.callTool('vaults', { action: 'open', owner: 'Bob', pinn: PIN });
        await client.readResource('vaults://all');
      });
      const read = await inspect(page, 'vaults://all', 'other');
      expect(read).toContain('all of them');
      await page.getByLabel('Filter').fill('failed');
      const refused = await inspect(page, 'vaults.open', 'other');
      expect(refused).toContain('Bob');
      await page.getByLabel('Filter').fill('done');
      const opened = await inspect(page, 'vaults.open', 'other');
      expect(opened).toContain('"owner": "Ada"');
      expect(opened).toContain('Ada used [redacted]');
      for (const secret of SECRETS) expect(read + refused + opened).not.toContain(secret);
    },
  );
});

describe('a secret', () => {
  test.each(['2025', '2026'])('is in nothing that the page keeps, saves or copies, era %s', async (era) => {
    const token = await page.evaluate<string>("sessionStorage.getItem('toolwright-explorer-token')");
    const typed = {
      Authorization: 'Bearer marker-bearer-1',
      Cookie: 'id=marker-cookie-2',
      'X-Key': 'marker-key-3',
    };
    await page.getByTestId('era').selectOption(era);
    for (const [index, [name, value]] of Object.entries(typed).entries()) {
      await page.getByRole('button', { name: '+ header' }).click();
      await page.getByLabel(`Name of header ${String(index + 1)}`).fill(name);
      await page.getByLabel(`Value of header ${String(index + 1)}`).fill(value);
    }
    const sent = page.waitForRequest((request) => request.postData()?.includes('tools/call') === true);
    await call(page, 'open', { owner: 'Ada', pin: PIN });
    const { 'x-key': key, 'mcp-session-id': session } = (await sent).headers();
    expect(key).toBe('marker-key-3');
    const texts = [await inspect(page, 'vaults.open')];
    expect(texts[0]).toContain('Ada used [redacted]');
    for (const name of ['command', 'curl', 'test', 'JSON', 'messages']) texts.push(await copied(page, name));
    await goTo(page, 'tool/vaults/open');
    for (const name of ['command', 'curl', 'test', 'JSON']) {
      const text = await copied(page, name);
      expect(text).toContain('[redacted]');
      texts.push(text);
    }
    await page.getByTestId('result-raw').click();
    texts.push(await page.getByTestId('result').innerText());
    texts.push(readFileSync(await saved(page, folder), 'utf8'));
    expect(texts.at(-1)).toContain('Ada');
    await goTo(page, '');
    texts.push(await page.getByTestId('timeline').innerText());
    expect(texts.join()).toContain('toolwright-explorer-token');
    const markers = [
      'marker-bearer-1',
      'marker-cookie-2',
      'marker-key-3',
      token,
      ...((session ?? '').match(/.+/g) ?? []),
    ];
    for (const secret of [PIN, KEY, ...markers]) for (const text of texts) expect(text).not.toContain(secret);
  });

  test('that was typed into a wrong place is masked there as well', async () => {
    await call(page, 'open', { owner: PIN, pin: PIN });
    await expect(inspect(page, 'vaults.open')).resolves.not.toContain(PIN);
  });
});

describe('its view', () => {
  test('is usable at 320 px, where era and theme are within reach', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByTestId('era').selectOption('2025');
    await another(endpoint, '2026', (client) => client.callTool('vaults', { action: 'say', word: 'narrow' }));
    await goTo(page, 'traffic');
    await openSpan(page, span(page, 'vaults.say', 'other'));
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide).toBe(320);
    for (const id of ['era', 'theme', 'replay', 'save-session']) {
      const box = await page.getByTestId(id).boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
    }
  });

  test.each(['light', 'dark'] as const)('has nothing that axe finds, %s', async (colorScheme) => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    await page.emulateMedia({ colorScheme });
    await call(page, 'destroy', { word: 'x' });
    await inspect(page, 'vaults.destroy');
    await page.getByTestId('replay').click();
    const path = await saved(page, folder);
    const disk = await pages.page(pathToFileURL(join(ROOT, 'dist/explorer/page.html')).href);
    await disk.emulateMedia({ colorScheme });
    await disk.getByTestId('session-file').setInputFiles(path);
    await disk.getByTestId('span').first().getByRole('link').click();
    await disk.getByTestId('messages').waitFor();
    for (const each of [page, disk]) {
      await each.evaluate(axe);
      const found = await each.evaluate(
        `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
        .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
      );
      expect(found).toEqual([]);
    }
    await disk.context().close();
  });
});
