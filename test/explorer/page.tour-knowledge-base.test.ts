import { beforeEach, describe, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { tour } from '../support/toured.ts';

const toured = tour('knowledge-base');

describe.each(['2025', '2026'] as const)('in era %s', (era) => {
  const path = `notes-${era}`;

  beforeEach(() => toured.tab.chooseEra(era));

  async function write(text: string): Promise<void> {
    const { tab } = toured;
    await tab.openAction('pages', 'write');
    await tab.field('path').fill(path);
    await tab.field('text').fill(text);
    await tab.startCall();
  }

  test('a new page comes into the tree, and a question is answered, declined and cancelled', async () => {
    const { tab } = toured;
    await write('# Bees');
    expect(await tab.content()).toContain('is kept');
    await tab.page.getByTestId('row').filter({ hasText: path }).waitFor();
    await write('They dance.');
    await tab.question.waitFor();
    expect(await tab.question.innerText()).toContain(`There is a page "${path}" already`);
    // What the server proposes is there already
    expect(await tab.field('mode', 'input', tab.question).locator('option:checked').innerText()).toBe(
      'append',
    );
    await tab.question.getByTestId('accept').click();
    expect(await tab.content()).toContain('is kept');
    for (const [button, said] of [
      ['decline', 'does not want that'],
      ['cancel-question', 'did not answer'],
    ] as const) {
      await tab.startCall();
      await tab.question.getByTestId(button).click();
      expect(await tab.content()).toContain(said);
    }
    await tab.startCall();
    await tab.question.waitFor();
    await tab.page.keyboard.press('Escape');
    expect(await tab.content()).toContain('did not answer');
  });

  test('an answer that the schema does not allow is refused in words', async () => {
    const { tab } = toured;
    await tab.openAction('pages', 'delete');
    await tab.field('path').fill('welcome');
    await tab.startCall();
    await tab.question.waitFor();
    await tab.question.getByTestId('accept').click();
    if (era === '2026') {
      // It asks again, as the call goes on with the next round
      await tab.question.waitFor();
      await tab.question.getByTestId('decline').click();
      expect(await tab.content()).toContain('does not want that');
      return;
    }
    expect(await tab.ended()).toBe('failed');
    expect(await tab.page.getByTestId('result').innerText()).toContain('isSure');
  });

  test('progress is shown as it comes', async () => {
    const { tab } = toured;
    await tab.openAction('pages', 'reindex');
    expect(await tab.call()).toMatch(/\d+ pages are indexed/);
    await tab.page.getByTestId('result-raw').click();
    expect(await tab.page.getByTestId('json-text').innerText()).toContain('notifications/progress');
  });

  test('a prompt is completed with what is known already, and its page is embedded', async () => {
    const { tab } = toured;
    const proposed = (name: string, value = ''): Locator =>
      tab.field(name, 'proposed').locator(`option${value && `[value="${value}"]`}`);
    await tab.go('prompt/compare');
    await tab.field('first').fill('wel');
    // What was proposed for the empty field goes when the answer for these letters comes
    await proposed('first', 'guides/writing').waitFor({ state: 'detached' });
    await proposed('first', 'welcome').waitFor({ state: 'attached' });
    expect(await proposed('first').count()).toBe(1);
    await tab.field('first').fill('welcome');
    await tab.field('second').fill('');
    await proposed('second', 'guides/writing').waitFor({ state: 'attached' });
    await proposed('second', 'welcome').waitFor({ state: 'detached' });
    await tab.field('second').fill('guides/writing');
    expect(await tab.call()).toMatch(/# Welcome[\s\S]*# Writing[\s\S]*contradict[\s\S]*assistant/);
    await tab.go('prompt/summarize');
    await tab.field('path').fill('welcome');
    await tab.field('tone').fill('angry');
    await tab.startCall();
    expect(await tab.ended()).toBe('failed');
    expect(await tab.page.getByTestId('failure').innerText()).toContain('tone');
  });

  test('a template keeps the slashes of a path, and is completed', async () => {
    const { tab } = toured;
    await tab.go(`template/${encodeURIComponent('kb://pages/{+path}')}`);
    await tab.field('path').fill('guides/');
    const options = tab.field('path', 'proposed').locator('option');
    await options.and(tab.page.locator('[value="welcome"]')).waitFor({ state: 'detached' });
    await options.nth(1).waitFor({ state: 'attached' });
    expect(await options.count()).toBe(2);
    await tab.field('path').fill('guides/writing');
    expect(await tab.page.getByTestId('uri').innerText()).toBe('kb://pages/guides/writing');
    expect(await tab.call()).toContain('# Writing');
  });

  test('a subscription sees a change that comes from elsewhere, whatever is shown by then', async () => {
    const { tab, example } = toured;
    const place = `resource/${encodeURIComponent('kb://pages/guides/searching')}`;
    await tab.go(place);
    await tab.page.getByTestId('subscribe').click();
    await tab.page.getByTestId('changes').waitFor();
    await tab.go('prompt/compare');
    await writeFile(
      example.project.path('knowledge-base-pages/guides/searching.md'),
      `# Searching\n\nIn era ${era}.`,
    );
    await tab.page
      .getByTestId('span')
      .filter({ hasText: 'notifications/resources/updated' })
      .first()
      .waitFor();
    await tab.go(place);
    expect(await tab.page.getByTestId('changes').innerText()).toMatch(/^[1-9]/);
    expect(await tab.call()).toContain(`In era ${era}.`);
    await tab.page.getByTestId('subscribe').click();
    expect(await tab.page.getByTestId('subscribe').innerText()).toBe('subscribe');
  });
});

test('a resource with a fixed address is read, and links are shown as links of the protocol', async () => {
  const { tab } = toured;
  await tab.go(`resource/${encodeURIComponent('kb://index')}`);
  expect(await tab.call()).toContain('[Welcome](kb://pages/welcome)');
  await tab.openAction('pages', 'search');
  await tab.field('words').fill('markdown');
  expect(await tab.call()).toContain('kb://pages/');
});
