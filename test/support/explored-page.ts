import type { Locator, Page } from 'playwright-core';

/**
 * Goes to a place of the page: `tool/tasks/create`. A browser reports a new address to its page later; what was there
 * before is gone when this resolves.
 */
export async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate(`new Promise((arrived) => {
    const before = location.hash;
    // The page listens already, so it knows the place when this does
    addEventListener('hashchange', arrived, { once: true });
    location.hash = ${JSON.stringify(`#/${place}`)};
    if (location.hash === before) arrived();
  })`);
  await drawn(page);
}

/** Once the browser has drawn what changed, and what follows from a drawing is done as well, such as a focus that moves. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  );
}

/** Once the page is notified of what other clients do; it never learns what they did before. */
export async function connected(page: Page): Promise<void> {
  await page.getByRole('img', { name: 'Connected', exact: true }).waitFor();
}

/** Shows the messages of the span in a line, in the place of those of another one. */
export async function openSpan(page: Page, line: Locator): Promise<void> {
  const link = `[data-testid="span"] a[href="${(await line.getByRole('link').getAttribute('href')) ?? ''}"]`;
  await page.locator(link).click();
  // The line is marked in the same step in which its messages take that place
  await page.locator(`${link}[aria-current]`).waitFor();
  await page.getByTestId('messages').waitFor();
}

/** Does what opens another span than the one that is shown, such as sending its request again. */
export async function toNextSpan(page: Page, act: () => Promise<void>): Promise<void> {
  const shown = page.locator('[data-testid="span"] a[aria-current]');
  const before = (await shown.getAttribute('href')) ?? '';
  await act();
  await page.locator(`[data-testid="span"] a[aria-current]:not([href="${before}"])`).waitFor();
}
