/** Checks the site that `npm run docs:site` built: its files, its pages in a browser, and its search. */
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';
import { ROOT } from '../pins/docs/example.ts';
import { findService } from '../support/services/find-service.ts';
import { CHROMIUM } from '../support/services/service.ts';
import { checkAddresses, checkLinks, checkTwins } from './built-files.ts';
import { checkPages, checkPrint } from './shown-pages.ts';
import { checkSearch } from './site-search.ts';

/** Both themes at both widths. */
const isThorough = process.argv.includes('--thorough');
const SITE = join(ROOT, 'docs/.vitepress/dist');
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** As a host of static files serves it. */
const server = createServer(({ url = '/' }, response) => {
  const path = normalize(decodeURIComponent(new URL(url, 'http://site').pathname));
  const file = join(SITE, path.endsWith('/') ? `${path}index.html` : path);
  const isThere = file.startsWith(SITE) && existsSync(file) && extname(file) !== '';
  response.writeHead(isThere ? 200 : 404, { 'content-type': MEDIA_TYPES[extname(file)] ?? 'text/plain' });
  if (isThere) createReadStream(file).pipe(response);
  else response.end();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

const found = await findService(CHROMIUM);
const executablePath = 'given' in found ? found.given : found.program;
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  await report('each page is there as it was written', () => checkTwins(SITE));
  await report('links lead to pages and headings', () => checkLinks(SITE));
  await report('the sidebar has the pages of the index, in its order', () => checkAddresses(SITE));
  await report('pages are accessible, fit and ask nobody else', () =>
    checkPages(browser, address, isThorough),
  );
  await report('pages print without what is around them', () => checkPrint(browser, address));
  await report('the search finds what people type', () => checkSearch(browser, address));
} finally {
  await browser.close();
  server.close();
}

async function report(
  what: string,
  check: () => readonly string[] | Promise<readonly string[]>,
): Promise<void> {
  const began = performance.now();
  const faults = await check();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${faults.length === 0 ? 'ok' : 'FAILED'}: ${what} (${seconds} s)`);
  for (const fault of faults) console.log(`  ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
