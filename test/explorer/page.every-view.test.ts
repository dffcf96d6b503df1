import { describe, expect, test } from '@jest/globals';
import { cutOff, violations } from '../support/page-faults.ts';
import { tour } from '../support/toured.ts';
import { IS_THOROUGH } from '../support/thorough.ts';

/** Views that have something to show, also while a dialog is open. */
const toured = tour('knowledge-base');

const VIEWS = [
  '',
  'tool/pages/write',
  'prompt/compare',
  'resource/kb%3A%2F%2Fpages%2Fwelcome',
  'template/kb%3A%2F%2Fpages%2F%7B%2Bpath%7D',
  'model',
  'graph',
  'lock',
  'evals',
  'traffic',
  'keys',
  'no/such/view',
] as const;

/** Narrow, and as on most screens; all others with the full counts. */
const WIDTHS = IS_THOROUGH ? [320, 600, 900, 1280, 1920, 2560] : [320, 1280];

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  test.each(WIDTHS)('every view is within reach, and has nothing that axe finds, at %i px', async (width) => {
    const { tab } = toured;
    await tab.page.emulateMedia({ colorScheme });
    await tab.page.setViewportSize({ width, height: 800 });
    // The hash of the surface is the first thing that goes where room is short
    expect(await tab.page.locator('.bar a[href="#/lock"]').isVisible()).toBe(width > 1000);
    for (const view of VIEWS) {
      await tab.go(view);
      await tab.page.locator('.page > *').first().waitFor();
      const found = { view, violations: await violations(tab.page), cutOff: await cutOff(tab.page) };
      expect(found).toEqual({ view, violations: [], cutOff: [] });
    }
  });

  test('neither have a refused check, a question, a result, the palette and the keys', async () => {
    const { tab } = toured;
    await tab.page.emulateMedia({ colorScheme });
    await tab.openAction('pages', 'write');
    expect((await tab.check()).state).toBe('refused');
    expect(await violations(tab.page)).toEqual([]);
    await tab.field('path').fill('welcome');
    await tab.field('text').fill('# Welcome');
    await tab.startCall();
    await tab.question.waitFor();
    expect(await violations(tab.page)).toEqual([]);
    await tab.question.getByTestId('decline').click();
    for (const view of ['content', 'structured', '_meta', 'raw']) {
      await tab.page.getByTestId(`result-${view}`).click();
      expect([view, await violations(tab.page)]).toEqual([view, []]);
    }
    await tab.page.keyboard.press('Control+k');
    await tab.page.getByTestId('palette').waitFor();
    expect(await violations(tab.page)).toEqual([]);
  });
});

/** WCAG 2.2, 1.4.12: what a person may set. */
const SPACED = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }');
  document.adoptedStyleSheets.push(sheet);
})()`;

test.each([320, 640, 1280])('a person may space the text, at %i px', async (width) => {
  const { tab } = toured;
  await tab.page.setViewportSize({ width, height: 800 });
  await tab.page.evaluate(SPACED);
  for (const view of VIEWS) {
    await tab.go(view);
    await tab.page.locator('.page > *').first().waitFor();
    expect([view, await cutOff(tab.page)]).toEqual([view, []]);
  }
});
