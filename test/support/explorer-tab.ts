import { afterAll, beforeAll } from '@jest/globals';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { drawn, goTo } from './explored-page.ts';
import { askService } from './services/ask-service.ts';

/**
 * Chromium, as the services of the tests find or install it: with arguments one of its own, else that of all suites.
 * Closing that only ends what was opened through it.
 */
export async function openBrowser(...args: readonly string[]): Promise<Browser> {
  if (args.length === 0) return chromium.connect(await askService('browser'));
  return chromium.launch({ executablePath: await askService('chromium'), args: ['--no-sandbox', ...args] });
}

/** A browser for the tests of a file. Where there is none, they fail with the sentence that says so, and nothing else. */
export function useBrowser(): { readonly browser: Browser } {
  let opened: Browser | undefined;
  beforeAll(async () => {
    opened = await openBrowser();
  });
  afterAll(async () => {
    await opened?.close();
  });
  return {
    get browser() {
      if (opened === undefined) throw new Error('The browser is there once the tests run.');
      return opened;
    },
  };
}

const SEE_VIOLATIONS = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('policy: ' + violatedDirective + ' ' + blockedURI))`;

/** A tab with the explorer. It keeps all that no tour may see: errors, violated policies, requests to elsewhere. */
export class ExplorerTab {
  readonly complaints: string[] = [];
  /** Those that the test provokes. */
  readonly provoked: string[] = [];
  readonly page: Page;
  #provocation: string | undefined;
  readonly #context: BrowserContext;

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.page = page;
  }

  /** Opens the address that a server printed, without what other tabs remember. */
  static async open(browser: Browser, url: string): Promise<ExplorerTab> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const tab = new ExplorerTab(context, page);
    page.setDefaultTimeout(60_000);
    await tab.#watch(new URL(url));
    await page.goto(url);
    await page.getByTestId('overview').waitFor();
    // Its client begins when the page is there: a test that lets requests fail means later ones
    await page.locator('[data-testid="span"][data-state="done"]').first().waitFor();
    return tab;
  }

  async #watch({ origin, hash }: URL): Promise<void> {
    const { page, complaints } = this;
    const token = hash.replace('#token=', '');
    await page.addInitScript({ content: SEE_VIOLATIONS });
    page.on('console', (message) => {
      if (message.type() !== 'error') return;
      const text = message.text();
      const isProvoked = this.#provocation !== undefined && text.includes(this.#provocation);
      (isProvoked ? this.provoked : complaints).push(text);
    });
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith('data:') && new URL(url).origin !== origin) complaints.push(`request to ${url}`);
      if (`${url} ${request.headers()['referer'] ?? ''}`.includes(token)) complaints.push(`token in ${url}`);
    });
  }

  /** From now on errors with these words are none, however late the browser says so. */
  provoke(words: string): void {
    this.#provocation = words;
  }

  close(): Promise<void> {
    return this.#context.close();
  }

  /** Goes to a place of the page: `tool/tasks/create`. */
  async go(place: string): Promise<void> {
    await goTo(this.page, place);
  }

  /** Goes to an action, and waits for it. */
  async openAction(tool: string, key = ''): Promise<void> {
    await this.go(['tool', tool, ...(key === '' ? [] : [key])].map(encodeURIComponent).join('/'));
    await this.page
      .locator('h2')
      .filter({ hasText: [tool, ...(key === '' ? [] : [key])].join('.') })
      .first()
      .waitFor();
  }

  /** Once the browser has drawn what changed. */
  async frame(): Promise<void> {
    await drawn(this.page);
  }

  async chooseEra(era: '2025' | '2026'): Promise<void> {
    await this.page.getByTestId('era').selectOption(era);
  }

  get question(): Locator {
    return this.page.getByTestId('question');
  }

  /** A part of a field of the action, or of the question where one is open. */
  field(path: string, part = 'input', within: Locator | Page = this.page): Locator {
    return within.locator(`[data-testid="field"][data-path="${path}"]`).getByTestId(part).first();
  }

  /** Types the whole input as JSON. */
  async typeJson(value: unknown): Promise<void> {
    await this.page.getByTestId('view-json').click();
    await this.page
      .getByTestId('json')
      .first()
      .fill(typeof value === 'string' ? value : JSON.stringify(value));
  }

  async startCall(): Promise<void> {
    await this.page.getByTestId('call').click();
  }

  /** The state in which the last call has ended. */
  async ended(): Promise<string> {
    const ended = this.page.locator(
      '[data-testid="result"]:not([data-state="running"]):not([data-state="idle"])',
    );
    await ended.waitFor();
    return (await ended.getAttribute('data-state')) ?? '';
  }

  /** The content of the result of the last call, once it has ended. */
  async content(): Promise<string> {
    await this.ended();
    return this.page.getByTestId('content').innerText();
  }

  /** Calls, and gives the content of the result. */
  async call(): Promise<string> {
    await this.startCall();
    return this.content();
  }

  /** What the check says. */
  async check(): Promise<{ readonly state: string; readonly text: string }> {
    await this.page.getByTestId('check').click();
    const checked = this.page.locator('[data-testid="checked"]:not([data-state="idle"])');
    await checked.waitFor();
    const state = (await checked.getAttribute('data-state')) ?? '';
    return { state, text: state === 'ok' ? '' : await checked.locator('pre').innerText() };
  }
}
