import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { McpApplication } from 'toolwright';
import { ROOT } from '../pins/docs/example.ts';
import { goTo } from '../support/explored-page.ts';
import { useBrowser } from '../support/explorer-tab.ts';
import { applicationWith } from '../workflow/module/workflows.ts';

let application: McpApplication;
const used = useBrowser();
let page: Page;
let url: string;

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['.ci/build-explorer-page.mjs'], { cwd: ROOT });
});

beforeEach(async () => {
  application = await McpApplication.create(applicationWith(), { name: 'releases', version: '1.0.0' });
  const listening = await application.listen({ port: 0, explorer: true, signals: false });
  url = (listening as unknown as { readonly explorer: string }).explorer;
  page = await used.browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(url);
  await page.getByTestId('overview').waitFor();
});

afterEach(async () => {
  await page.close();
  await application.close();
});

interface View {
  readonly runId: string;
  readonly token: string;
}

async function callTool(tool: string, args: object): Promise<View> {
  const { structuredContent } = await application.call(tool, args);
  return structuredContent as unknown as View;
}

const step = (id: string) => page.locator(`[data-testid="step"][data-step="${id}"]`);

describe('workflows in the explorer', () => {
  test('show their steps, what decides whether they run, and that there is no run', async () => {
    await page.locator('[data-row="workflow:release"]').click();
    await page.getByTestId('workflow').waitFor();
    await expect(step('publish').innerText()).resolves.toContain('only if draft ≠ true');
    await expect(step('approve').innerText()).resolves.toContain('a person confirms');
    await expect(step('notes').innerText()).resolves.toContain('output checked');
    await page.getByText('This caller has no run of it').waitFor();
  });

  test('show where each step of a run stands, and follow the run while it goes on', async () => {
    const { runId, token } = await callTool('workflow_start', { workflowId: 'release' });
    await goTo(page, `workflow/release/${runId}`);
    await page.locator('[data-testid="run"][data-state="running"]').waitFor();
    await page.locator('[data-row="workflow:release"][aria-current="page"]').waitFor();
    await expect(step('notes').getAttribute('data-state')).resolves.toBe('open');
    await expect(step('approve').getAttribute('data-state')).resolves.toBe('waiting');
    await goTo(page, 'tool/workflow_continue');
    await page.getByTestId('view-json').click();
    await page.getByTestId('json').fill(JSON.stringify({ token, output: 'Nothing' }));
    await page.getByTestId('call').click();
    await page.locator('[data-testid="result"][data-state="done"]').waitFor();
    await goTo(page, `workflow/release/${runId}`);
    await page.locator('[data-step="notes"][data-state="repair"]').waitFor();
    await expect(page.getByTestId('run').innerText()).resolves.toContain('Say what was added');
    await application.call('workflow_cancel', { runId });
    await page.reload();
    await page.locator('[data-step="notes"][data-state="stopped"]').waitFor();
    await expect(step('approve').getAttribute('data-state')).resolves.toBe('waiting');
  });

  test('show the iteration of a loop, and go from step to step by keys', async () => {
    const { runId, token } = await callTool('workflow_start', {
      workflowId: 'review',
      context: { parts: ['one', 'two'] },
    });
    const { token: next } = await callTool('workflow_continue', { token, output: 'Read.' });
    await callTool('workflow_continue', { token: next, output: 'Checked.' });
    await goTo(page, `workflow/review/${runId}`);
    await page.locator('[data-step="check"][data-state="open"]').waitFor();
    await expect(step('check').innerText()).resolves.toContain('iteration 2');
    await expect(step('read').getAttribute('data-state')).resolves.toBe('completed');
    await step('read').locator('summary').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('Check this part.').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(
        readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
      );
      const found = await page.evaluate(
        `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
          .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
      );
      expect(found).toEqual([]);
    }
  });
});
