import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createTool, McpApplication, Module } from 'toolwright';
import { drawn } from '../support/explored-page.ts';
import { useBrowser } from '../support/explorer-tab.ts';
import { tries } from '../support/thorough.ts';

/** How often a browser may draw ten thousand plain rows in the time of a step. A step takes a fifth of that at most. */
const MAX_DRAWINGS = 17;
/** Draws them in the page, and takes them away. */
const DRAW_PLAIN_ROWS = `{
  const rows = document.createElement('div');
  for (let row = 0; row < 10_000; row += 1) {
    rows.append(Object.assign(document.createElement('div'), { textContent: 'Row ' + row, className: 'plain' }));
  }
  document.body.append(rows);
  rows.getBoundingClientRect();
  rows.remove();
}`;

@Module({})
class Root {}

const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const;
const names = Array.from({ length: 1000 }, (_, index) => `act${String(index)}`);

/** One tool for each of the actions, or twenty with fifty of them. */
const SHAPES = {
  'as 20 tools of 50 each': Array.from({ length: 20 }, (_, group) =>
    names
      .slice(group * 50, group * 50 + 50)
      .reduce(
        (tool, name) => tool.action({ name, description: `Does ${name}`, schema, handler: () => 'done' }),
        createTool(`group${String(group)}`),
      ),
  ),
  'as 1,000 tools': names.map((name) =>
    createTool(name).action({ name: 'run', description: `Does ${name}`, schema, handler: () => 'done' }),
  ),
};

const used = useBrowser();

/** How long the page itself works while something is done. */
async function processorTime(page: Page): Promise<(step: () => Promise<unknown>) => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Infinity);
  };
  return async (step) => {
    const before = await worked();
    await step();
    await drawn(page);
    return (await worked()) - before;
  };
}

describe.each(Object.entries(SHAPES).slice(-tries(1, 2)))('1,000 actions, %s,', (_, tools) => {
  let application: McpApplication;
  let explorer: string;

  beforeAll(async () => {
    application = await McpApplication.create(Root, { name: 'many' });
    application.registry.registerAll(...tools);
    ({ explorer = '' } = await application.listen({ port: 0, explorer: true, signals: false }));
  });
  afterAll(() => application.close());

  test('are painted, searched, opened and called without a long wait', async () => {
    const page = await used.browser.newPage({ viewport: { width: 1280, height: 800 } });
    const measure = await processorTime(page);
    const rows = page.getByTestId('row');
    const steps: Record<string, number> = {};
    steps['first paint'] = await measure(async () => {
      await page.goto(explorer);
      await rows.nth(999).waitFor();
    });
    steps['search'] = await measure(() => page.getByTestId('search').fill('act99'));
    expect(await rows.count()).toBe(11);
    steps['end of the search'] = await measure(() => page.getByTestId('search').fill(''));
    expect(await rows.count()).toBe(1000);
    steps['palette'] = await measure(async () => {
      await page.keyboard.press('Control+k');
      await page.getByTestId('palette').waitFor();
      await page.keyboard.type('act777');
    });
    await page.keyboard.press('Enter');
    steps['call'] = await measure(async () => {
      await page.locator('[data-testid="field"][data-path="text"]').getByTestId('input').fill('x');
      await page.getByTestId('call').click();
      await page.locator('[data-testid="result"][data-state="done"]').waitFor();
    });
    expect(await page.getByTestId('action').innerText()).toContain('Does act777');
    steps['next'] = await measure(async () => {
      await page.locator('h2').first().click();
      await page.keyboard.press(']');
      await page.getByTestId('action').getByText('Does act778').waitFor();
    });
    const plain = await measure(() => page.evaluate(DRAW_PLAIN_ROWS));
    const slow = Object.entries(steps).filter(([, milliseconds]) => milliseconds > MAX_DRAWINGS * plain);
    expect({ slow, plain }).toEqual({ slow: [], plain });
    await page.close();
  });

  test('have the one in sight that is shown', async () => {
    const page = await used.browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(explorer);
    await page.getByTestId('row').nth(999).waitFor();
    await page.evaluate(`location.hash = [...document.querySelectorAll('[data-testid="row"]')].at(-1).hash`);
    await page.locator('[data-testid="row"][aria-current="page"]').waitFor();
    await drawn(page);
    const bottomOf = (selector: string) =>
      page.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().bottom`);
    expect(await bottomOf('#tree [aria-current]')).toBeLessThanOrEqual((await bottomOf('#tree > ul')) + 1);
    await page.close();
  });
});
