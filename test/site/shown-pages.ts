import type { Browser, Page } from 'playwright-core';
import { violations } from '../support/page-faults.ts';

const PAGES = [
  '/',
  '/guides/getting-started.html',
  '/guides/security.html',
  '/comparison.html',
  '/reference/decorators.html',
  '/commands/diff.html',
];

const WIDTHS = [390, 1440];
/** With the width at which axe looks: it takes seconds, and what it finds in a theme it finds at one width. */
const THEMES = { light: 390, dark: 1440 } as const;

/** What axe finds, what is too wide, what the console says, and what is asked of others. */
export async function checkPages(
  browser: Browser,
  address: string,
  isThorough: boolean,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme });
    const page = await context.newPage();
    let place = '';
    const report = (what: string): void => {
      faults.push(`${place} in ${colorScheme}: ${what}`);
    };
    page.on('console', (message) => {
      if (message.type() === 'error') report(message.text());
    });
    page.on('pageerror', ({ message }) => {
      report(message);
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(address) && !url.startsWith('data:')) report(`asks for ${url}`);
    });
    for (place of PAGES) {
      await page.goto(`${address}${place}`, { waitUntil: 'networkidle' });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        // Colours fade in
        await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
        const seen = isThorough || width === THEMES[colorScheme] ? await violations(page) : [];
        for (const fault of [...seen, ...(await tooWide(page))]) report(`${String(width)} px: ${fault}`);
      }
    }
    await context.close();
  }
  return faults;
}

async function tooWide(page: Page): Promise<readonly string[]> {
  const width = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  return width > 0 ? [`${String(width)} px too wide`] : [];
}

const PRINTED = ['/guides/getting-started.html', '/guides/security.html', '/commands/diff.html'];
const AROUND = '.VPNav, .VPLocalNav, .VPSidebar, .VPDoc .aside, .VPDocFooter, button.copy';

/** What is printed of the navigation, and code that the edge of the paper cuts. */
export async function checkPrint(browser: Browser, address: string): Promise<readonly string[]> {
  const page = await browser.newPage({ viewport: { width: 794, height: 1123 } });
  await page.emulateMedia({ media: 'print' });
  const faults: string[] = [];
  for (const place of PRINTED) {
    await page.goto(`${address}${place}`, { waitUntil: 'networkidle' });
    const found = await page.evaluate<readonly string[]>(`[
      ...[...document.querySelectorAll(${JSON.stringify(AROUND)})]
        .filter((each) => each.checkVisibility()).map((each) => 'shows ' + each.className),
      ...[...document.querySelectorAll('.vp-doc pre')]
        .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => 'cuts ' + each.innerText.slice(0, 60)),
      ...(document.querySelector('.vp-doc h1')?.checkVisibility() ? [] : ['has no title']),
    ]`);
    faults.push(...found.map((fault) => `${place} ${fault}`));
  }
  await page.close();
  return faults;
}
