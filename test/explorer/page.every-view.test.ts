import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tour } from '../support/toured.ts';

/** Views that have something to show, also while a dialog is open. */
const toured = tour('knowledge-base');

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const VIEWS = [
  '',
  'tool/pages/write',
  'prompt/compare',
  'resource/kb%3A%2F%2Fpages%2Fwelcome',
  'template/kb%3A%2F%2Fpages%2F%7B%2Bpath%7D',
  'model',
  'graph',
  'lock',
  'traffic',
] as const;

async function violations(): Promise<readonly string[]> {
  return toured.tab.page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
  );
}

/** What is wider than the window, and cannot be scrolled to. */
async function cutOff(): Promise<readonly string[]> {
  return toured.tab.page.evaluate(`[...document.querySelectorAll('#middle *')]
    .filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > innerWidth + 1)
    .filter((each) => {
      for (let at = each; at !== null; at = at.parentElement)
        if (at.scrollWidth > at.clientWidth && /auto|scroll/.test(getComputedStyle(at).overflowX)) return false;
      return true;
    })
    .map((each) => each.outerHTML.slice(0, 120))`);
}

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  test.each([320, 1280, 2560])(
    'every view is within reach, and has nothing that axe finds, at %i px',
    async (width) => {
      const { tab } = toured;
      await tab.page.emulateMedia({ colorScheme });
      await tab.page.setViewportSize({ width, height: 800 });
      await tab.page.evaluate(AXE);
      // The hash of the surface is the first thing that goes where room is short
      expect(await tab.page.locator('.bar a[href="#/lock"]').isVisible()).toBe(width > 1000);
      for (const view of VIEWS) {
        await tab.go(view);
        await tab.page.locator('.page > article').waitFor();
        const found = { view, violations: await violations(), cutOff: await cutOff() };
        expect(found).toEqual({ view, violations: [], cutOff: [] });
        expect(await tab.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
    },
  );

  test('neither have a refused check, a question, a result, the palette and the keys', async () => {
    const { tab } = toured;
    await tab.page.emulateMedia({ colorScheme });
    await tab.page.evaluate(AXE);
    await tab.openAction('pages', 'write');
    expect((await tab.check()).state).toBe('refused');
    expect(await violations()).toEqual([]);
    await tab.field('path').fill('welcome');
    await tab.field('text').fill('# Welcome');
    await tab.startCall();
    await tab.question.waitFor();
    expect(await violations()).toEqual([]);
    await tab.question.getByTestId('decline').click();
    for (const view of ['content', 'structured', '_meta', 'raw']) {
      await tab.page.getByTestId(`result-${view}`).click();
      expect([view, await violations()]).toEqual([view, []]);
    }
    await tab.page.keyboard.press('Control+k');
    await tab.page.getByTestId('palette').waitFor();
    expect(await violations()).toEqual([]);
    await tab.page.keyboard.press('Escape');
    await tab.go('keys');
    expect(await violations()).toEqual([]);
  });
});
