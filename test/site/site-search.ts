import type { Browser, Page } from 'playwright-core';

/** What people type, and what the address of a section that answers it begins with. */
const QUERIES: Readonly<Record<string, RegExp>> = {
  'rate limit': /^\/guides\/security\.html#rate-limits/,
  'environment variable': /^\/guides\/operations\.html/,
  dates: /^\/guides\/inputs-and-outputs\.html/,
  'API key': /^\/guides\/security\.html/,
  'file upload': /^\/guides\/inputs-and-outputs\.html/,
  retry: /^\/guides\/security\.html/,
  timeout: /^\/guides\/middleware-and-context\.html#timeouts/,
  guard: /^\/guides\/(?:middleware-and-context|from-nestjs|security)\.html/,
  interceptor: /^\/guides\/(?:middleware-and-context|from-nestjs)\.html/,
  nestjs: /^\/guides\/(?:from-nestjs|existing-applications)\.html/,
  auth0: /^\/guides\/(?:security|sign-in-providers)\.html/,
  redis: /^\/guides\/scaling\.html/,
  docker: /^\/guides\/deploying\.html/,
  kubernetes: /^\/guides\/deploying\.html/,
  progress: /^\/guides\/asking-the-client\.html/,
  elicitation: /^\/guides\/asking-the-client\.html/,
  streaming: /^\/guides\/(?:asking-the-client|serving)\.html/,
  testing: /^\/guides\/testing\.html/,
  vitest: /^\/guides\/(?:testing|running-typescript)\.html/,
  monorepo: /^\/guides\//,
};
/** Names, whose own section comes first. */
const NAMES: Readonly<Record<string, RegExp>> = {
  TW_CONFIG_INVALID: /^\/errors\.html#tw_config_invalid$/,
  '@RateLimit': /^\/(?:reference\/decorators\.html#ratelimit|guides\/security\.html#rate-limits)/,
  'toolwright doctor': /^\/commands\/doctor\.html/,
};
const RESULTS = '.VPLocalSearchBox .results .result';
const MIN_FIRST = 18;
const FEW = 5;

/** Queries whose answer is not among the first, as typed into the search box. */
export async function checkSearch(browser: Browser, address: string): Promise<readonly string[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${address}/`, { waitUntil: 'networkidle' });
  // The key means something once the page is alive
  await page.waitForFunction("document.getElementById('app').__vue_app__ !== undefined");
  await page.keyboard.press('/');
  const places = await rankAll(page, { ...QUERIES, ...NAMES });
  await page.close();
  const asked = places.filter(({ query }) => query in QUERIES);
  const later = asked.filter(({ place }) => place !== 1);
  const say = ({ query, place, found }: Ranked): string =>
    `${query}: place ${String(place)} in ${found.join(' ')}`;
  return [
    ...places.filter(({ query, place }) => query in NAMES && place !== 1).map(say),
    ...asked.filter(({ place }) => place === 0 || place > FEW).map(say),
    ...(asked.length - later.length >= MIN_FIRST ? [] : later.map(say)),
  ];
}

interface Ranked {
  readonly query: string;
  /** From 1; 0 where it is not found. */
  readonly place: number;
  readonly found: readonly string[];
}

async function rankAll(page: Page, wanted: Readonly<Record<string, RegExp>>): Promise<readonly Ranked[]> {
  const box = page.locator('#localsearch-input');
  const results = page.locator(RESULTS);
  const ranked: Ranked[] = [];
  for (const [query, pattern] of Object.entries(wanted)) {
    // Without a query there are no results, so that those which come are of this one
    await box.fill('');
    await results.first().waitFor({ state: 'detached' });
    await box.fill(query);
    await page.locator(`${RESULTS}, .VPLocalSearchBox .no-results`).first().waitFor();
    const links = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('${RESULTS}')].map((each) => each.getAttribute('href'))`,
    );
    const found = links.slice(0, FEW + 1);
    ranked.push({ query, place: links.findIndex((link) => pattern.test(link)) + 1, found });
  }
  return ranked;
}
