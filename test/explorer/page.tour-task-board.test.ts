import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { ExplorerTab, openBrowser } from '../support/explorer-tab.ts';
import { TouredExample } from '../support/toured-example.ts';

let browser: Browser;
let example: TouredExample;
let tab: ExplorerTab;

beforeAll(async () => {
  [browser, example] = await Promise.all([openBrowser(), TouredExample.serve('task-board')]);
});

afterAll(async () => {
  await browser.close();
  await example.stop();
});

beforeEach(async () => {
  tab = await ExplorerTab.open(browser, example.explorer);
});

afterEach(async () => {
  await tab.close();
  expect(tab.complaints).toEqual([]);
});

describe.each(['2025', '2026'] as const)('in era %s', (era) => {
  const workspaceId = `tour-${era}`;

  beforeEach(() => tab.chooseEra(era));

  test('a task is created from the form, and listed from JSON', async () => {
    await tab.openAction('board', 'tasks.create');
    await tab.field('workspaceId').fill(workspaceId);
    await tab.field('title').fill('fix the "roof"\nbefore winter');
    await tab.field('priority', 'state').selectOption('value');
    await tab.field('priority').fill('1');
    expect(JSON.parse(await tab.call())).toMatchObject({ title: 'fix the "roof"\nbefore winter', priority: 1 });
    await tab.openAction('board', 'tasks.list');
    await tab.typeJson({ workspaceId, done: false });
    expect(JSON.parse(await tab.call())).toMatchObject([{ title: 'fix the "roof"\nbefore winter' }]);
  });

  test('a list of objects is added to, moved, and sent in its order', async () => {
    await tab.openAction('board', 'tasks.plan');
    await tab.field('workspaceId').fill(`${workspaceId}-plan`);
    await tab.field('tasks', 'state').selectOption('value');
    for (const [index, title] of ['first', 'second', 'third'].entries()) {
      await tab.field('tasks', 'add').click();
      await tab.field(`tasks[${index}].title`).fill(title);
    }
    await tab.page.getByRole('button', { name: 'Move tasks[2] up' }).click();
    await tab.page.getByRole('button', { name: 'Remove tasks[0]' }).click();
    const created = JSON.parse(await tab.call()) as { readonly title: string }[];
    expect(created.map(({ title }) => title)).toEqual(['third', 'second']);
  });

  test('the check has the words that a client gets, marks the field, and calls nothing', async () => {
    const wrong = { workspaceId: `${workspaceId}-checked`, title: '', priority: 9 };
    await tab.openAction('board', 'tasks.create');
    await tab.typeJson(wrong);
    const { state, text } = await tab.check();
    expect([state, text]).toEqual([
      'refused',
      await example.answerTo('board', { action: 'tasks.create', ...wrong }),
    ]);
    await tab.page.getByTestId('view-form').click();
    expect(await tab.field('priority', 'issue').innerText()).toContain('5');
    await tab.field('title').fill('right');
    await tab.field('priority').fill('5');
    expect((await tab.check()).state).toBe('ok');
    const listed = { action: 'tasks.list', workspaceId: wrong.workspaceId };
    expect(await example.answerTo('board', listed)).toBe('[]');
  });
});

describe('what it shows', () => {
  test('the tree has groups and marks, and is searched', async () => {
    const rows = tab.page.getByTestId('row');
    expect(await rows.allInnerTexts()).toEqual(
      ['latest R', 'list R', 'create W', 'plan W', 'finish W', 'delete D', 'list R', 'add W'].map((row) =>
        expect.stringMatching(new RegExp(row.replace(' ', '\\s*'))),
      ),
    );
    await tab.page.getByTestId('search').fill('comment');
    expect(await rows.count()).toBe(3);
    await tab.openAction('board', 'tasks.delete');
    expect(await tab.page.getByTestId('action').innerText()).toContain('destructive');
    await tab.openAction('board', 'tasks.finish');
    expect(await tab.page.getByTestId('action').innerText()).toContain('idempotent');
  });

  test('the chain of middleware ends with the handler', async () => {
    await tab.openAction('board', 'tasks.create');
    const chain = tab.page.getByRole('list', { name: 'Middleware, the outermost first' });
    expect(await chain.innerText()).toMatch(/Transactional[\s\S]*AuditTrail[\s\S]*TasksController\.create\(\)/);
  });

  test('the dependencies are a picture and a list', async () => {
    await tab.go('graph');
    const graph = tab.page.getByTestId('graph');
    expect(await graph.innerText()).toMatch(/TasksController[\s\S]*needs TaskStore/);
    expect(await graph.locator('svg rect').count()).toBeGreaterThan(5);
  });

  test('what is offered is what the lock has', async () => {
    await tab.go('lock');
    expect(await tab.page.getByTestId('lock-page').innerText()).toContain('✓ What is offered is what the lock has');
  });

  test('each format has its text, its tokens and its losses', async () => {
    await tab.openAction('board', 'tasks.create');
    const format = tab.page.getByTestId('format').first();
    const column = tab.page.getByTestId('model-column');
    const formats = await format.locator('option').allInnerTexts();
    expect(formats).toEqual(expect.arrayContaining(['mcp', 'openai', 'anthropic', 'gemini']));
    for (const name of formats) {
      const answered = tab.page.waitForResponse((response) => response.url().includes(`format=${name}`));
      if (name !== (await format.inputValue())) {
        await format.selectOption(name);
        await answered;
      }
      await column.getByTestId('tool-tokens').first().waitFor();
      const tokens = await column.getByTestId('tool-tokens').first().innerText();
      expect([name, tokens]).toEqual([name, expect.stringMatching(name === 'mcp' ? /^[\d,]+ tok$/ : /^≈ [\d,]+ tok$/)]);
      expect(await column.getByTestId('model-text').first().innerText()).toContain('board');
    }
    await format.selectOption('openai');
    await column.getByText(/losses in this format/).waitFor();
  });
});
