import { beforeEach, describe, expect, test } from '@jest/globals';
import { measureShare } from '../../src/evals/metrics.ts';
import { cutOff, violations } from '../support/page-faults.ts';
import { tour } from '../support/toured.ts';

const toured = tour('task-board');

/** What `toolwright eval --format jsonl` writes of cases that end so. */
function writeReport(cases: Readonly<Record<string, string>>): string {
  const common = { surface: 'flat', model: 'openai/tested' };
  const runs = Object.entries(cases).map(([name, status]) => ({
    ...{ type: 'run', ...common, case: name, trial: 1, status },
    ...(status === 'done' ? {} : { why: 'why not' }),
    calls: [{ tool: 'board_list', action: 'board.list', input: { of: name }, code: 'VALIDATION_FAILED' }],
  }));
  const passed = Object.values(cases).filter((status) => status === 'done').length;
  const done = measureShare(Array.from(runs, (_, place) => place < passed));
  const surface = { type: 'surface', ...common, surfaceHash: 'a', tools: 4, definitionTokens: 900 };
  const lines = [...runs, { ...surface, metrics: { done, repaired: measureShare([]) } }];
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

describe.each(['2025', '2026'] as const)('in era %s', (era) => {
  const workspaceId = `tour-${era}`;

  beforeEach(() => toured.tab.chooseEra(era));

  test('a task is created from the form, and listed from JSON', async () => {
    await toured.tab.openAction('board', 'tasks.create');
    await toured.tab.field('workspaceId').fill(workspaceId);
    await toured.tab.field('title').fill('fix the "roof"\nbefore winter');
    await toured.tab.field('priority', 'state').selectOption('value');
    await toured.tab.field('priority').fill('1');
    expect(JSON.parse(await toured.tab.call())).toMatchObject({
      title: 'fix the "roof"\nbefore winter',
      priority: 1,
    });
    await toured.tab.openAction('board', 'tasks.list');
    await toured.tab.typeJson({ workspaceId, done: false });
    expect(JSON.parse(await toured.tab.call())).toMatchObject([{ title: 'fix the "roof"\nbefore winter' }]);
  });

  test('a list of objects is added to, moved, and sent in its order', async () => {
    await toured.tab.openAction('board', 'tasks.plan');
    await toured.tab.field('workspaceId').fill(`${workspaceId}-plan`);
    await toured.tab.field('tasks', 'state').selectOption('value');
    for (const [index, title] of ['first', 'second', 'third'].entries()) {
      await toured.tab.field('tasks', 'add').click();
      await toured.tab.field(`tasks[${index}].title`).fill(title);
    }
    await toured.tab.page.getByRole('button', { name: 'Move tasks[2] up' }).click();
    await toured.tab.page.getByRole('button', { name: 'Remove tasks[0]' }).click();
    const created = JSON.parse(await toured.tab.call()) as { readonly title: string }[];
    expect(created.map(({ title }) => title)).toEqual(['third', 'second']);
  });

  test('the check has the words that a client gets, marks the field, and calls nothing', async () => {
    const wrong = { workspaceId: `${workspaceId}-checked`, title: '', priority: 9 };
    await toured.tab.openAction('board', 'tasks.create');
    await toured.tab.typeJson(wrong);
    const { state, text } = await toured.tab.check();
    expect([state, text]).toEqual([
      'refused',
      await toured.example.answerTo('board', { action: 'tasks.create', ...wrong }),
    ]);
    await toured.tab.page.getByTestId('view-form').click();
    expect(await toured.tab.field('priority', 'issue').innerText()).toContain('5');
    await toured.tab.field('title').fill('right');
    await toured.tab.field('priority').fill('5');
    expect((await toured.tab.check()).state).toBe('ok');
    const listed = { action: 'tasks.list', workspaceId: wrong.workspaceId };
    expect(await toured.example.answerTo('board', listed)).toBe('[]');
  });
});

describe('what it shows', () => {
  test('the tree has groups and marks, and is searched', async () => {
    const rows = toured.tab.page.getByTestId('row');
    expect(await rows.allInnerTexts()).toEqual(
      ['latest R', 'list R', 'create W', 'plan W', 'finish W', 'delete D', 'list R', 'add W'].map((row) =>
        expect.stringMatching(new RegExp(row.replace(' ', '\\s*'))),
      ),
    );
    await toured.tab.page.getByTestId('search').fill('comment');
    expect(await rows.count()).toBe(3);
    await toured.tab.openAction('board', 'tasks.delete');
    expect(await toured.tab.page.getByTestId('action').innerText()).toContain('destructive');
    await toured.tab.openAction('board', 'tasks.finish');
    expect(await toured.tab.page.getByTestId('action').innerText()).toContain('idempotent');
  });

  test('the chain of middleware ends with the handler', async () => {
    await toured.tab.openAction('board', 'tasks.create');
    const chain = toured.tab.page.getByRole('list', { name: 'Middleware, the outermost first' });
    expect(await chain.innerText()).toMatch(
      /Transactional[\s\S]*AuditTrail[\s\S]*TasksController\.create\(\)/,
    );
  });

  test('how an input is checked is said of its class', async () => {
    await toured.tab.openAction('board', 'tasks.create');
    const inside = toured.tab.page.getByRole('region', { name: 'Inside' });
    expect(await inside.innerText()).toMatch(/checked\s+\w+: by (generated )?code/);
  });

  test('the dependencies are a picture and a list', async () => {
    await toured.tab.go('graph');
    const graph = toured.tab.page.getByTestId('graph');
    expect(await graph.innerText()).toMatch(/TasksController[\s\S]*needs TaskStore/);
    expect(await graph.locator('svg rect').count()).toBeGreaterThan(5);
  });

  test('what is offered is what the lock has', async () => {
    await toured.tab.go('lock');
    const page = toured.tab.page.getByTestId('lock-page');
    await page.getByText('✓ What is offered is what the lock has').waitFor();
  });

  test('runs of evals, their cases, and what is different in a later one', async () => {
    const { tab, example } = toured;
    const page = tab.page.getByTestId('evals-page');
    await tab.go('evals');
    await page.getByText('There are no runs yet').waitFor();
    await example.project.write(
      'evals/runs/1.jsonl',
      writeReport({ kept: 'done', lost: 'done', old: 'done' }),
    );
    const later = { kept: 'done', lost: 'failed', ['a case with a long name '.repeat(6)]: 'stale' };
    await example.project.write('evals/runs/2.jsonl', `${writeReport(later)}\nno report\n`);
    await tab.go('');
    await tab.go('evals');
    await page.getByTestId('eval-run').nth(1).waitFor();
    expect(await page.getByTestId('eval-run').filter({ hasText: '2.jsonl' }).innerText()).toMatch(
      /^1\/3\s+2\.jsonl, flat openai\/tested 6 to 79 %, \d{4}-.*, 3 cases, 4 tools$/,
    );
    await page.getByRole('link', { name: '2.jsonl' }).press('Enter');
    await page.getByTestId('eval-filter').press('Space');
    const cases = page.getByTestId('eval-case');
    expect(await cases.count()).toBe(2);
    expect(await page.innerText()).toMatch(/done, 6 to 79 %\s+1\/3/);
    await cases.first().locator('summary').press('Enter');
    expect(await cases.first().innerText()).toMatch(
      /^failed\s+lost why not\s+board\.list \{"of":"lost"\} VALIDATION_FAILED$/,
    );
    await page.getByTestId('eval-before').selectOption({ index: 1 });
    await page.getByTestId('eval-difference').waitFor();
    expect((await cases.allInnerTexts()).map((text) => text.slice(0, 4))).toEqual(['fail', 'new\n', 'gone']);
    const places = ['evals', `evals/${encodeURIComponent('2.jsonl 1')}`];
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [390, 1440])
        for (const place of [...places, `${places[1] ?? ''}/${encodeURIComponent('1.jsonl 1')}`]) {
          await tab.page.emulateMedia({ colorScheme });
          await tab.page.setViewportSize({ width, height: 800 });
          await tab.go(place);
          await page.locator('.changes').waitFor();
          const faults = [await violations(tab.page), await cutOff(tab.page)];
          expect([place, width, colorScheme, ...faults]).toEqual([place, width, colorScheme, [], []]);
        }
  });

  test('each format has its text, its tokens and its losses', async () => {
    await toured.tab.openAction('board', 'tasks.create');
    const format = toured.tab.page.getByTestId('format').first();
    const column = toured.tab.page.getByTestId('model-column');
    // Which there are is known with the first answer
    await format.locator('option').nth(1).waitFor({ state: 'attached' });
    const formats = await format.locator('option').allInnerTexts();
    expect(formats).toEqual(expect.arrayContaining(['mcp', 'openai', 'anthropic', 'gemini']));
    for (const name of formats.toReversed()) {
      // What another format had goes at once, and the tokens come with the answer
      await format.selectOption(name);
      const tokens = await column.getByTestId('tool-tokens').first().innerText();
      const figure = name === 'mcp' ? /^[\d,]+ tok$/ : /^≈ [\d,]+ tok$/;
      expect([name, tokens]).toEqual([name, expect.stringMatching(figure)]);
      expect(await column.getByTestId('model-text').first().innerText()).toContain('tasks.create');
    }
    await format.selectOption('openai');
    await column.getByText(/losses in this format/).waitFor();
    await toured.tab.go('model');
    await toured.tab.page.getByTestId('model-page').getByRole('link', { name: 'board' }).click();
    await toured.tab.page.getByTestId('action').waitFor();
  });
});
