import type { Page } from 'playwright-core';

/** What has the focus: its test id, or its tag. */
export async function focused(page: Page): Promise<string> {
  return page.evaluate(
    `(() => { const at = document.activeElement; return at.dataset.testid ?? at.tagName; })()`,
  );
}

/** Presses Tab until something has the focus. */
export async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let count = 0; (await focused(page)) !== wanted; count += 1) {
    if (count > 80) throw new Error(`The focus never comes to ${wanted}`);
    await page.keyboard.press('Tab');
  }
}
