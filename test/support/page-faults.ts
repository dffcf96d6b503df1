import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds of WCAG 2.2 AA. A script tag would be stopped by the policy of the page. */
export async function violations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>(`typeof axe === 'object'`))) await page.evaluate(AXE);
  return page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
  );
}

/** What is wider than the window and cannot be scrolled to; the page itself never scrolls, its parts do. */
export async function cutOff(page: Page): Promise<readonly string[]> {
  return page.evaluate(`(() => {
    const isReached = (each) => {
      for (let at = each; at !== null; at = at.parentElement) {
        const { overflowX, textOverflow } = getComputedStyle(at);
        if (at.scrollWidth > at.clientWidth && /auto|scroll/.test(overflowX)) return true;
        // A name that ends with an ellipsis has its whole as the title
        if (textOverflow === 'ellipsis' && at.title !== '') return true;
      }
      return false;
    };
    const wide = [...document.querySelectorAll('#page *')]
      .filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > innerWidth + 1)
      .filter((each) => !isReached(each))
      .map((each) => each.outerHTML.slice(0, 120));
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [
      ...wide,
      ...(scrollWidth > innerWidth ? ['the page is ' + scrollWidth + ' px wide'] : []),
      ...(scrollHeight > innerHeight ? ['the page is ' + scrollHeight + ' px high'] : []),
    ];
  })()`);
}
