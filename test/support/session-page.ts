import type { Browser, Page } from 'playwright-core';
import type { HttpServing } from 'toolwright';
import { useBrowser } from './explorer-tab.ts';

/** A browser whose pages say what they complain of. */
export class Pages {
  readonly #used: { readonly browser: Browser };
  /** Errors of pages, and requests to other places than the explorer. */
  readonly complaints: string[] = [];

  /** For the tests of a file. */
  constructor() {
    this.#used = useBrowser();
  }

  /** The page at an address, and what it complains of kept. */
  async page(url: string, viewport = { width: 1280, height: 800 }): Promise<Page> {
    const context = await this.#used.browser.newContext({
      viewport,
      acceptDownloads: true,
      permissions: url.startsWith('http') ? ['clipboard-read', 'clipboard-write'] : [],
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    page.on('pageerror', ({ message }) => this.complaints.push(message));
    page.on('request', (request) => {
      const isOwn = new URL(request.url()).origin === new URL(url).origin;
      if (!isOwn && !/^(data|blob):/.test(request.url())) this.complaints.push(`request to ${request.url()}`);
    });
    await page.goto(url);
    return page;
  }
}

/** A field of the form, by its path. */
export function field(page: Page, path: string, part = 'input') {
  return page.locator(`[data-testid="field"][data-path="${path}"]`).getByTestId(part).first();
}

/** Where the explorer of a server is. */
export function explorerOf(serving: HttpServing): string {
  return serving.explorer ?? '';
}
