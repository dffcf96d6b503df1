import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { ExplorerTab } from '../support/explorer-tab.ts';
import { tour } from '../support/toured.ts';
import { TouredExample } from '../support/toured-example.ts';

const toured = tour('task-board');

test('a swap in the middle of a form takes nothing away of what was typed, nor the focus', async () => {
  const { tab, example } = toured;
  await tab.openAction('board', 'tasks.create');
  await tab.field('workspaceId').fill('home');
  await tab.field('priority', 'state').selectOption('value');
  await tab.field('priority').fill('not yet');
  await tab.field('title').fill('half a ti');
  const file = example.project.path('tasks/inputs.ts');
  const text = await readFile(file, 'utf8');
  await example.project.write('tasks/inputs.ts', text.replace('What has to be done', 'What is to be done'));
  await tab.page.getByTestId('notice').waitFor();
  await tab.page.getByText('What is to be done').first().waitFor();
  await tab.page.keyboard.type('tle');
  expect(await tab.field('title').inputValue()).toBe('half a title');
  expect(await tab.field('priority').inputValue()).toBe('not yet');
  await tab.go('lock');
  await tab.page
    .getByTestId('lock-page')
    .getByText(/What is to be done|description/i)
    .first()
    .waitFor();
});

test('a save that does not run is said over everything, and what ran before still answers', async () => {
  const { tab, example } = toured;
  const text = await readFile(example.project.path('board/workspace.ts'), 'utf8');
  await example.project.write('board/workspace.ts', `${text}\nthrow new Error('broken on purpose');\n`);
  // A file that is half written is another problem, for a moment
  await tab.page.getByTestId('problems').getByText('broken on purpose').first().waitFor();
  await tab.openAction('board', 'tasks.list');
  await tab.field('workspaceId').fill('home');
  expect(await tab.call()).toBe('[]');
  await example.project.write('board/workspace.ts', text);
  await tab.page.getByTestId('problems').waitFor({ state: 'detached' });
});

test('a slow server shows a skeleton, and a call of it can be cancelled', async () => {
  const { tab } = toured;
  await tab.page.route('**/explorer/api/application*', async (route) => {
    await held;
    await route.continue();
  });
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await tab.page.reload();
  await tab.page.locator('main [data-state="loading"]').waitFor();
  release();
  await tab.page.getByTestId('overview').waitFor();
  await tab.openAction('board', 'tasks.list');
  await tab.page.route('**/explorer/mcp', () => undefined);
  await tab.startCall();
  await tab.page.getByTestId('cancel').click();
  expect(await tab.ended()).toBe('cancelled');
});

test('a call is cancelled as well while the connection for it is not open', async () => {
  const { tab } = toured;
  await tab.page.route('**/explorer/mcp', () => undefined);
  await tab.page.reload();
  await tab.openAction('board', 'tasks.list');
  await tab.startCall();
  await tab.page.getByTestId('cancel').click();
  expect(await tab.ended()).toBe('cancelled');
});

test('a server that is gone is said with why and fix, and what was typed stays', async () => {
  const gone = await TouredExample.serve('task-board');
  const tab = await ExplorerTab.open(toured.tab.page.context().browser() as never, gone.explorer);
  await tab.openAction('board', 'tasks.create');
  await tab.field('title').fill('kept');
  await gone.stop();
  await tab.page.getByRole('img', { name: 'Not connected' }).waitFor();
  // Nobody has to call something to see it
  // A server that is about to go may say so before
  const away = tab.page.getByTestId('lost').filter({ hasText: 'does not answer' });
  expect(await away.innerText()).toMatch(/does not answer[\s\S]*why:[\s\S]*fix:/);
  await tab.startCall();
  expect(await tab.ended()).toBe('failed');
  expect(await tab.page.getByTestId('failure').first().innerText()).toMatch(
    /why:|fix:|does not answer|reach/,
  );
  expect(await tab.field('title').inputValue()).toBe('kept');
  await tab.page.getByTestId('check').click();
  await tab.page.getByText('The server does not answer.').first().waitFor();
  // The browser says so of each request
  expect(tab.complaints.every((complaint) => /ERR_|Failed to load/.test(complaint))).toBe(true);
  await tab.close();
});
